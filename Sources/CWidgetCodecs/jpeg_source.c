// libjpeg's source manager over an input.
#include "jpeg_state.h"

static wi_jpeg_object *state_of(j_decompress_ptr object) {
  return (wi_jpeg_object *)((char *)object - offsetof(wi_jpeg_object, object));
}

static void start(j_decompress_ptr object) { (void)object; }

// Arithmetic decoding can't tell whether it lacks data: a coder leaves zeros at
// the end away, the decoder adds them for ever. So it is judged by place: the
// input must not end before the last row of blocks is being read.
static bool arithmetic_is_cut(const wi_jpeg_object *state) {
  const struct jpeg_decompress_struct *object = &state->object;
  return state->started && object->arith_code &&
         object->input_iMCU_row + 1 < object->total_iMCU_rows;
}

static boolean fill(j_decompress_ptr object) {
  wi_jpeg_object *state = state_of(object);
  size_t got = 0;
  if (!state->input_ended) {
    if (state->position >= state->limit) return FALSE;
    uint64_t count = state->limit - state->position;
    if (count > state->buffer_bytes) count = state->buffer_bytes;
    wi_status status = wi_input_read(state->reader->input, state->position, state->buffer,
                                     (size_t)count, &got, state->lane->failure);
    if (status) wi_jpeg_leave(state);
  }
  if (got > 0) {
    state->position += got;
    state->source.next_input_byte = state->buffer;
    state->source.bytes_in_buffer = got;
    return TRUE;
  }
  bool first = !state->input_ended;
  state->input_ended = true;
  // libjpeg stops at an EOI wherever it is; without one it would ask for ever.
  state->made_up_end[0] = 0xFF;
  state->made_up_end[1] = JPEG_EOI;
  state->source.next_input_byte = state->made_up_end;
  state->source.bytes_in_buffer = sizeof state->made_up_end;
  if (first && arithmetic_is_cut(state)) wi_jpeg_pixels_missing(state);
  return TRUE;
}

static void skip(j_decompress_ptr object, long count) {
  wi_jpeg_object *state = state_of(object);
  struct jpeg_source_mgr *source = &state->source;
  if (count <= 0) return;
  uint64_t left = (uint64_t)count;
  if (left > source->bytes_in_buffer && !state->input_ended) {
    uint64_t target = state->position + (left - source->bytes_in_buffer);
    int64_t rereadable = wi_input_rereadable_length(state->reader->input);
    if (wi_input_is_seekable(state->reader->input) || target <= (uint64_t)rereadable) {
      state->position = target;
      source->bytes_in_buffer = 0;
      return;
    }
  }
  while (left > source->bytes_in_buffer) {
    left -= source->bytes_in_buffer;
    source->bytes_in_buffer = 0;
    // A made-up EOI stands for all the rest. A limit is only set on inputs
    // that can be read anywhere, where no segment is read through.
    if (!fill(object) || state->input_ended) return;
  }
  source->next_input_byte += left;
  source->bytes_in_buffer -= left;
}

static void end(j_decompress_ptr object) { (void)object; }

void wi_jpeg_continue_source(wi_jpeg_object *state, uint64_t position, uint64_t limit) {
  state->position = position;
  state->limit = limit;
  state->source.bytes_in_buffer = 0;
}

void wi_jpeg_install_source(wi_jpeg_object *state, uint64_t position, uint64_t limit) {
  state->source.init_source = start;
  state->source.fill_input_buffer = fill;
  state->source.skip_input_data = skip;
  state->source.resync_to_restart = jpeg_resync_to_restart;
  state->source.term_source = end;
  state->object.src = &state->source;
  wi_jpeg_continue_source(state, position, limit);
}
