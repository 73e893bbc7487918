// WebP through libwebp's incremental decoder, a few rows at a time.
//
// libwebp decodes into one buffer of the frame's size and from one buffer of
// the file's. Both are address ranges here of which only what is still needed
// takes memory: rows not yet handed out, bytes not yet consumed.
//
// Compressed bytes are shown to libwebp in steps. It decodes all that a step
// allows, so steps adapt to what they yield. But one byte can stand for a whole
// flat picture: rows without residuals cost none. Their runs are known from the
// first partition, and a pass of decoding ends where a run would not fit the
// window; the next pass decodes from the start again and gives what follows.
// Rows that come too early all the same are lost in the window's spill, and are
// a reason for a further pass too.
#include "reader.h"
#include "vp8_modes.h"
#include "webp_bytes.h"
#include "webp_window.h"

#include <string.h>
#include <webp/decode.h>

enum {
  kBlock = 32 * 1024,   // bytes shown at once where no row is wanted
  kLargestStep = 2048,  // bytes shown at once elsewhere, of VP8
  kPassLimit = 400,     // passes, before the file is called a bomb
  kFrameTag = 10,       // bytes of a VP8 frame before its first partition
  // libwebp holds a macroblock that needs more than 4,096 bytes for damaged, so
  // when it stops for want of bytes, those before the last 4,096 are consumed.
  kVP8Tail = 4096 + 64,
  // A pass is cropped two rows wider than it is used: at the edges of a crop
  // libwebp interpolates chroma without the neighbours.
  kMargin = 2,
};

typedef struct webp_reader {
  wi_reader base;
  wi_webp_frame frame;
  bool allow_truncated;
  size_t stride;
  size_t reserved;
  WebPIDecoder *_Nullable decoder;
  WebPDecoderConfig config;  // libwebp keeps its address
  wi_window rows;
  wi_webp_bytes bytes;
  size_t shown;              // payload bytes that libwebp was shown
  size_t safe;               // `shown` before the last step
  size_t step;
  uint32_t ready;            // rows below this one are valid or handed out
  uint32_t decoded;          // rows of this pass and before it that were given
  uint32_t pass_top;         // first row of this pass' crop
  uint32_t pass_end;         // first row that this pass does not give
  uint32_t passes;
  bool complete;             // libwebp is done with the frame
  bool knows_rows;
  uint8_t empty[WI_VP8_MAX_BLOCKS];  // by row of macroblocks: no residuals
  wi_failure pending;        // what went wrong after the rows that are ready
} webp_reader;

// MARK: Compressed bytes

// Bytes of the payload, from its start, that libwebp reads until the end.
static size_t kept_head(const webp_reader *reader) {
  if (reader->frame.keeps_all) return reader->frame.image_bytes;
  if (!reader->frame.lossless) return reader->frame.head_bytes;
  return reader->decoded > 0 ? 0 : reader->frame.image_bytes;
}

// Bytes before the last one shown that libwebp may go back to.
static size_t kept_tail(const webp_reader *reader) {
  if (!reader->frame.lossless) return kVP8Tail;
  // It goes back to its last check-point, at most nine rows before, and a
  // pixel takes at most four codes of 15 bits.
  return (size_t)reader->frame.width * 72 + 4096;
}

// Bytes without which no row can come.
static size_t head(const webp_reader *reader) {
  size_t bytes = reader->frame.head_bytes;
  // libwebp does not look at a lossless image before an eighth of it is there.
  if (reader->frame.lossless && bytes < reader->frame.image_bytes / 8) {
    bytes = reader->frame.image_bytes / 8;
  }
  return bytes;
}

// MARK: Passes

// Rows of a run that may come at once. A run that a pass begins with finds the
// window empty but for what the loop filter held back; elsewhere the window
// moves in lumps, and holds rows of the step that the run came with.
static uint32_t rows_at_once(const webp_reader *reader, bool at_start) {
  uint32_t rows = (uint32_t)(reader->rows.window / reader->stride);
  return (at_start ? rows - 24 : rows * 5 / 8) & ~1u;
}

