// WebP through libwebp's incremental decoder, a few rows at a time.
//
// libwebp decodes into one buffer of the frame's size and from one buffer of
// the file's. Both are address ranges here of which only what is still needed
// is backed by memory: rows not yet handed out, bytes not yet consumed.
//
// Compressed bytes are shown to libwebp in steps. It decodes all that a step
// allows, so steps adapt to what they yield. A step may still yield more rows
// than the window holds: one byte can stand for a whole flat picture. Rows past
// the window are lost then, and the stream is decoded again from its start with
// the window further down.
#include "reader.h"
#include "webp_window.h"

#include <string.h>
#include <webp/decode.h>

enum {
  kReadBlock = 32 * 1024,  // bytes read from the input at once
  kLargestStep = 2048,     // bytes shown to libwebp at once, once rows come
  kPassLimit = 400,        // decodes from the start, before it is called a bomb
  // libwebp holds a macroblock that needs more than 4,096 bytes for damaged, so
  // when it stops for want of bytes, those before the last 4,096 are consumed.
  kVP8Tail = 4096 + 64,
  kRIFFHeader = 12,
  kChunkHeader = 8,
  kVP8XPayload = 10,
};

typedef struct webp_reader {
  wi_reader base;
  wi_input *input;
  wi_webp_frame frame;
  bool allow_truncated;
  size_t stride;
  size_t reserved;
  WebPIDecoder *_Nullable decoder;
  WebPDecBuffer output;
  wi_window rows;
  // The compressed range: a header of ours, the alpha chunk, the image chunk.
  uint8_t *_Nullable bytes;
  size_t bytes_total;
  size_t payload;        // where the image chunk's payload starts in it
  size_t loaded;         // payload bytes read from the input
  size_t shown;          // payload bytes that libwebp was shown
  size_t given_back;     // payload bytes whose memory was given back
  size_t input_reserved; // compressed bytes on the ledger
  size_t step;
  size_t safe;           // `shown` before the last step
  uint32_t ready;        // rows below this one are valid or handed out
  uint32_t decoded;      // rows that libwebp has given
  uint32_t passes;
  bool exhausted;        // every byte that exists was shown
  bool complete;         // libwebp is done with the frame
  wi_failure pending;    // what went wrong after the rows that are ready
} webp_reader;

// MARK: Compressed bytes

