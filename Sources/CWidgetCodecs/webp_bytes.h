// The compressed bytes of a WebP's frame, as libwebp is shown them.
#pragma once

#include "include/wi_readers.h"

#pragma clang assume_nonnull begin

/// The smallest file that holds the frame: nothing of the source's metadata, no
/// lying sizes, no animation. It is an address range as long as that file, of
/// which what was loaded and not given back takes memory.
typedef struct wi_webp_bytes {
  wi_input *input;
  wi_webp_frame frame;
  wi_memory memory;
  uint8_t *_Nullable base;
  size_t total;
  /// Where the image chunk's payload starts.
  size_t payload;
  /// Payload bytes read from the input, and those whose memory was given back.
  size_t loaded, given_back;
  /// Bytes on the ledger, beyond `frame.input_bytes` where it had to grow.
  size_t reserved;
  /// Every payload byte that exists was loaded.
  bool exhausted;
} wi_webp_bytes;

/// Lays the file out and loads the alpha chunk. `frame.input_bytes` must be on
/// the ledger already. `wi_webp_bytes_close` is due after a failure too.
wi_status wi_webp_bytes_open(wi_webp_bytes *bytes, wi_input *input, const wi_webp_frame *frame,
                             const wi_memory *memory, wi_failure *failure);

/// Loads payload bytes up to `wanted`, or sets `exhausted`. `kept` tells how
/// many at the front were never given back.
wi_status wi_webp_bytes_load(wi_webp_bytes *bytes, size_t wanted, size_t kept,
                             wi_failure *failure);

/// Gives back the memory of payload bytes `from..<to`, in lumps.
void wi_webp_bytes_give_back(wi_webp_bytes *bytes, size_t from, size_t to);

/// Starts loading from the first payload byte again.
void wi_webp_bytes_rewind(wi_webp_bytes *bytes);

/// Unmaps; releases what was reserved beyond `frame.input_bytes`.
void wi_webp_bytes_close(wi_webp_bytes *bytes);

#pragma clang assume_nonnull end
