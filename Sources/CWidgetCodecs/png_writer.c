// PNG row by row over libpng, its allocations and zlib's under the hooks.
#include "writer.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>
#include <zlib.h>

// Measured on logos and photographs: level 9 of zlib with 8 as memory level is
// within 0.2 % of 9 and takes 128 KB less.
#define MEMORY_LEVEL 8
// An IDAT chunk; 12 bytes of each are overhead.
#define CHUNK_BYTES (16 * 1024)

typedef struct png_writer {
  wi_writer base;
  png_structp png;
  png_infop info;
  jmp_buf fence;
} png_writer;

static void *take(png_structp png, png_alloc_size_t bytes) {
  png_writer *writer = png_get_mem_ptr(png);
  return wi_allocate(&writer->base.memory, bytes, &writer->base.failure);
}

static void give(png_structp png, void *pointer) {
  png_writer *writer = png_get_mem_ptr(png);
  wi_free(&writer->base.memory, pointer);
}

static _Noreturn void fail(png_structp png, png_const_charp message) {
  png_writer *writer = png_get_error_ptr(png);
  wi_fail(&writer->base.failure, WI_MISUSE, "libpng: %s", message);
  longjmp(writer->fence, 1);
}

// Its warnings concern calls of ours that the tests cover; never the pixels.
static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void emit(png_structp png, png_bytep bytes, size_t count) {
  png_writer *writer = png_get_io_ptr(png);
  if (!wi_writer_emit(&writer->base, bytes, count)) longjmp(writer->fence, 1);
}

static void flush(png_structp png) { (void)png; }

static wi_status write_row(wi_writer *base, const uint8_t *row) {
  png_writer *writer = (png_writer *)base;
  if (setjmp(writer->fence)) return base->failure.status;
  png_write_row(writer->png, row);
  return WI_OK;
}

static wi_status finish(wi_writer *base) {
  png_writer *writer = (png_writer *)base;
  if (setjmp(writer->fence)) return base->failure.status;
  png_write_end(writer->png, NULL);
  return WI_OK;
}

static void close_writer(wi_writer *base) {
  png_writer *writer = (png_writer *)base;
  if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
  wi_memory memory = base->memory;
  wi_free(&memory, writer);
}

static const wi_writer_calls calls = {write_row, finish, close_writer};

typedef struct layout {
  uint32_t width, height, channels, depth, level;
  wi_png_style style;
  const uint8_t *_Nullable palette;
  uint32_t colors;
} layout;

static void set_compression(png_structp png, const layout *layout) {
  static const int filters[] = {
      [WI_PNG_ADAPTIVE] = PNG_ALL_FILTERS,
      [WI_PNG_PLAIN] = PNG_FILTER_NONE,
      [WI_PNG_ADAPTIVE_FILTERED] = PNG_ALL_FILTERS,
      [WI_PNG_SIMPLE] = PNG_FILTER_NONE | PNG_FILTER_SUB | PNG_FILTER_UP,
      [WI_PNG_PAETH] = PNG_FILTER_PAETH,
  };
  int strategy =
      layout->style == WI_PNG_ADAPTIVE_FILTERED ? Z_FILTERED : Z_DEFAULT_STRATEGY;
  png_set_filter(png, PNG_FILTER_TYPE_BASE, filters[layout->style]);
  png_set_compression_level(png, (int)layout->level);
  png_set_compression_mem_level(png, MEMORY_LEVEL);
  png_set_compression_strategy(png, strategy);
  png_set_compression_buffer_size(png, CHUNK_BYTES);
}

static void set_palette(png_structp png, png_infop info, const layout *layout) {
  png_color entries[256];
  png_byte alphas[256];
  int transparent = 0;
  for (uint32_t i = 0; i < layout->colors; i++) {
    const uint8_t *color = layout->palette + 4 * i;
    entries[i] = (png_color){color[0], color[1], color[2]};
    alphas[i] = color[3];
    if (color[3] != 255) transparent = (int)i + 1;
  }
  png_set_PLTE(png, info, entries, (int)layout->colors);
  if (transparent) png_set_tRNS(png, info, alphas, transparent, NULL);
}

// Inside the caller's fence no local changes after `setjmp`.
static wi_status start(png_writer *writer, const layout *layout) {
  if (setjmp(writer->fence)) return writer->base.failure.status;
  writer->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, writer, fail, ignore, writer,
                                          take, give);
  if (writer->png) writer->info = png_create_info_struct(writer->png);
  if (!writer->info) {
    return wi_fail(&writer->base.failure, WI_OUT_OF_MEMORY, "libpng could not start");
  }
  png_structp png = writer->png;
  png_infop info = writer->info;
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_write_fn(png, writer, emit, flush);
  int type = layout->palette         ? PNG_COLOR_TYPE_PALETTE
             : layout->channels == 4 ? PNG_COLOR_TYPE_RGBA
                                     : PNG_COLOR_TYPE_RGB;
  png_set_IHDR(png, info, layout->width, layout->height, (int)layout->depth, type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (layout->palette) set_palette(png, info, layout);
  set_compression(png, layout);
  png_write_info(png, info);
  if (layout->palette) png_set_packing(png);
  return WI_OK;
}

static wi_writer *_Nullable open_writer(const layout *layout, const wi_sink *sink,
                                        const wi_memory *memory, wi_failure *failure) {
  if (layout->width == 0 || layout->height == 0 || layout->width > PNG_UINT_31_MAX ||
      layout->height > PNG_UINT_31_MAX || layout->level < 1 || layout->level > 9 ||
      (uint32_t)layout->style > WI_PNG_PAETH) {
    wi_fail(failure, WI_MISUSE, "a PNG of %u x %u at level %u can't be written",
            layout->width, layout->height, layout->level);
    return NULL;
  }
  png_writer *writer = wi_allocate_zeroed(memory, 1, sizeof *writer, failure);
  if (!writer) return NULL;
  writer->base.calls = &calls;
  writer->base.height = layout->height;
  writer->base.row_bytes = (size_t)layout->width * layout->channels;
  writer->base.memory = *memory;
  writer->base.sink = *sink;
  if (start(writer, layout) == WI_OK) return &writer->base;
  *failure = writer->base.failure;
  close_writer(&writer->base);
  return NULL;
}

wi_writer *wi_png_writer_open(uint32_t width, uint32_t height, uint32_t channels,
                              uint32_t level, wi_png_style style, const wi_sink *sink,
                              const wi_memory *memory, wi_failure *failure) {
  if (channels != 3 && channels != 4) {
    wi_fail(failure, WI_MISUSE, "a PNG of %u channels can't be written", channels);
    return NULL;
  }
  layout layout = {width, height, channels, 8, level, style, NULL, 0};
  return open_writer(&layout, sink, memory, failure);
}

wi_writer *wi_png_indexed_writer_open(uint32_t width, uint32_t height, uint32_t depth,
                                      const uint8_t *palette, uint32_t colors, uint32_t level,
                                      const wi_sink *sink, const wi_memory *memory,
                                      wi_failure *failure) {
  if ((depth != 1 && depth != 2 && depth != 4 && depth != 8) || colors < 1 ||
      colors > 1u << depth) {
    wi_fail(failure, WI_MISUSE, "%u colours don't fit %u bits", colors, depth);
    return NULL;
  }
  layout layout = {width, height, 1, depth, level, WI_PNG_PLAIN, palette, colors};
  return open_writer(&layout, sink, memory, failure);
}