static void put_le32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static void put_le24(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 3; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint8_t *put_chunk(uint8_t *at, const char *name, uint32_t size) {
  memcpy(at, name, 4);
  put_le32(at + 4, size);
  return at + kChunkHeader;
}

static size_t padded(size_t size) { return size + (size & 1); }

// Reads `count` bytes at `offset`, skipping forward in a pipe where needed.
static wi_status read_at(webp_reader *reader, uint64_t offset, uint8_t *buffer, size_t count,
                         size_t *got) {
  wi_failure *failure = &reader->base.failure;
  *got = 0;
  while (*got < count) {
    size_t step = 0;
    if (wi_input_read(reader->input, offset + *got, buffer + *got, count - *got, &step,
                      failure)) {
      return failure->status;
    }
    if (step == 0) break;
    *got += step;
  }
  return WI_OK;
}

// A pipe is read forward only: what lies between two chunks is read and dropped.
static wi_status skip_to(webp_reader *reader, uint64_t offset) {
  wi_failure *failure = &reader->base.failure;
  uint64_t at = (uint64_t)wi_input_rereadable_length(reader->input);
  if (wi_input_is_seekable(reader->input)) return WI_OK;
  if (reader->frame.alpha_bytes > 0) {
    uint64_t end = reader->frame.alpha_offset + reader->frame.alpha_bytes;
    if (end > at) at = end;
  }
  uint8_t dropped[4096];
  while (at < offset) {
    size_t want = offset - at < sizeof dropped ? (size_t)(offset - at) : sizeof dropped;
    size_t got = 0;
    if (wi_input_read(reader->input, at, dropped, want, &got, failure)) return failure->status;
    if (got == 0) break;
    at += got;
  }
  return WI_OK;
}

// Builds the smallest file that holds the frame: nothing of the source's
// metadata, no lying sizes, no animation.
static wi_status lay_out(webp_reader *reader) {
  const wi_webp_frame *frame = &reader->frame;
  wi_failure *failure = &reader->base.failure;
  size_t alpha = frame->alpha_bytes;
  size_t payload = kRIFFHeader + kChunkHeader;
  if (alpha > 0) payload += kChunkHeader + kVP8XPayload + kChunkHeader + padded(alpha);
  size_t total;
  if (__builtin_add_overflow(payload, padded(frame->image_bytes), &total) ||
      total - kChunkHeader > UINT32_MAX - 10) {
    return wi_fail(failure, WI_CORRUPT, "a WebP chunk is larger than the format allows");
  }
  reader->payload = payload;
  reader->bytes_total = total;
  reader->bytes = wi_pages_map(total, failure);
  if (!reader->bytes || wi_pages_use(reader->bytes, 0, payload, failure)) {
    return failure->status;
  }
  uint8_t *at = put_chunk(reader->bytes, "RIFF", (uint32_t)(total - kChunkHeader));
  memcpy(at, "WEBP", 4);
  at += 4;
  if (alpha > 0) {
    at = put_chunk(at, "VP8X", kVP8XPayload);
    at[0] = 0x10;
    put_le24(at + 4, frame->width - 1);
    put_le24(at + 7, frame->height - 1);
    at = put_chunk(at + kVP8XPayload, "ALPH", frame->alpha_bytes);
    size_t got;
    if (read_at(reader, frame->alpha_offset, at, alpha, &got)) return failure->status;
    if (got < alpha) {
      return wi_fail(failure, WI_TRUNCATED, "the file ends inside its alpha channel");
    }
    at += padded(alpha);
  }
  put_chunk(at, frame->lossless ? "VP8L" : "VP8 ", frame->image_bytes);
  return skip_to(reader, frame->image_offset);
}

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

static void give_back(webp_reader *reader) {
  size_t tail = kept_tail(reader), from = kept_head(reader);
  if (reader->shown <= tail) return;
  size_t page = reader->rows.page, to = reader->shown - tail;
  if (from < reader->given_back) from = reader->given_back;
  size_t first = (reader->payload + from + page - 1) / page * page;
  size_t end = (reader->payload + to) / page * page;
  if (end < first + 4 * page) return;
  wi_pages_discard(reader->bytes + first, end - first);
  reader->given_back = end - reader->payload;
}

// Loads payload bytes up to `wanted`; what doesn't exist sets `exhausted`.
static wi_status load(webp_reader *reader, size_t wanted) {
  wi_failure *failure = &reader->base.failure;
  while (reader->loaded < wanted && !reader->exhausted) {
    size_t left = reader->frame.image_bytes - reader->loaded;
    size_t want = left < kReadBlock ? left : kReadBlock;
    size_t head = kept_head(reader);
    size_t resident = reader->payload + reader->loaded + want -
                      (reader->given_back > head ? reader->given_back - head : 0);
    if (resident > reader->input_reserved) {
      size_t more = resident - reader->input_reserved;
      if (wi_reserve(&reader->base.memory, more, failure)) return failure->status;
      reader->reserved += more;
      reader->input_reserved = resident;
    }
    size_t at = reader->payload + reader->loaded, got;
    if (wi_pages_use(reader->bytes, at, at + want, failure) ||
        read_at(reader, reader->frame.image_offset + reader->loaded, reader->bytes + at, want,
                &got)) {
      return failure->status;
    }
    reader->loaded += got;
    if (got < want || reader->loaded == reader->frame.image_bytes) reader->exhausted = true;
  }
  return WI_OK;
}

// MARK: Decoding

static wi_status new_decoder(webp_reader *reader) {
  wi_failure *failure = &reader->base.failure;
  if (!WebPInitDecBuffer(&reader->output)) {
    return wi_fail(failure, WI_UNSUPPORTED, "libwebp's version does not match its header");
  }
  reader->output.colorspace = reader->frame.has_alpha ? MODE_RGBA : MODE_RGB;
  reader->output.is_external_memory = 1;
  reader->output.u.RGBA.rgba = reader->rows.base;
  reader->output.u.RGBA.stride = (int)reader->stride;
  reader->output.u.RGBA.size = reader->stride * reader->frame.height;
  reader->decoder = WebPINewDecoder(&reader->output);
  if (reader->decoder) return WI_OK;
  return wi_fail(failure, WI_OUT_OF_MEMORY, "libwebp gets no memory");
}

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
      WebPIUpdate(reader->decoder, reader->bytes, reader->payload + shown);
  int last = 0;
  if (WebPIDecGetRGB(reader->decoder, &last, NULL, NULL, NULL) && last > 0) {
    uint32_t rows = (uint32_t)last;
    reader->decoded = rows < reader->frame.height ? rows : reader->frame.height;
  }
  reader->complete = status == VP8_STATUS_OK;
  if (status != VP8_STATUS_OK && status != VP8_STATUS_SUSPENDED) note_failure(reader, status);
  give_back(reader);
}

