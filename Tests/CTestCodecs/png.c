#include "include/CTestCodecs.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct source {
  const uint8_t *next;
  size_t left;
} source;

static void on_error(png_structp png, png_const_charp text) {
  (void)text;
  longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)text;
  ++*(long *)png_get_error_ptr(png);
}

static void read_data(png_structp png, png_bytep out, size_t count) {
  source *source = png_get_io_ptr(png);
  if (count > source->left) png_error(png, "no more");
  memcpy(out, source->next, count);
  source->next += count;
  source->left -= count;
}

ct_bytes ct_png_decode(const uint8_t *bytes, size_t count, uint64_t limit, ct_png_info *info) {
  memset(info, 0, sizeof *info);
  source source = {bytes, count};
  uint8_t *volatile pixels = NULL;
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &info->warnings, on_error, on_warning);
  png_infop description = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &description, NULL);
    free(pixels);
    return (ct_bytes){NULL, 0};
  }
  png_set_read_fn(png, &source, read_data);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, description);
  png_set_expand(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  png_set_swap(png);
#endif
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, description);
  info->width = png_get_image_width(png, description);
  info->height = png_get_image_height(png, description);
  info->channels = png_get_channels(png, description);
  info->bits = png_get_bit_depth(png, description);
  info->interlaced = passes > 1;
  size_t row = png_get_rowbytes(png, description);
  if ((uint64_t)row * info->height > limit) png_error(png, "too large");
  pixels = calloc(info->height, row);
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t y = 0; y < info->height; y++) png_read_row(png, pixels + y * row, NULL);
  }
  size_t total = row * info->height;
  png_destroy_read_struct(&png, &description, NULL);
  return (ct_bytes){pixels, total};
}
