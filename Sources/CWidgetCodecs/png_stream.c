// One libpng object over the input.
//
// libpng's errors jump to the stream's fence, which each call from outside sets
// anew; no state that outlives the call is on the stack. Only the chunks that
// make pixels are looked into (IHDR, PLTE, tRNS, IDAT, IEND): all others are
// stepped over, so that none of them can cost memory or time beyond its bytes.
#include "png_state.h"

#include <string.h>

#define BLOCK_BYTES (8 * 1024)

static _Noreturn void leave(wi_png_stream *state) { _longjmp(state->fence, 1); }

static png_voidp allocate(png_structp png, png_alloc_size_t bytes) {
  wi_png_stream *state = png_get_mem_ptr(png);
  return wi_allocate(&state->reader->base.memory, bytes, state->failure);
}

static void release(png_structp png, png_voidp pointer) {
  wi_png_stream *state = png_get_mem_ptr(png);
  wi_free(&state->reader->base.memory, pointer);
}

static void on_error(png_structp png, png_const_charp text) {
  wi_png_stream *state = png_get_error_ptr(png);
  wi_failure *failure = state->failure;
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
  wi_png_stream *state = png_get_error_ptr(png);
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
    if (strstr(text, harmless[i])) return;
  }
  bool concerns_pixels = strncmp(text, "IDAT", 4) == 0 || strncmp(text, "tRNS", 4) == 0 ||
                         (state->is_palette && strncmp(text, "PLTE", 4) == 0);
  if (concerns_pixels) *state->notes |= WI_NOTE_DAMAGED;
}

bool wi_png_refill(wi_png_stream *state) {
  size_t got = 0;
  if (wi_input_read(state->reader->input, state->position, state->buffer, state->buffer_bytes, &got,
                    state->failure)) {
    leave(state);
  }
  state->position += got;
  state->next = 0;
  state->count = got;
  return got > 0;
}

// Bytes of the input that libpng has not had, as far as is known.
static uint64_t bytes_left(const wi_png_stream *state) {
  int64_t length = wi_input_length(state->reader->input);
  uint64_t buffered = state->count - state->next;
  if (length < 0) return state->count < state->buffer_bytes ? buffered : UINT64_MAX;
  uint64_t after = state->position < (uint64_t)length ? (uint64_t)length - state->position : 0;
  return after + buffered;
}

// libpng asks for a chunk's header in one call, its data in any number, its
// checksum in one: so where it stands can be followed from here.
static void follow(wi_png_stream *state, const uint8_t *bytes, size_t count) {
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
static void choose_block(wi_png_stream *state) {
  uint64_t left = bytes_left(state);
  size_t block = BLOCK_BYTES;
  if (state->chunk_left > left && left <= 2 * BLOCK_BYTES) block = left > 512 ? 128 : 1;
  if (block == state->block) return;
  state->block = block;
  png_set_compression_buffer_size(state->png, block);
}

static void read_data(png_structp png, png_bytep out, size_t count) {
  wi_png_stream *state = png_get_io_ptr(png);
  const uint8_t *all = out;
  const size_t whole = count;
  while (count > 0) {
    if (state->next == state->count && !wi_png_refill(state)) {
      wi_fail(state->failure, WI_TRUNCATED,
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
static bool is_crushed(const wi_png_stream *state) {
  return state->count >= 16 && memcmp(state->buffer + 12, "CgBI", 4) == 0;
}

static void read_header(wi_png_stream *state) {
  if (_setjmp(state->fence)) return;
  if (wi_png_refill(state) && is_crushed(state)) {
    wi_fail(state->failure, WI_UNSUPPORTED, "Apple's crushed PNG (CgBI) is not supported");
    return;
  }
  state->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, state, on_error, on_warning, state,
                                        allocate, release);
  if (state->png) state->info = png_create_info_struct(state->png);
  if (!state->info) {
    wi_fail(state->failure, WI_UNSUPPORTED,
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
  state->is_palette = png_get_color_type(png, state->info) == PNG_COLOR_TYPE_PALETTE;
  // Palettes to RGB, grey of 1, 2 and 4 bits to 8, tRNS to alpha.
  png_set_expand(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (png_get_bit_depth(png, state->info) == 16) png_set_swap(png);
#endif
  // Of an interlaced image rows come as the passes have them.
  png_read_update_info(png, state->info);
}

wi_png_stream *wi_png_stream_open(wi_png *reader, uint64_t position, size_t buffer_bytes) {
  wi_failure *failure = &reader->base.failure;
  wi_png_stream *state = wi_allocate_zeroed(&reader->base.memory, 1,
                                            sizeof *state + buffer_bytes, failure);
  if (!state) return NULL;
  state->reader = reader;
  state->failure = failure;
  state->notes = &reader->base.notes;
  state->position = position;
  state->buffer_bytes = buffer_bytes;
  state->in_header = true;
  read_header(state);
  if (failure->status == WI_OK) return state;
  wi_png_stream_close(state);
  return NULL;
}

void wi_png_stream_close(wi_png_stream *state) {
  if (!state) return;
  if (state->png && !_setjmp(state->fence)) {
    png_destroy_read_struct(&state->png, &state->info, NULL);
  }
  wi_memory memory = state->reader->base.memory;
  wi_free(&memory, state);
}

// Whether the input ended after the last pixel: libpng reads to the end of the
// pixel data along with the last row, once that row is in place.
static bool accepts_end(wi_png_stream *state) {
  wi_failure *failure = state->failure;
  bool has_all = state->reader->is_interlaced
                     ? png_get_current_pass_number(state->png) >= PNG_INTERLACE_ADAM7_PASSES
                     : png_get_current_row_number(state->png) >= state->reader->base.rows.height;
  if (failure->status != WI_TRUNCATED || !has_all) return false;
  memset(failure, 0, sizeof *failure);
  *state->notes |= WI_NOTE_TRAILER_MISSING;
  state->ended = true;
  return true;
}

// Whether a cut source may go on, given that some of its pixels are there.
static bool accepts_cut(wi_png_stream *state) {
  wi_failure *failure = state->failure;
  if (!state->reader->allow_truncated || failure->status != WI_TRUNCATED) return false;
  if (!state->has_rows) return false;
  memset(failure, 0, sizeof *failure);
  *state->notes |= WI_NOTE_FILLED;
  state->cut = true;
  return true;
}

bool wi_png_stream_skip(wi_png_stream *state, uint64_t rows) {
  if (state->cut) return true;
  if (_setjmp(state->fence)) return accepts_cut(state);
  for (; rows > 0; rows--) png_read_row(state->png, NULL, NULL);
  return true;
}

bool wi_png_stream_row(wi_png_stream *state, uint8_t *row) {
  if (!state->cut) {
    if (!_setjmp(state->fence)) {
      png_read_row(state->png, row, NULL);
      state->has_rows = true;
      return true;
    }
    if (accepts_end(state)) return true;
    if (!accepts_cut(state)) return false;
  }
  memset(row, 0, state->reader->row_bytes);
  return true;
}

void wi_png_stream_finish(wi_png_stream *state) {
  if (state->cut || state->ended) return;
  wi_failure *failure = state->failure;
  if (_setjmp(state->fence)) {
    if (failure->status == WI_TRUNCATED) {
      memset(failure, 0, sizeof *failure);
      *state->notes |= WI_NOTE_TRAILER_MISSING;
    }
    return;
  }
  png_read_end(state->png, NULL);
  if (state->next < state->count || wi_png_refill(state)) {
    *state->notes |= WI_NOTE_TRAILING_BYTES;
  }
}