// Where a pass that gives rows from `from` on must end.
static uint32_t end_of_pass(const webp_reader *reader, uint32_t from) {
  uint32_t height = reader->frame.height;
  if (!reader->knows_rows) return height;
  uint32_t run = 0;  // rows of pixels that came without a byte, up to here
  uint32_t most = rows_at_once(reader, from > 0);
  for (uint32_t row = from / 16; row * 16 < height; row++) {
    uint32_t start = row * 16 < from ? from : row * 16;
    run = reader->empty[row] ? run + row * 16 + 16 - start : 0;
    if (run == 0) most = rows_at_once(reader, false);
    if (run > most) return row * 16 + 16 - run + most;
  }
  return height;
}

static void find_empty_rows(webp_reader *reader) {
  const wi_webp_frame *frame = &reader->frame;
  const uint8_t *payload = reader->bytes.base + reader->bytes.payload;
  // Where all rows fit, or libwebp will refuse, there is nothing to know.
  if (frame->lossless || reader->rows.window >= reader->rows.total ||
      reader->bytes.loaded < frame->head_bytes || frame->head_bytes <= kFrameTag) {
    return;
  }
  size_t first = (size_t)(payload[0] >> 5 | payload[1] << 3 | payload[2] << 11);
  if (first > frame->head_bytes - kFrameTag) return;
  wi_vp8_empty_rows(payload + kFrameTag, first, (frame->width + 15) / 16,
                    (frame->height + 15) / 16, reader->empty);
  reader->knows_rows = true;
}

static wi_status start_pass(webp_reader *reader) {
  wi_failure *failure = &reader->base.failure;
  const wi_webp_frame *frame = &reader->frame;
  uint32_t from = reader->ready & ~1u;
  reader->pass_top = from > kMargin ? from - kMargin : 0;
  reader->pass_end = end_of_pass(reader, from);
  uint32_t bottom = frame->height - reader->pass_end > kMargin ? reader->pass_end + kMargin
                                                              : frame->height;
  if (!WebPInitDecoderConfig(&reader->config)) {
    return wi_fail(failure, WI_UNSUPPORTED, "libwebp's version does not match its header");
  }
  if (reader->pass_top > 0 || bottom < frame->height) {
    reader->config.options.use_cropping = 1;
    reader->config.options.crop_top = (int)reader->pass_top;
    reader->config.options.crop_width = (int)frame->width;
    reader->config.options.crop_height = (int)(bottom - reader->pass_top);
  }
  WebPDecBuffer *output = &reader->config.output;
  output->colorspace = frame->has_alpha ? MODE_RGBA : MODE_RGB;
  output->is_external_memory = 1;
  output->u.RGBA.rgba = reader->rows.base + reader->stride * reader->pass_top;
  output->u.RGBA.stride = (int)reader->stride;
  output->u.RGBA.size = reader->stride * (bottom - reader->pass_top);
  reader->decoder = WebPIDecode(NULL, 0, &reader->config);
  if (!reader->decoder) return wi_fail(failure, WI_OUT_OF_MEMORY, "libwebp gets no memory");
  reader->complete = false;
  reader->shown = reader->safe = 0;
  reader->decoded = reader->pass_top;
  return WI_OK;
}

// MARK: Steps

static void note_failure(webp_reader *reader, VP8StatusCode status) {
  wi_failure *pending = &reader->pending;
  switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
      wi_fail(pending, WI_OUT_OF_MEMORY, "libwebp gets no memory");
      break;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      wi_fail(pending, WI_UNSUPPORTED, "the WebP uses a feature that libwebp does not read");
      break;
    default:
      wi_fail(pending, WI_CORRUPT, "the WebP's pixel data is damaged at row %u",
              reader->decoded);
  }
}

