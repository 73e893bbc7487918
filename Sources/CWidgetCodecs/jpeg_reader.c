// JPEG through libjpeg-turbo.
//
// No longjmp passes a frame that is not this target's: each public call sets
// the fence anew, and all state that outlives it is in `wi_jpeg`, on the heap.
#include "jpeg_state.h"

#include <string.h>

static const wi_reader_calls calls;

static wi_jpeg *state_of(wi_reader *reader) { return (wi_jpeg *)reader; }

// Called by libjpeg now and then; while scans are gathered once a row of MCUs.
static void on_progress(j_common_ptr object) {
  wi_jpeg *jpeg = (wi_jpeg *)((char *)object - offsetof(wi_jpeg, object));
  const struct jpeg_decompress_struct *decoder = &jpeg->object;
  if (decoder->input_scan_number == jpeg->counted_scan) return;
  jpeg->counted_scan = decoder->input_scan_number;
  if (jpeg->counted_scan > 0 && (uint32_t)jpeg->counted_scan > jpeg->max_scans) {
    wi_fail(&jpeg->base.failure, WI_CORRUPT, "the JPEG has more than %u scans",
            jpeg->max_scans);
    wi_jpeg_leave(jpeg);
  }
  for (int i = 0; i < decoder->comps_in_scan; i++) {
    int index = decoder->cur_comp_info[i]->component_index;
    if (index >= 0 && index < MAX_COMPONENTS) jpeg->component_scans[index]++;
  }
}

static wi_status choose_output(wi_jpeg *jpeg) {
  struct jpeg_decompress_struct *object = &jpeg->object;
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
  object->dct_method = JDCT_ISLOW;
  object->do_fancy_upsampling = TRUE;
  object->do_block_smoothing = FALSE;
  jpeg_calc_output_dimensions(object);
  rows->width = object->output_width;
  rows->height = object->output_height;
  rows->bits = 8;
  if (object->out_color_space == JCS_CMYK) {
    jpeg->cmyk = wi_allocate_zeroed(&jpeg->base.memory, object->output_width, 4,
                                    &jpeg->base.failure);
  }
  return jpeg->base.failure.status;
}

static void read_header(wi_jpeg *jpeg, uint64_t offset, uint32_t shrink) {
  if (_setjmp(jpeg->fence)) return;
  struct jpeg_decompress_struct *object = &jpeg->object;
  jpeg_create_decompress(object);
  jpeg->created = true;
  wi_jpeg_memory_install(&jpeg->memory, (j_common_ptr)object, &jpeg->base.memory,
                         &jpeg->base.failure);
  wi_jpeg_install_source(jpeg, offset);
  jpeg_read_header(object, TRUE);
  object->scale_num = 1;
  object->scale_denom = shrink;
  choose_output(jpeg);
}

wi_reader *wi_jpeg_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                        const wi_reader_options *options, wi_failure *failure) {
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
  jpeg->max_scans = options->max_scans ? options->max_scans : 500;
  wi_jpeg_install_messages(jpeg);
  read_header(jpeg, offset, shrink);
  if (jpeg->base.failure.status == WI_OK) return &jpeg->base;
  *failure = jpeg->base.failure;
  wi_reader_close(&jpeg->base);
  return NULL;
}

// True when each coefficient came with all its bits.
static bool is_complete(const wi_jpeg *jpeg) {
  const struct jpeg_decompress_struct *object = &jpeg->object;
  for (int i = 0; i < object->num_components; i++) {
    if (jpeg->component_scans[i] == 0) return false;
    if (!object->progressive_mode || !object->coef_bits) continue;
    for (int k = 0; k < DCTSIZE2; k++) {
      if (object->coef_bits[i][k] != 0) return false;
    }
  }
  return true;
}

// Whether scans that are there can do without the rest: the input ended between
// them, where libjpeg fails. An EOI in the place of what could not be read makes
// it go on.
static bool does_without_rest(wi_jpeg *jpeg) {
  wi_failure *failure = &jpeg->base.failure;
  if (!jpeg->allow_truncated || jpeg->gave_up || jpeg->counted_scan == 0) return false;
  if (!jpeg->input_ended || failure->status != WI_TRUNCATED) return false;
  memset(failure, 0, sizeof *failure);
  jpeg->gave_up = true;
  jpeg->base.notes |= WI_NOTE_FILLED;
  jpeg->object.unread_marker = JPEG_EOI;
  jpeg->source.bytes_in_buffer = 0;
  return true;
}

// Begins decoding; of multi-scan files all scans are read here.
static wi_status start(wi_jpeg *jpeg) {
  struct jpeg_decompress_struct *object = &jpeg->object;
  jpeg->started = true;
  jpeg->progress.progress_monitor = on_progress;
  object->progress = &jpeg->progress;
  if (_setjmp(jpeg->fence) && !does_without_rest(jpeg)) return jpeg->base.failure.status;
  bool gathers = jpeg_has_multiple_scans(object);
  jpeg_start_decompress(object);
  if (gathers && jpeg->input_ended && !is_complete(jpeg)) wi_jpeg_pixels_missing(jpeg);
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
  if (!jpeg->started && start(jpeg)) return jpeg->base.failure.status;
  if (_setjmp(jpeg->fence)) return jpeg->base.failure.status;
  JSAMPROW target = jpeg->cmyk ? jpeg->cmyk : row;
  if (jpeg_read_scanlines(&jpeg->object, &target, 1) != 1) {
    return wi_fail(&reader->failure, WI_CORRUPT, "the JPEG decoder gave no row");
  }
  if (jpeg->cmyk) to_rgb(jpeg->cmyk, row, reader->rows.width, jpeg->is_inverted);
  return WI_OK;
}

// One byte tells whether something follows the image.
static wi_status note_what_follows(wi_jpeg *jpeg) {
  size_t got = jpeg->source.bytes_in_buffer;
  if (got == 0) {
    wi_input_read(jpeg->input, jpeg->position, jpeg->buffer, 1, &got, &jpeg->base.failure);
  }
  if (got > 0) jpeg->base.notes |= WI_NOTE_TRAILING_BYTES;
  return jpeg->base.failure.status;
}

static wi_status finish(wi_reader *reader) {
  wi_jpeg *jpeg = state_of(reader);
  if (_setjmp(jpeg->fence)) {
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
  jpeg_finish_decompress(&jpeg->object);
  if (!jpeg->input_ended) return note_what_follows(jpeg);
  if (!(jpeg->base.notes & WI_NOTE_FILLED)) jpeg->base.notes |= WI_NOTE_TRAILER_MISSING;
  return WI_OK;
}

static void close_reader(wi_reader *reader) {
  wi_jpeg *jpeg = state_of(reader);
  if (jpeg->created && !_setjmp(jpeg->fence)) jpeg_destroy_decompress(&jpeg->object);
  wi_memory memory = reader->memory;
  wi_free(&memory, jpeg->cmyk);
  wi_free(&memory, jpeg);
}

static const wi_reader_calls calls = {next_row, finish, close_reader};
