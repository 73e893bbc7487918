// PNG through libpng.
//
// libpng's errors jump to `fence`, which each public call sets anew; no state
// that outlives the call is on the stack. Only the chunks that make pixels are
// looked into (IHDR, PLTE, tRNS, IDAT, IEND): all others are stepped over, so
// that none of them can cost memory or time beyond its bytes.
#include "reader.h"

#include <setjmp.h>
#include <string.h>

#include <png.h>

#define BUFFER_BYTES (32 * 1024)
#define BLOCK_BYTES (8 * 1024)

typedef struct wi_png {
  wi_reader base;
  png_structp png;
  png_infop info;
  jmp_buf fence;
  wi_input *input;
  uint64_t position;  // in the input, of what comes after the buffer
  size_t next, count;  // of the buffer
  size_t block;        // of pixel data that libpng reads at once
  uint64_t chunk_left;  // of the current chunk, its checksum included
  bool past_signature;
  bool in_header, is_palette, is_interlaced, allow_truncated;
  bool decoded;   // the interlaced image is there
  bool has_rows;  // some of it is, at least
  bool cut;       // what is missing is given as zeros
  bool ended;     // the input ended after the last pixel
  size_t row_bytes;
  /// Adam7: the whole image.
  uint8_t *_Nullable image;
  uint8_t buffer[BUFFER_BYTES];
} wi_png;

static const wi_reader_calls calls;

static _Noreturn void leave(wi_png *state) { _longjmp(state->fence, 1); }

static png_voidp allocate(png_structp png, png_alloc_size_t bytes) {
  wi_png *state = png_get_mem_ptr(png);
  return wi_allocate(&state->base.memory, bytes, &state->base.failure);
}

static void release(png_structp png, png_voidp pointer) {
  wi_png *state = png_get_mem_ptr(png);
  wi_free(&state->base.memory, pointer);
}

static void on_error(png_structp png, png_const_charp text) {
  wi_png *state = png_get_error_ptr(png);
  wi_failure *failure = &state->base.failure;
  // A refused allocation or a failed read comes first and stands.
  if (strstr(text, "Not enough image data")) {
    wi_fail(failure, WI_TRUNCATED, "the PNG's data ends before its pixels do");
  } else if (strstr(text, "unhandled critical chunk")) {
    wi_fail(failure, WI_UNSUPPORTED, "PNG with an unknown critical chunk is not supported (%s)",
            text);
  } else {
    wi_fail(failure, WI_CORRUPT, "the PNG is damaged: %s", text);
  }
  leave(state);
}

// Only what may have changed a pixel counts as damage.
static void on_warning(png_structp png, png_const_charp text) {
  static const char *const harmless[] = {
      "Too much image data", "Extra compressed data", "chunk data is too large",
      "Too many IDATs", "invalid with alpha channel", "duplicate", "out-of-range samples"};
  wi_png *state = png_get_error_ptr(png);
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
    if (strstr(text, harmless[i])) return;
  }
  bool concerns_pixels = strncmp(text, "IDAT", 4) == 0 || strncmp(text, "tRNS", 4) == 0 ||
                         (state->is_palette && strncmp(text, "PLTE", 4) == 0);
  if (concerns_pixels) state->base.notes |= WI_NOTE_DAMAGED;
}

// False at the input's end.
static bool refill(wi_png *state) {
  size_t got = 0;
  if (wi_input_read(state->input, state->position, state->buffer, sizeof state->buffer, &got,
                    &state->base.failure)) {
    leave(state);
  }
  state->position += got;
  state->next = 0;
  state->count = got;
  return got > 0;
}

// Bytes of the input that libpng has not had, as far as is known.
static uint64_t bytes_left(const wi_png *state) {
  int64_t length = wi_input_length(state->input);
  uint64_t buffered = state->count - state->next;
  if (length < 0) return state->count < sizeof state->buffer ? buffered : UINT64_MAX;
  uint64_t after = state->position < (uint64_t)length ? (uint64_t)length - state->position : 0;
  return after + buffered;
}