// Shows libwebp the payload's first `shown` bytes.
static void show(webp_reader *reader, size_t shown) {
  reader->safe = reader->shown;
  reader->shown = shown;
  VP8StatusCode status =
      WebPIUpdate(reader->decoder, reader->bytes.base, reader->bytes.payload + shown);
  int last = 0;
  if (WebPIDecGetRGB(reader->decoder, &last, NULL, NULL, NULL) && last > 0) {
    uint32_t rows = reader->pass_top + (uint32_t)last;
    reader->decoded = rows < reader->pass_end ? rows : reader->pass_end;
  }
  reader->complete = status == VP8_STATUS_OK;
  if (status != VP8_STATUS_OK && status != VP8_STATUS_SUSPENDED) note_failure(reader, status);
  size_t tail = kept_tail(reader);
  if (shown > tail) {
    wi_webp_bytes_give_back(&reader->bytes, kept_head(reader), shown - tail);
  }
}

// A lossless step begins up to eight rows back, so it must yield many.
static size_t largest_step(const webp_reader *reader) {
  if (!reader->frame.lossless) return kLargestStep;
  size_t part = reader->frame.image_bytes / 16;
  return part > kBlock ? part : kBlock;
}

static void adapt(webp_reader *reader, size_t came) {
  size_t window = reader->rows.window, most = largest_step(reader);
  if (came > window / 2) {
    reader->step = reader->step > 8 ? reader->step / 8 : 1;
  } else if (came > window / 4) {
    reader->step = reader->step > 2 ? reader->step / 2 : 1;
  } else if (came < window / 8) {
    reader->step = reader->step < most / 2 ? reader->step * 2 : most;
  }
}

// The step that should fill a quarter of the window, were the rows all alike.
static size_t first_step(const webp_reader *reader) {
  uint64_t rest = reader->frame.image_bytes - reader->frame.head_bytes;
  uint64_t frame = (uint64_t)reader->stride * reader->frame.height;
  uint64_t step = rest * (reader->rows.window / 4) / frame;
  size_t most = largest_step(reader);
  return step < 1 ? 1 : step > most ? most : (size_t)step;
}

static wi_status show_head(webp_reader *reader) {
  size_t wanted = head(reader);
  if (wanted < reader->frame.image_bytes) wanted++;
  if (wi_webp_bytes_load(&reader->bytes, wanted, kept_head(reader), &reader->base.failure)) {
    return reader->base.failure.status;
  }
  if (reader->passes == 0) {
    find_empty_rows(reader);
    reader->passes = 1;
    if (start_pass(reader)) return reader->base.failure.status;
  }
  show(reader, wanted < reader->bytes.loaded ? wanted : reader->bytes.loaded);
  return WI_OK;
}

// One step: shows more bytes and counts what came.
static wi_status advance(webp_reader *reader) {
  if (reader->shown == 0) return show_head(reader);
  size_t step = reader->step;
  // The tables of a lossless image are read from their start each time.
  bool is_table = reader->frame.lossless && reader->decoded == reader->pass_top;
  if (is_table && step < reader->shown / 4) step = reader->shown / 4;
  size_t left = reader->frame.image_bytes - reader->shown;
  size_t wanted = reader->shown + (step < left ? step : left);
  if (wi_webp_bytes_load(&reader->bytes, wanted, kept_head(reader), &reader->base.failure)) {
    return reader->base.failure.status;
  }
  uint32_t before = reader->decoded;
  show(reader, wanted < reader->bytes.loaded ? wanted : reader->bytes.loaded);
  adapt(reader, reader->stride * (reader->decoded - before));
  return WI_OK;
}