static void adapt(webp_reader *reader, size_t came) {
  size_t window = reader->rows.window;
  if (came > window / 2) {
    reader->step = reader->step > 8 ? reader->step / 8 : 1;
  } else if (came > window / 4) {
    reader->step = reader->step > 2 ? reader->step / 2 : 1;
  } else if (came < window / 16 && reader->step < kLargestStep) {
    reader->step *= 2;
  }
}

// The step that should fill a quarter of the window, were the rows all alike.
static size_t first_step(const webp_reader *reader) {
  uint64_t rest = reader->frame.image_bytes - reader->frame.head_bytes;
  uint64_t frame = (uint64_t)reader->stride * reader->frame.height;
  uint64_t step = rest * (reader->rows.window / 4) / frame;
  return step < 1 ? 1 : step > kLargestStep ? kLargestStep : (size_t)step;
}

// Without these no row can come, so they are shown at once.
static size_t head(const webp_reader *reader) {
  size_t bytes = reader->frame.head_bytes;
  // libwebp does not look at a lossless image before an eighth of it is there.
  if (reader->frame.lossless && bytes < reader->frame.image_bytes / 8) {
    bytes = reader->frame.image_bytes / 8;
  }
  return bytes < reader->frame.image_bytes ? bytes : reader->frame.image_bytes;
}

// Decodes again from the start, for rows that fell past the window.
static wi_status start_over(webp_reader *reader) {
  wi_failure *failure = &reader->base.failure;
  if (!wi_input_is_seekable(reader->input) || ++reader->passes > kPassLimit) {
    // Only the budget stands in the way of a larger window.
    failure->needed = (uint64_t)reader->stride * (reader->decoded - reader->ready);
    return wi_fail(failure, WI_OVER_BUDGET, "this WebP yields too many rows at once");
  }
  size_t target = reader->safe;
  WebPIDelete(reader->decoder);
  reader->decoder = NULL;
  if (new_decoder(reader) ||
      wi_window_move(&reader->rows, reader->stride * reader->ready, true, failure)) {
    return failure->status;
  }
  reader->pending = (wi_failure){0};
  reader->complete = false;
  reader->exhausted = false;
  reader->step = reader->step > 16 ? reader->step / 16 : 1;
  reader->loaded = reader->shown = reader->given_back = 0;
  reader->decoded = 0;
  while (reader->shown < target && !reader->pending.status && !reader->complete) {
    size_t next = reader->shown + kReadBlock < target ? reader->shown + kReadBlock : target;
    if (reader->shown == 0 && next < head(reader)) next = head(reader);
    if (load(reader, next)) return failure->status;
    if (reader->loaded < next) break;
    show(reader, next);
  }
  return WI_OK;
}

// One step: shows more bytes and counts what came.
static wi_status advance(webp_reader *reader) {
  wi_failure *failure = &reader->base.failure;
  size_t wanted;
  if (reader->shown == 0) {
    wanted = head(reader);
    if (wanted < reader->frame.image_bytes) wanted++;
  } else if (reader->decoded == 0 && reader->frame.lossless) {
    // Its tables are read again from their start each time.
    wanted = reader->shown + (reader->shown / 4 > reader->step ? reader->shown / 4 : reader->step);
  } else {
    wanted = reader->shown + reader->step;
  }
  if (wanted > reader->frame.image_bytes) wanted = reader->frame.image_bytes;
  if (load(reader, wanted)) return failure->status;
  if (wanted > reader->loaded) wanted = reader->loaded;
  uint32_t before = reader->decoded;
  show(reader, wanted);
  adapt(reader, reader->stride * (reader->decoded - before));
  return WI_OK;
}