// libpng asks for a chunk's header in one call, its data in any number, its
// checksum in one: so where it stands can be followed from here.
static void follow(wi_png *state, const uint8_t *bytes, size_t count) {
  if (!state->past_signature) {
    state->past_signature = true;
  } else if (state->chunk_left == 0 && count == 8) {
    state->chunk_left = (uint64_t)png_get_uint_32(bytes) + 4;
  } else {
    state->chunk_left -= count < state->chunk_left ? count : state->chunk_left;
  }
}

// libpng reads pixel data in blocks and gives none of a block that is cut. So
// in a chunk that is cut blocks get small towards the end, and every row that
// is there comes. Not in others: libpng checks the stream's end in one block.
static void choose_block(wi_png *state) {
  uint64_t left = bytes_left(state);
  size_t block = BLOCK_BYTES;
  if (state->chunk_left > left && left <= 2 * BLOCK_BYTES) block = left > 512 ? 128 : 1;
  if (block == state->block) return;
  state->block = block;
  png_set_compression_buffer_size(state->png, block);
}

static void read_data(png_structp png, png_bytep out, size_t count) {
  wi_png *state = png_get_io_ptr(png);
  const uint8_t *all = out;
  const size_t whole = count;
  while (count > 0) {
    if (state->next == state->count && !refill(state)) {
      wi_fail(&state->base.failure, WI_TRUNCATED,
              state->in_header ? "the PNG ends inside its headers"
                               : "the PNG's data ends before its pixels do");
      leave(state);
    }
    size_t step = state->count - state->next;
    if (step > count) step = count;
    memcpy(out, state->buffer + state->next, step);
    state->next += step;
    out += step;
    count -= step;
  }
  follow(state, all, whole);
  choose_block(state);
}

// Apple's variant puts a chunk of its own in front of IHDR.
static bool is_crushed(const wi_png *state) {
  return state->count >= 16 && memcmp(state->buffer + 12, "CgBI", 4) == 0;
}

static void choose_output(wi_png *state) {
  png_structp png = state->png;
  state->is_palette = png_get_color_type(png, state->info) == PNG_COLOR_TYPE_PALETTE;
  state->is_interlaced = png_get_interlace_type(png, state->info) != PNG_INTERLACE_NONE;
  // Palettes to RGB, grey of 1, 2 and 4 bits to 8, tRNS to alpha.
  png_set_expand(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (png_get_bit_depth(png, state->info) == 16) png_set_swap(png);
#endif
  if (state->is_interlaced) png_set_interlace_handling(png);
  png_read_update_info(png, state->info);
  state->base.rows = (wi_rows){
      .width = png_get_image_width(png, state->info),
      .height = png_get_image_height(png, state->info),
      .channels = png_get_channels(png, state->info),
      .bits = png_get_bit_depth(png, state->info),
  };
  state->row_bytes = png_get_rowbytes(png, state->info);
  if (state->is_interlaced) {
    state->image = wi_allocate_zeroed(&state->base.memory, state->base.rows.height,
                                      state->row_bytes, &state->base.failure);
  }
}

static void read_header(wi_png *state) {
  if (_setjmp(state->fence)) return;
  if (refill(state) && is_crushed(state)) {
    wi_fail(&state->base.failure, WI_UNSUPPORTED, "Apple's crushed PNG (CgBI) is not supported");
    return;
  }
  state->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, state, on_error, on_warning, state,
                                        allocate, release);
  if (state->png) state->info = png_create_info_struct(state->png);
  if (!state->info) {
    wi_fail(&state->base.failure, WI_UNSUPPORTED,
            "the libpng found at run time does not fit the one built against");
    return;
  }
  png_structp png = state->png;
  png_set_read_fn(png, state, read_data);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(png, 0);
  png_set_benign_errors(png, 1);
  // Critical chunks must be whole, others with a bad checksum are left out.
  png_set_crc_action(png, PNG_CRC_DEFAULT, PNG_CRC_DEFAULT);
  // -1: all but IHDR, PLTE, tRNS, IDAT and IEND.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, state->info);
  state->in_header = false;
  choose_output(state);
}