// Decodes from the start once more, up to where the last pass stood.
static wi_status next_pass(webp_reader *reader) {
  wi_failure *failure = &reader->base.failure;
  if (!wi_input_is_seekable(reader->bytes.input) || ++reader->passes > kPassLimit) {
    failure->needed = (uint64_t)reader->stride * (reader->frame.height - reader->ready);
    return wi_fail(failure, WI_OVER_BUDGET, "this WebP yields too many rows at once");
  }
  size_t target = reader->safe;
  WebPIDelete(reader->decoder);
  reader->decoder = NULL;
  reader->pending = (wi_failure){0};
  wi_webp_bytes_rewind(&reader->bytes);
  if (start_pass(reader) ||
      wi_window_move(&reader->rows, reader->stride * reader->pass_top, true, failure)) {
    return failure->status;
  }
  while (reader->shown < target && !reader->pending.status && !reader->complete) {
    size_t next = reader->shown + kBlock < target ? reader->shown + kBlock : target;
    if (reader->shown == 0 && next < head(reader)) next = head(reader);
    if (wi_webp_bytes_load(&reader->bytes, next, kept_head(reader), failure)) {
      return failure->status;
    }
    if (reader->bytes.loaded < next) break;
    show(reader, next);
  }
  return WI_OK;
}

// Decodes until a row is ready, or no more can come.
static wi_status more_rows(webp_reader *reader) {
  wi_failure *failure = &reader->base.failure;
  if (reader->decoded > reader->ready) {
    // Rows were lost in the spill: smaller steps.
    reader->step = reader->step > 16 ? reader->step / 16 : 1;
    if (next_pass(reader)) return failure->status;
  } else if (reader->ready == reader->pass_end && next_pass(reader)) {
    return failure->status;
  }
  size_t done = reader->stride * reader->ready;
  if (reader->decoded <= reader->ready && done > reader->rows.start + reader->rows.window / 8 &&
      wi_window_move(&reader->rows, done, false, failure)) {
    return failure->status;
  }
  while (reader->decoded <= reader->ready) {
    if (reader->complete || reader->pending.status) return WI_OK;
    if (reader->bytes.exhausted && reader->shown == reader->bytes.loaded) return WI_OK;
    if (advance(reader)) return failure->status;
  }
  size_t backed = reader->rows.end / reader->stride;
  reader->ready = reader->decoded < backed ? reader->decoded : (uint32_t)backed;
  return WI_OK;
}

static wi_status frame_row(webp_reader *reader, uint32_t y, uint8_t *row) {
  wi_failure *failure = &reader->base.failure;
  if (y >= reader->ready && more_rows(reader)) return failure->status;
  if (y < reader->ready) {
    memcpy(row, reader->rows.base + reader->stride * y, reader->stride);
    return WI_OK;
  }
  if (reader->pending.status) {
    return wi_fail(failure, reader->pending.status, "%s", reader->pending.message);
  }
  if (!reader->allow_truncated) {
    return wi_fail(failure, WI_TRUNCATED, "the WebP ends after %u of %u rows", y,
                   reader->frame.height);
  }
  reader->base.notes |= WI_NOTE_FILLED;
  memset(row, 0, reader->stride);
  return WI_OK;
}

// MARK: The reader's calls

static wi_status webp_next_row(wi_reader *base, uint8_t *row) {
  webp_reader *reader = (webp_reader *)base;
  const wi_webp_frame *frame = &reader->frame;
  size_t row_bytes = (size_t)base->rows.width * base->rows.channels;
  if (reader->stride == row_bytes && frame->height == base->rows.height) {
    return frame_row(reader, base->next, row);
  }
  memset(row, 0, row_bytes);
  if (base->next < frame->y || base->next - frame->y >= frame->height) return WI_OK;
  return frame_row(reader, base->next - frame->y, row + (size_t)frame->x * base->rows.channels);
}

