// JPEG through libjpeg-turbo.
//
// No longjmp passes a frame that is not this target's: each public call sets
// the fence anew, and all state that outlives it is in `wi_jpeg`, on the heap.
#include "jpeg_state.h"

#include <string.h>

static const wi_reader_calls calls;

static wi_jpeg *state_of(wi_reader *reader) { return (wi_jpeg *)reader; }

void wi_jpeg_set_output(struct jpeg_decompress_struct *object, uint32_t shrink) {
  object->scale_num = 1;
  object->scale_denom = shrink;
  object->dct_method = JDCT_ISLOW;
  object->do_fancy_upsampling = TRUE;
  object->do_block_smoothing = FALSE;
  jpeg_calc_output_dimensions(object);
}

static wi_status choose_output(wi_jpeg *jpeg, uint32_t shrink) {
  struct jpeg_decompress_struct *object = &jpeg->main.object;
  wi_rows *rows = &jpeg->base.rows;
  switch (object->num_components) {
  case 1:
    object->out_color_space = JCS_GRAYSCALE;
    rows->channels = 1;
    break;
  case 3:
    object->out_color_space = JCS_RGB;
    rows->channels = 3;
    break;
  case 4:
    object->out_color_space = JCS_CMYK;
    rows->channels = 3;
    // Adobe writes ink as 255 minus its amount; without its marker 255 is full
    // ink.
    jpeg->is_inverted = object->saw_Adobe_marker;
    break;
  default:
    return wi_fail(&jpeg->base.failure, WI_UNSUPPORTED,
                   "JPEG with %d components is not supported", object->num_components);
  }
  wi_jpeg_set_output(object, shrink);
  rows->width = object->output_width;
  rows->height = object->output_height;
  rows->bits = 8;
  if (object->out_color_space == JCS_CMYK) {
    jpeg->cmyk = wi_allocate_zeroed(&jpeg->base.memory, object->output_width, 4,
                                    &jpeg->base.failure);
  }
  return jpeg->base.failure.status;
}

static void open_only_scan(wi_jpeg *jpeg, uint64_t offset) {
  wi_jpeg_object *main = &jpeg->main;
  jpeg_create_decompress(&main->object);
  main->created = true;
  wi_jpeg_memory_install(&main->memory, (j_common_ptr)&main->object, &jpeg->base.memory,
                         jpeg->lane.failure);
  wi_jpeg_install_source(main, offset, UINT64_MAX);
  jpeg_read_header(&main->object, TRUE);
  if (!jpeg_has_multiple_scans(&main->object)) return;
  if (wi_input_is_seekable(jpeg->input)) {
    wi_fail(jpeg->lane.failure, WI_CORRUPT, "the JPEG's scans can't be told apart");
  } else {
    wi_fail(jpeg->lane.failure, WI_NEEDS_FILE,
            "the JPEG has several scans, which are read side by side, and the pipe is longer "
            "than what is held of one; give a file");
  }
  wi_jpeg_leave(main);
}

static void open_all(wi_jpeg *jpeg, uint64_t offset, const wi_jpeg_layout *_Nullable layout,
                     uint32_t shrink, bool on_two_threads) {
  if (_setjmp(jpeg->lane.fence)) return;
  if (layout && layout->count > 0) {
    wi_jpeg_open_scans(jpeg, offset, layout, shrink, on_two_threads);
  } else {
    open_only_scan(jpeg, offset);
  }
  choose_output(jpeg, shrink);
}

wi_reader *wi_jpeg_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                        const wi_reader_options *options, const wi_jpeg_layout *layout,
                        wi_failure *failure) {
  if (failure->status) return NULL;
  uint32_t shrink = options->shrink ? options->shrink : 1;
  if (shrink > 8 || (shrink & (shrink - 1))) {
    wi_fail(failure, WI_MISUSE, "a JPEG can't be shrunk by %u", shrink);
    return NULL;
  }
  wi_jpeg *jpeg = wi_allocate_zeroed(memory, 1, sizeof *jpeg, failure);
  if (!jpeg) return NULL;
  jpeg->base.calls = &calls;
  jpeg->base.memory = *memory;
  jpeg->input = input;
  jpeg->allow_truncated = options->allow_truncated;
  jpeg->lane.failure = &jpeg->base.failure;
  jpeg->lane.notes = &jpeg->base.notes;
  jpeg->main.reader = jpeg;
  jpeg->main.lane = &jpeg->lane;
  jpeg->main.buffer = jpeg->buffer;
  jpeg->main.buffer_bytes = sizeof jpeg->buffer;
  wi_jpeg_install_messages(&jpeg->main);
  const uint32_t most = options->max_scans ? options->max_scans : WI_JPEG_MOST_SCANS;
  if (layout && layout->count > most) {
    wi_fail(&jpeg->base.failure, WI_CORRUPT, "the JPEG has more than %u scans", most);
  } else {
    open_all(jpeg, offset, layout, shrink, options->threads > 1);
  }
  if (layout && jpeg->in_lockstep && jpeg->base.failure.status == WI_OK) {
    wi_jpeg_check_tail(jpeg, layout->ends[layout->count - 1]);
  }
  if (jpeg->base.failure.status == WI_OK) return &jpeg->base;
  *failure = jpeg->base.failure;
  wi_reader_close(&jpeg->base);
  return NULL;
}

