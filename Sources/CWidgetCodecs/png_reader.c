// PNG through libpng.
#include "png_state.h"

#include <string.h>

static const wi_reader_calls calls;

static void choose_output(wi_png *state) {
  png_structp png = state->main->png;
  png_infop info = state->main->info;
  state->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  state->base.rows = (wi_rows){
      .width = png_get_image_width(png, info),
      .height = png_get_image_height(png, info),
      .channels = png_get_channels(png, info),
      .bits = png_get_bit_depth(png, info),
  };
  state->row_bytes = png_get_rowbytes(png, info);
  state->pixel_bytes = state->base.rows.channels * state->base.rows.bits / 8;
}

wi_reader *wi_png_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                       const wi_reader_options *options, wi_failure *failure) {
  if (failure->status) return NULL;
  wi_png *state = wi_allocate_zeroed(memory, 1, sizeof *state, failure);
  if (!state) return NULL;
  state->base.calls = &calls;
  state->base.memory = *memory;
  state->input = input;
  state->allow_truncated = options->allow_truncated;
  state->main = wi_png_stream_open(state, offset, WI_PNG_BUFFER);
  if (state->main) {
    choose_output(state);
    if (!state->is_interlaced ||
        wi_png_open_passes(state, offset, options->threads > 1) == WI_OK) {
      return &state->base;
    }
  }
  *failure = state->base.failure;
  wi_reader_close(&state->base);
  return NULL;
}

static wi_status next_row(wi_reader *reader, uint8_t *row) {
  wi_png *state = (wi_png *)reader;
  if (state->is_interlaced) return wi_png_interlaced_row(state, row);
  wi_png_stream_row(state->main, row);
  return reader->failure.status;
}

static wi_status finish(wi_reader *reader) {
  wi_png *state = (wi_png *)reader;
  wi_png_stop_worker(state);
  if (!(reader->notes & WI_NOTE_FILLED)) wi_png_stream_finish(state->main);
  return reader->failure.status;
}

static void close_reader(wi_reader *reader) {
  wi_png *state = (wi_png *)reader;
  wi_png_stop_worker(state);
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
    if (state->passes[pass] != state->main) wi_png_stream_close(state->passes[pass]);
  }
  wi_png_stream_close(state->main);
  wi_memory memory = reader->memory;
  wi_free(&memory, state->pass_row);
  wi_free(&memory, state->ring);
  wi_free(&memory, state);
}

static const wi_reader_calls calls = {next_row, finish, close_reader};