static wi_status webp_finish(wi_reader *base) {
  webp_reader *reader = (webp_reader *)base;
  int64_t length = wi_input_length(reader->bytes.input);
  // The end that RIFF or the last chunk states: a pad byte or metadata may be
  // cut off while every pixel is there.
  uint64_t end = reader->frame.end_offset;
  if (length >= 0 && (uint64_t)length < end) {
    if (!(base->notes & WI_NOTE_FILLED)) base->notes |= WI_NOTE_TRAILER_MISSING;
  } else if (length >= 0 && (uint64_t)length > end) {
    base->notes |= WI_NOTE_TRAILING_BYTES;
  }
  return WI_OK;
}

static void webp_close(wi_reader *base) {
  webp_reader *reader = (webp_reader *)base;
  wi_memory memory = base->memory;
  if (reader->decoder) WebPIDelete(reader->decoder);
  wi_window_close(&reader->rows);
  wi_webp_bytes_close(&reader->bytes);
  wi_release(&memory, reader->reserved);
  wi_free(&memory, reader);
}

static const wi_reader_calls kCalls = {webp_next_row, webp_finish, webp_close};

static wi_status check(const wi_webp_frame *frame, wi_failure *failure) {
  bool inside = frame->width > 0 && frame->height > 0 && frame->width <= 16384 &&
                frame->height <= 16384 && frame->x <= frame->canvas_width &&
                frame->y <= frame->canvas_height &&
                frame->width <= frame->canvas_width - frame->x &&
                frame->height <= frame->canvas_height - frame->y;
  bool plain = frame->width == frame->canvas_width && frame->height == frame->canvas_height;
  if (!inside || frame->canvas_width > 1u << 24 || (!plain && !frame->has_alpha) ||
      frame->image_bytes == 0 || frame->head_bytes > frame->image_bytes) {
    return wi_fail(failure, WI_MISUSE, "the WebP frame's description makes no sense");
  }
  return WI_OK;
}

static wi_status prepare(webp_reader *reader, wi_input *input) {
  const wi_webp_frame *frame = &reader->frame;
  wi_failure *failure = &reader->base.failure;
  uint32_t channels = frame->has_alpha ? 4 : 3;
  reader->stride = (size_t)frame->width * channels;
  reader->base.rows = (wi_rows){frame->canvas_width, frame->canvas_height, channels, 8};
  reader->pass_end = frame->height;
  size_t all = frame->window_bytes;
  if (__builtin_add_overflow(all, frame->spill_bytes, &all) ||
      __builtin_add_overflow(all, frame->input_bytes, &all) ||
      __builtin_add_overflow(all, frame->library_bytes, &all)) {
    return wi_fail(failure, WI_OVER_BUDGET, "a size does not fit the address space");
  }
  if (wi_reserve(&reader->base.memory, all, failure)) return failure->status;
  reader->reserved = all;
  // At most 2^14 rows of 2^16 bytes: no overflow.
  if (wi_window_open(&reader->rows, reader->stride * frame->height, frame->window_bytes,
                     frame->spill_bytes, failure)) {
    return failure->status;
  }
  if (reader->rows.window < reader->rows.total &&
      reader->rows.window < 32 * reader->stride + reader->rows.page) {
    return wi_fail(failure, WI_MISUSE, "a window of less than 32 rows");
  }
  reader->step = first_step(reader);
  return wi_webp_bytes_open(&reader->bytes, input, frame, &reader->base.memory, failure);
}

wi_reader *wi_webp_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                        const wi_reader_options *options, wi_failure *failure) {
  (void)offset;  // the frame's offsets count from the input's start
  if (check(&options->webp, failure)) return NULL;
  webp_reader *reader = wi_allocate_zeroed(memory, 1, sizeof *reader, failure);
  if (!reader) return NULL;
  reader->base.calls = &kCalls;
  reader->base.memory = *memory;
  reader->rows.spill_descriptor = -1;
  reader->frame = options->webp;
  reader->allow_truncated = options->allow_truncated;
  if (prepare(reader, input) == WI_OK) return &reader->base;
  *failure = reader->base.failure;
  webp_close(&reader->base);
  return NULL;
}
