// libjpeg's source manager over an input.
#include "jpeg_state.h"

static wi_jpeg *state_of(j_decompress_ptr object) {
  return (wi_jpeg *)((char *)object - offsetof(wi_jpeg, object));
}

static void start(j_decompress_ptr object) { (void)object; }

// Arithmetic decoding can't tell whether it lacks data: a coder leaves zeros at
// the end away, the decoder adds them for ever. So it is judged by place: the
// input must not end before the last row of blocks is being read.
static bool arithmetic_is_cut(const wi_jpeg *jpeg) {
  const struct jpeg_decompress_struct *object = &jpeg->object;
  return jpeg->started && object->arith_code &&
         object->input_iMCU_row + 1 < object->total_iMCU_rows;
}

static boolean fill(j_decompress_ptr object) {
  wi_jpeg *jpeg = state_of(object);
  size_t got = 0;
  if (!jpeg->input_ended) {
    wi_status status = wi_input_read(jpeg->input, jpeg->position, jpeg->buffer,
                                     sizeof jpeg->buffer, &got, &jpeg->base.failure);
    if (status) wi_jpeg_leave(jpeg);
  }
  if (got > 0) {
    jpeg->position += got;
    jpeg->source.next_input_byte = jpeg->buffer;
    jpeg->source.bytes_in_buffer = got;
    return TRUE;
  }
  bool first = !jpeg->input_ended;
  jpeg->input_ended = true;
  // libjpeg stops at an EOI wherever it is; without one it would ask for ever.
  jpeg->made_up_end[0] = 0xFF;
  jpeg->made_up_end[1] = JPEG_EOI;
  jpeg->source.next_input_byte = jpeg->made_up_end;
  jpeg->source.bytes_in_buffer = sizeof jpeg->made_up_end;
  if (first && arithmetic_is_cut(jpeg)) wi_jpeg_pixels_missing(jpeg);
  return TRUE;
}

static void skip(j_decompress_ptr object, long count) {
  wi_jpeg *jpeg = state_of(object);
  struct jpeg_source_mgr *source = &jpeg->source;
  if (count <= 0) return;
  uint64_t left = (uint64_t)count;
  if (left > source->bytes_in_buffer && !jpeg->input_ended) {
    uint64_t target = jpeg->position + (left - source->bytes_in_buffer);
    int64_t rereadable = wi_input_rereadable_length(jpeg->input);
    if (wi_input_is_seekable(jpeg->input) || target <= (uint64_t)rereadable) {
      jpeg->position = target;
      source->bytes_in_buffer = 0;
      return;
    }
  }
  while (left > source->bytes_in_buffer) {
    left -= source->bytes_in_buffer;
    fill(object);
    // A made-up EOI stands for all the rest.
    if (jpeg->input_ended) return;
  }
  source->next_input_byte += left;
  source->bytes_in_buffer -= left;
}

static void end(j_decompress_ptr object) { (void)object; }

void wi_jpeg_install_source(wi_jpeg *jpeg, uint64_t offset) {
  jpeg->position = offset;
  jpeg->source.init_source = start;
  jpeg->source.fill_input_buffer = fill;
  jpeg->source.skip_input_data = skip;
  jpeg->source.resync_to_restart = jpeg_resync_to_restart;
  jpeg->source.term_source = end;
  jpeg->object.src = &jpeg->source;
}