// Decodes until a row is ready, or no more can come.
static wi_status more_rows(webp_reader *reader) {
  wi_failure *failure = &reader->base.failure;
  if (reader->decoded > reader->ready && start_over(reader)) return failure->status;
  if (reader->decoded <= reader->ready) {
    // Rows are moved out in lumps: a mapping call costs more than a few rows.
    size_t done = reader->stride * reader->ready;
    if (done > reader->rows.start + reader->rows.window / 4 &&
        wi_window_move(&reader->rows, done, false, failure)) {
      return failure->status;
    }
  }
  while (reader->decoded <= reader->ready) {
    if (reader->complete || reader->pending.status) return WI_OK;
    if (reader->exhausted && reader->shown == reader->loaded) return WI_OK;
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
  if (reader->stride == (size_t)base->rows.width * base->rows.channels &&
      frame->height == base->rows.height) {
    return frame_row(reader, base->next, row);
  }
  memset(row, 0, (size_t)base->rows.width * base->rows.channels);
  if (base->next < frame->y || base->next - frame->y >= frame->height) return WI_OK;
  return frame_row(reader, base->next - frame->y, row + (size_t)frame->x * base->rows.channels);
}

static wi_status webp_finish(wi_reader *base) {
  webp_reader *reader = (webp_reader *)base;
  int64_t length = wi_input_length(reader->input);
  uint64_t end = reader->frame.image_offset + reader->frame.image_bytes;
  if (length >= 0 && (uint64_t)length < end) {
    if (!(base->notes & WI_NOTE_FILLED)) base->notes |= WI_NOTE_TRAILER_MISSING;
  } else if (length >= 0 && (uint64_t)length > reader->frame.end_offset) {
    base->notes |= WI_NOTE_TRAILING_BYTES;
  }
  return WI_OK;
}

static void webp_close(wi_reader *base) {
  webp_reader *reader = (webp_reader *)base;
  wi_memory memory = base->memory;
  if (reader->decoder) WebPIDelete(reader->decoder);
  wi_window_close(&reader->rows);
  wi_pages_unmap(reader->bytes, reader->bytes_total);
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

static wi_status prepare(webp_reader *reader) {
  const wi_webp_frame *frame = &reader->frame;
  wi_failure *failure = &reader->base.failure;
  reader->stride = (size_t)frame->width * (frame->has_alpha ? 4 : 3);
  reader->base.rows = (wi_rows){frame->canvas_width, frame->canvas_height,
                                frame->has_alpha ? 4 : 3, 8};
  size_t all = frame->window_bytes;
  if (__builtin_add_overflow(all, frame->spill_bytes, &all) ||
      __builtin_add_overflow(all, frame->input_bytes, &all) ||
      __builtin_add_overflow(all, frame->library_bytes, &all)) {
    return wi_fail(failure, WI_OVER_BUDGET, "a size does not fit the address space");
  }
  if (wi_reserve(&reader->base.memory, all, failure)) return failure->status;
  reader->reserved = all;
  reader->input_reserved = frame->input_bytes;
  // At most 2^14 rows of 2^16 bytes: no overflow.
  if (wi_window_open(&reader->rows, reader->stride * frame->height, frame->window_bytes,
                     frame->spill_bytes, failure)) {
    return failure->status;
  }
  if (reader->rows.window < reader->rows.total &&
      reader->rows.window < reader->stride + reader->rows.page) {
    return wi_fail(failure, WI_MISUSE, "a window of less than a row");
  }
  reader->step = first_step(reader);
  if (lay_out(reader)) return failure->status;
  return new_decoder(reader);
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
  reader->input = input;
  reader->frame = options->webp;
  reader->allow_truncated = options->allow_truncated;
  if (prepare(reader) == WI_OK) return &reader->base;
  *failure = reader->base.failure;
  webp_close(&reader->base);
  return NULL;
}
