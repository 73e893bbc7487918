// Compressed bytes: loaded in blocks, given back once they were consumed.
#include "webp_bytes.h"
#include "webp_window.h"

#include <string.h>

enum {
  kReadBlock = 32 * 1024,
  kRIFFHeader = 12,
  kChunkHeader = 8,
  kVP8XPayload = 10,
};

static void put_little(uint8_t *at, uint32_t value, int count) {
  for (int i = 0; i < count; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint8_t *put_chunk(uint8_t *at, const char *name, uint32_t size) {
  memcpy(at, name, 4);
  put_little(at + 4, size, 4);
  return at + kChunkHeader;
}

static size_t padded(size_t size) { return size + (size & 1); }

static wi_status read_at(wi_webp_bytes *bytes, uint64_t offset, uint8_t *buffer, size_t count,
                         size_t *got, wi_failure *failure) {
  *got = 0;
  while (*got < count) {
    size_t step = 0;
    if (wi_input_read(bytes->input, offset + *got, buffer + *got, count - *got, &step, failure)) {
      return failure->status;
    }
    if (step == 0) break;
    *got += step;
  }
  return WI_OK;
}

// A pipe is read forward only: what lies between two chunks is read and dropped.
static wi_status skip_to_image(wi_webp_bytes *bytes, wi_failure *failure) {
  if (wi_input_is_seekable(bytes->input)) return WI_OK;
  uint64_t at = (uint64_t)wi_input_rereadable_length(bytes->input);
  uint64_t alpha_end = bytes->frame.alpha_offset + bytes->frame.alpha_bytes;
  if (alpha_end > at) at = alpha_end;
  uint8_t dropped[4096];
  while (at < bytes->frame.image_offset) {
    uint64_t left = bytes->frame.image_offset - at;
    size_t got = 0;
    if (wi_input_read(bytes->input, at, dropped, left < sizeof dropped ? left : sizeof dropped,
                      &got, failure)) {
      return failure->status;
    }
    if (got == 0) break;
    at += got;
  }
  return WI_OK;
}

wi_status wi_webp_bytes_open(wi_webp_bytes *bytes, wi_input *input, const wi_webp_frame *frame,
                             const wi_memory *memory, wi_failure *failure) {
  bytes->input = input;
  bytes->frame = *frame;
  bytes->memory = *memory;
  size_t alpha = frame->alpha_bytes;
  size_t payload = kRIFFHeader + kChunkHeader;
  if (alpha > 0) payload += kChunkHeader + kVP8XPayload + kChunkHeader + padded(alpha);
  size_t total;
  if (__builtin_add_overflow(payload, padded(frame->image_bytes), &total) ||
      total - kChunkHeader > UINT32_MAX - 10) {
    return wi_fail(failure, WI_CORRUPT, "a WebP chunk is larger than the format allows");
  }
  bytes->payload = payload;
  bytes->total = total;
  uint8_t *base = wi_pages_map(total, failure);
  if (!base) return failure->status;
  bytes->base = base;
  if (wi_pages_use(base, 0, payload, failure)) return failure->status;
  uint8_t *at = put_chunk(base, "RIFF", (uint32_t)(total - kChunkHeader));
  memcpy(at, "WEBP", 4);
  at += 4;
  if (alpha > 0) {
    at = put_chunk(at, "VP8X", kVP8XPayload);
    at[0] = 0x10;
    put_little(at + 4, frame->width - 1, 3);
    put_little(at + 7, frame->height - 1, 3);
    at = put_chunk(at + kVP8XPayload, "ALPH", frame->alpha_bytes);
    size_t got;
    if (read_at(bytes, frame->alpha_offset, at, alpha, &got, failure)) return failure->status;
    if (got < alpha) {
      return wi_fail(failure, WI_TRUNCATED, "the file ends inside its alpha channel");
    }
    at += padded(alpha);
  }
  put_chunk(at, frame->lossless ? "VP8L" : "VP8 ", frame->image_bytes);
  return skip_to_image(bytes, failure);
}

wi_status wi_webp_bytes_load(wi_webp_bytes *bytes, size_t wanted, size_t kept,
                             wi_failure *failure) {
  while (bytes->loaded < wanted && !bytes->exhausted) {
    size_t left = bytes->frame.image_bytes - bytes->loaded;
    size_t want = left < kReadBlock ? left : kReadBlock;
    size_t gone = bytes->given_back > kept ? bytes->given_back - kept : 0;
    size_t resident = bytes->payload + bytes->loaded + want - gone;
    size_t held = bytes->frame.input_bytes + bytes->reserved;
    if (resident > held) {
      if (wi_reserve(&bytes->memory, resident - held, failure)) return failure->status;
      bytes->reserved += resident - held;
    }
    size_t at = bytes->payload + bytes->loaded, got;
    if (wi_pages_use(bytes->base, at, at + want, failure) ||
        read_at(bytes, bytes->frame.image_offset + bytes->loaded, bytes->base + at, want, &got,
                failure)) {
      return failure->status;
    }
    bytes->loaded += got;
    bytes->exhausted = got < want || bytes->loaded == bytes->frame.image_bytes;
  }
  return WI_OK;
}

void wi_webp_bytes_give_back(wi_webp_bytes *bytes, size_t from, size_t to) {
  size_t page = wi_page_size();
  if (from < bytes->given_back) from = bytes->given_back;
  size_t first = (bytes->payload + from + page - 1) / page * page;
  size_t end = (bytes->payload + to) / page * page;
  if (end < first + 4 * page) return;
  wi_pages_discard(bytes->base + first, end - first);
  bytes->given_back = end - bytes->payload;
}

void wi_webp_bytes_rewind(wi_webp_bytes *bytes) {
  bytes->loaded = bytes->given_back = 0;
  bytes->exhausted = false;
}

void wi_webp_bytes_close(wi_webp_bytes *bytes) {
  wi_pages_unmap(bytes->base, bytes->total);
  if (bytes->reserved > 0) wi_release(&bytes->memory, bytes->reserved);
}
