// Adam7 in lockstep: a stream for each pass, each of which has read past the
// passes before its own, so that the rows come whole and in order and none but
// the current one is in memory.
//
// The passes before a pass are inflated again for it: 1/2 of the picture for the
// seventh, 1/4 for the sixth and so on, as much again as the picture in all. So
// the seventh pass is as much work as the six others: it may have a thread.
#include "png_state.h"

#include <string.h>

#define PASSES PNG_INTERLACE_ADAM7_PASSES

typedef struct pass_grid {
  uint32_t x, y, across, down;
} pass_grid;

static const pass_grid grids[PASSES] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                        {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

static uint32_t steps(uint32_t length, uint32_t first, uint32_t step) {
  return length > first ? (length - first - 1) / step + 1 : 0;
}

static uint32_t pass_width(const wi_png *state, int pass) {
  return steps(state->base.rows.width, grids[pass].x, grids[pass].across);
}

// 0 for a pass without pixels.
static uint32_t pass_height(const wi_png *state, int pass) {
  if (pass_width(state, pass) == 0) return 0;
  return steps(state->base.rows.height, grids[pass].y, grids[pass].down);
}

// The rows of the passes before `pass`.
static uint64_t rows_before(const wi_png *state, int pass) {
  uint64_t rows = 0;
  for (int i = 0; i < pass; i++) rows += pass_height(state, i);
  return rows;
}

static bool skip_to_pass(wi_png *state, int pass) {
  if (state->has_skipped[pass]) return true;
  state->has_skipped[pass] = true;
  // The first pass has its pixels, or the picture has none: the others may do
  // without theirs then.
  if (pass > 0) state->passes[pass]->has_rows = true;
  return wi_png_stream_skip(state->passes[pass], rows_before(state, pass));
}

// On the worker's thread.
static bool make_last_row(void *context, uint64_t index) {
  wi_png *state = context;
  return skip_to_pass(state, PASSES - 1) &&
         wi_png_stream_row(state->main, state->ring + index % state->ahead * state->row_bytes);
}

static wi_status start_worker(wi_png *state) {
  wi_failure *failure = &state->base.failure;
  uint64_t ahead = WI_PNG_AHEAD_BYTES / state->row_bytes;
  if (ahead < WI_PNG_LEAST_AHEAD) ahead = WI_PNG_LEAST_AHEAD;
  if (ahead > WI_PNG_MOST_AHEAD) ahead = WI_PNG_MOST_AHEAD;
  state->ahead = ahead;
  state->ring = wi_allocate_zeroed(&state->base.memory, ahead, state->row_bytes, failure);
  if (!state->ring) return failure->status;
  state->main->failure = &state->worker_failure;
  state->main->notes = &state->worker_notes;
  state->worker = wi_worker_start(&state->base.memory, ahead, pass_height(state, PASSES - 1),
                                  make_last_row, state, failure);
  if (!state->worker) {
    state->main->failure = failure;
    state->main->notes = &state->base.notes;
  }
  return failure->status;
}

void wi_png_stop_worker(wi_png *state) {
  if (!state->worker) return;
  wi_worker_stop(state->worker);
  state->worker = NULL;
  state->base.notes |= state->worker_notes;
  state->main->failure = &state->base.failure;
  state->main->notes = &state->base.notes;
}

// A row of the seventh pass, which is a row of the picture.
static bool take_last_row(wi_png *state, uint64_t index, uint8_t *row) {
  if (!wi_worker_wait(state->worker, index)) {
    state->base.failure = state->worker_failure;
    return false;
  }
  memcpy(row, state->ring + index % state->ahead * state->row_bytes, state->row_bytes);
  wi_worker_take(state->worker, index + 1);
  return true;
}

wi_status wi_png_open_passes(wi_png *state, uint64_t offset, bool on_two_threads) {
  wi_failure *failure = &state->base.failure;
  if (!wi_input_is_seekable(state->input)) {
    return wi_fail(failure, WI_NEEDS_FILE,
                   "the PNG is interlaced, which is read at several places at once, and the "
                   "pipe is longer than what is held of one; give a file");
  }
  int last = 0;
  for (int pass = 0; pass < PASSES; pass++) {
    if (pass_height(state, pass) > 0) last = pass;
  }
  state->passes[last] = state->main;
  for (int pass = 0; pass < last; pass++) {
    if (pass_height(state, pass) == 0) continue;
    state->passes[pass] = wi_png_stream_open(state, offset, WI_PNG_PASS_BUFFER);
    if (!state->passes[pass]) return failure->status;
  }
  state->pass_row = wi_allocate(&state->base.memory, state->row_bytes, failure);
  if (!state->pass_row) return failure->status;
  const bool has_all = last == PASSES - 1;
  return on_two_threads && has_all ? start_worker(state) : WI_OK;
}

// Puts the pass's pixels in their places. The size of a pixel is a constant in
// each case, so that copying one is a move or two.
static void scatter(const wi_png *state, int pass, uint8_t *restrict row) {
  const uint8_t *restrict from = state->pass_row;
  const size_t pixel = state->pixel_bytes, step = grids[pass].across * pixel;
  const uint32_t count = pass_width(state, pass);
  uint8_t *restrict to = row + grids[pass].x * pixel;
#define SCATTER(bytes)                                        \
  case bytes:                                                 \
    for (uint32_t i = 0; i < count; i++, to += step, from += bytes) \
      __builtin_memcpy(to, from, bytes);                      \
    break
  switch (pixel) {
    SCATTER(1);
    SCATTER(2);
    SCATTER(3);
    SCATTER(4);
    SCATTER(6);
    SCATTER(8);
  default:
    break;
  }
#undef SCATTER
}

static bool read_pass_row(wi_png *state, int pass, uint8_t *row) {
  wi_png_stream *stream = state->passes[pass];
  if (!stream) return true;
  if (pass == PASSES - 1) {
    if (state->worker) return take_last_row(state, state->base.next / 2, row);
    return skip_to_pass(state, pass) && wi_png_stream_row(stream, row);
  }
  if (!skip_to_pass(state, pass) || !wi_png_stream_row(stream, state->pass_row)) return false;
  scatter(state, pass, row);
  return true;
}

wi_status wi_png_interlaced_row(wi_png *state, uint8_t *row) {
  const uint32_t y = state->base.next;
  for (int pass = 0; pass < PASSES; pass++) {
    const pass_grid *grid = &grids[pass];
    if (y < grid->y || (y - grid->y) % grid->down != 0) continue;
    if (!read_pass_row(state, pass, row)) break;
  }
  return state->base.failure.status;
}