static wi_status start(wi_jpeg *jpeg) {
  if (_setjmp(jpeg->lane.fence)) return jpeg->base.failure.status;
  jpeg->main.started = true;
  if (jpeg->in_lockstep) {
    wi_jpeg_start_scans(jpeg);
  } else {
    jpeg_start_decompress(&jpeg->main.object);
  }
  return WI_OK;
}

// Ink to light, the naive way; `a` and `b` are shares of light here.
static uint8_t product(uint32_t a, uint32_t b) { return (uint8_t)((a * b + 127) / 255); }

static void to_rgb(const uint8_t *cmyk, uint8_t *rgb, uint32_t width, bool inverted) {
  const uint8_t flip = inverted ? 0 : 255;
  for (uint32_t x = 0; x < width; x++, cmyk += 4, rgb += 3) {
    uint8_t key = cmyk[3] ^ flip;
    for (int i = 0; i < 3; i++) rgb[i] = product(cmyk[i] ^ flip, key);
  }
}

static wi_status next_row(wi_reader *reader, uint8_t *row) {
  wi_jpeg *jpeg = state_of(reader);
  if (!jpeg->main.started && start(jpeg)) return jpeg->base.failure.status;
  if (_setjmp(jpeg->lane.fence)) return jpeg->base.failure.status;
  JSAMPROW target = jpeg->cmyk ? jpeg->cmyk : row;
  if (jpeg_read_scanlines(&jpeg->main.object, &target, 1) != 1) {
    return wi_fail(&reader->failure, WI_CORRUPT, "the JPEG decoder gave no row");
  }
  if (jpeg->cmyk) to_rgb(jpeg->cmyk, row, reader->rows.width, jpeg->is_inverted);
  return WI_OK;
}

// One byte tells whether something follows the image.
static wi_status note_what_follows(wi_jpeg *jpeg) {
  size_t got = jpeg->main.source.bytes_in_buffer;
  if (got == 0) {
    wi_input_read(jpeg->input, jpeg->main.position, jpeg->buffer, 1, &got, &jpeg->base.failure);
  }
  if (got > 0) jpeg->base.notes |= WI_NOTE_TRAILING_BYTES;
  return jpeg->base.failure.status;
}

// What follows the scans was looked at beforehand; what is left is the end of
// the last scan's own data.
static wi_status finish_scans(wi_jpeg *jpeg) {
  wi_jpeg_stop_worker(jpeg);
  jpeg_consume_input(&jpeg->main.object);
  if (jpeg->has_trailing) jpeg->base.notes |= WI_NOTE_TRAILING_BYTES;
  if (jpeg->lacks_end && !(jpeg->base.notes & WI_NOTE_FILLED)) {
    jpeg->base.notes |= WI_NOTE_TRAILER_MISSING;
  }
  return WI_OK;
}

static wi_status finish(wi_reader *reader) {
  wi_jpeg *jpeg = state_of(reader);
  if (_setjmp(jpeg->lane.fence)) {
    // Every row was decoded: what libjpeg finds fault with stands behind them.
    wi_failure *failure = &jpeg->base.failure;
    if (failure->status == WI_CORRUPT || failure->status == WI_UNSUPPORTED) {
      memset(failure, 0, sizeof *failure);
      jpeg->base.notes |= WI_NOTE_DAMAGED;
    } else if (failure->status == WI_TRUNCATED) {
      memset(failure, 0, sizeof *failure);
      jpeg->base.notes |= WI_NOTE_TRAILER_MISSING;
    }
    return failure->status;
  }
  if (jpeg->in_lockstep) return finish_scans(jpeg);
  jpeg_finish_decompress(&jpeg->main.object);
  if (!jpeg->main.input_ended) return note_what_follows(jpeg);
  if (!(jpeg->base.notes & WI_NOTE_FILLED)) jpeg->base.notes |= WI_NOTE_TRAILER_MISSING;
  return WI_OK;
}

void wi_jpeg_destroy(wi_jpeg_object *state) {
  if (state->created && !_setjmp(state->lane->fence)) jpeg_destroy_decompress(&state->object);
  state->created = false;
}

static void close_reader(wi_reader *reader) {
  wi_jpeg *jpeg = state_of(reader);
  wi_jpeg_close_scans(jpeg);
  wi_jpeg_destroy(&jpeg->main);
  wi_memory memory = reader->memory;
  wi_free(&memory, jpeg->cmyk);
  wi_free(&memory, jpeg);
}

static const wi_reader_calls calls = {next_row, finish, close_reader};