wi_reader *wi_png_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                       const wi_reader_options *options, wi_failure *failure) {
  if (failure->status) return NULL;
  wi_png *state = wi_allocate_zeroed(memory, 1, sizeof *state, failure);
  if (!state) return NULL;
  state->base.calls = &calls;
  state->base.memory = *memory;
  state->input = input;
  state->position = offset;
  state->in_header = true;
  state->allow_truncated = options->allow_truncated;
  read_header(state);
  if (state->base.failure.status == WI_OK) return &state->base;
  *failure = state->base.failure;
  wi_reader_close(&state->base);
  return NULL;
}

// Whether a cut source may go on, given that some of its pixels are there.
static bool accepts_cut(wi_png *state, bool has_pixels) {
  wi_failure *failure = &state->base.failure;
  if (!state->allow_truncated || !has_pixels || failure->status != WI_TRUNCATED) return false;
  memset(failure, 0, sizeof *failure);
  state->base.notes |= WI_NOTE_FILLED;
  state->cut = true;
  return true;
}

// Whether the input ended after the last pixel: libpng reads to the end of the
// pixel data along with the last row, once that row is in place.
static bool accepts_end(wi_png *state) {
  wi_failure *failure = &state->base.failure;
  bool has_all = state->is_interlaced
                     ? png_get_current_pass_number(state->png) >= PNG_INTERLACE_ADAM7_PASSES
                     : png_get_current_row_number(state->png) >= state->base.rows.height;
  if (failure->status != WI_TRUNCATED || !has_all) return false;
  memset(failure, 0, sizeof *failure);
  state->base.notes |= WI_NOTE_TRAILER_MISSING;
  state->ended = true;
  return true;
}

// All passes over the whole image.
static void decode_passes(wi_png *state) {
  state->decoded = true;
  if (_setjmp(state->fence)) {
    if (!accepts_end(state)) accepts_cut(state, state->has_rows);
    return;
  }
  uint8_t *image = state->image;
  if (!image) return;
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
    for (uint32_t y = 0; y < state->base.rows.height; y++) {
      png_read_row(state->png, image + y * state->row_bytes, NULL);
      state->has_rows = true;
    }
  }
}

static wi_status next_row(wi_reader *reader, uint8_t *row) {
  wi_png *state = (wi_png *)reader;
  if (state->image) {
    if (!state->decoded) decode_passes(state);
    if (reader->failure.status) return reader->failure.status;
    memcpy(row, state->image + reader->next * state->row_bytes, state->row_bytes);
    return WI_OK;
  }
  if (!state->cut) {
    if (!_setjmp(state->fence)) {
      png_read_row(state->png, row, NULL);
      return WI_OK;
    }
    if (accepts_end(state)) return WI_OK;
    if (!accepts_cut(state, reader->next > 0)) return reader->failure.status;
  }
  memset(row, 0, state->row_bytes);
  return WI_OK;
}

static wi_status finish(wi_reader *reader) {
  wi_png *state = (wi_png *)reader;
  if (state->cut || state->ended) return WI_OK;
  wi_failure *failure = &reader->failure;
  if (_setjmp(state->fence)) {
    if (failure->status == WI_TRUNCATED) {
      memset(failure, 0, sizeof *failure);
      reader->notes |= WI_NOTE_TRAILER_MISSING;
    }
    return failure->status;
  }
  png_read_end(state->png, NULL);
  if (state->next < state->count || refill(state)) reader->notes |= WI_NOTE_TRAILING_BYTES;
  return WI_OK;
}

static void close_reader(wi_reader *reader) {
  wi_png *state = (wi_png *)reader;
  if (state->png && !_setjmp(state->fence)) {
    png_destroy_read_struct(&state->png, &state->info, NULL);
  }
  wi_memory memory = reader->memory;
  wi_free(&memory, state->image);
  wi_free(&memory, state);
}

static const wi_reader_calls calls = {next_row, finish, close_reader};
