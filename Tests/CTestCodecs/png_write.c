#include "include/CTestCodecs.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct target {
  uint8_t *bytes;
  size_t count, room;
} target;

static void write_data(png_structp png, png_bytep data, size_t count) {
  target *target = png_get_io_ptr(png);
  if (target->room - target->count < count) {
    size_t room = 2 * target->room + count + 65536;
    uint8_t *bytes = realloc(target->bytes, room);
    if (!bytes) png_error(png, "no memory");
    target->bytes = bytes;
    target->room = room;
  }
  memcpy(target->bytes + target->count, data, count);
  target->count += count;
}

static void flush_data(png_structp png) { (void)png; }

static void set_palette(png_structp png, png_infop info, const ct_png_options *options) {
  png_color colors[256];
  int count = 1 << options->depth;
  for (int i = 0; i < count; i++) {
    colors[i] = (png_color){(png_byte)(i * 37), (png_byte)(i * 91), (png_byte)(255 - i)};
  }
  png_set_PLTE(png, info, colors, count);
}

static void set_transparency(png_structp png, png_infop info, const ct_png_options *options) {
  png_byte alpha[2] = {0, 128};
  png_color_16 key = {0};
  key.gray = key.red = key.green = key.blue = 1;
  png_set_tRNS(png, info, alpha, options->color_type == PNG_COLOR_TYPE_PALETTE ? 2 : 0, &key);
}

static void set_orientation(png_structp png, png_infop info, uint8_t orientation) {
  png_byte exif[] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3,
                     0,   0,   0, 1,  0, orientation, 0, 0, 0, 0, 0, 0};
  png_set_eXIf_1(png, info, sizeof exif, exif);
}

ct_bytes ct_png_write(const ct_png_options *options) {
  target target = {NULL, 0, 0};
  uint8_t *volatile row = NULL;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    free(row);
    free(target.bytes);
    return (ct_bytes){NULL, 0};
  }
  png_set_write_fn(png, &target, write_data, flush_data);
  png_set_compression_level(png, 1);
  png_set_IHDR(png, info, options->width, options->height, (int)options->depth,
               (int)options->color_type,
               options->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (options->color_type == PNG_COLOR_TYPE_PALETTE) set_palette(png, info, options);
  if (options->transparent) set_transparency(png, info, options);
  if (options->orientation) set_orientation(png, info, options->orientation);
  png_write_info(png, info);
  int passes = png_set_interlace_handling(png);
  size_t row_bytes = png_get_rowbytes(png, info);
  row = malloc(row_bytes);
  for (int pass = 0; pass < passes; pass++) {
    uint32_t seed = 12345;
    for (uint32_t y = 0; y < options->height; y++) {
      for (size_t x = 0; x < row_bytes; x++) {
        seed = seed * 1664525u + 1013904223u;
        row[x] = (uint8_t)((x + y * 2) % 200 + (seed >> 30));
      }
      png_write_row(png, row);
    }
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  free(row);
  return (ct_bytes){target.bytes, target.count};
}
