// One shape for every decoder: open, rows, next row, finish, close.
#pragma once

#include "wi_input.h"

#pragma clang assume_nonnull begin

/// An open image whose rows come top to bottom, each whole.
typedef struct wi_reader wi_reader;

/// The shape of the rows that a reader gives.
typedef struct wi_rows {
  /// Pixels in a row, and rows.
  uint32_t width, height;
  /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; straight alpha, alpha last.
  uint32_t channels;
  /// 8, or 16 in the machine's byte order.
  uint32_t bits;
} wi_rows;

/// What a reader noticed that did not stop it: a set of these bits.
typedef enum __attribute__((flag_enum, enum_extensibility(open))) : uint32_t {
  WI_NOTE_NONE = 0,
  /// Every pixel is there, the end marker or trailer is not.
  WI_NOTE_TRAILER_MISSING = 1u << 0,
  /// The decoder met damage that it could step over.
  WI_NOTE_DAMAGED = 1u << 1,
  /// Bytes follow the image.
  WI_NOTE_TRAILING_BYTES = 1u << 2,
  /// A truncated source was filled up, since the caller allowed it.
  WI_NOTE_FILLED = 1u << 3,
} wi_notes;

/// Options common to the readers.
typedef struct wi_reader_options {
  /// Accept a cut source where the decoder itself can go on.
  bool allow_truncated;
  /// JPEG: decode at 1/shrink by DCT scaling: 1, 2, 4 or 8. Others ignore it.
  uint32_t shrink;
  /// Refuse to go on after this many scans (JPEG); 0 means the default, 500.
  uint32_t max_scans;
  /// WebP: bytes of decoded rows that may be resident beside what was consumed.
  size_t window_bytes;
} wi_reader_options;

/// Opens an image. The input must outlive the reader. `offset` is where the
/// format's signature stands. NULL with `failure` set when it can't be read.
wi_reader *_Nullable wi_png_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                                 const wi_reader_options *options, wi_failure *failure);
wi_reader *_Nullable wi_jpeg_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                                  const wi_reader_options *options, wi_failure *failure);
wi_reader *_Nullable wi_webp_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                                  const wi_reader_options *options, wi_failure *failure);

/// The rows' shape, known from open on.
wi_rows wi_reader_rows(const wi_reader *reader);

/// Writes the next row, `width * channels * bits / 8` bytes, into `row`.
/// Asking for more rows than `height` is WI_MISUSE. After a failure the row's
/// contents are unspecified and every later call returns that failure.
wi_status wi_reader_next_row(wi_reader *reader, uint8_t *row, size_t count);

/// Reads what follows the pixels, once all rows were taken: an end that is
/// missing becomes WI_NOTE_TRAILER_MISSING, not a failure.
wi_status wi_reader_finish(wi_reader *reader);

/// What was noticed so far.
wi_notes wi_reader_notes(const wi_reader *reader);

/// The first failure, `status` WI_OK when there is none.
const wi_failure *wi_reader_failure(const wi_reader *reader);

/// Frees everything, releasing every reservation.
void wi_reader_close(wi_reader *_Nullable reader);

#pragma clang assume_nonnull end
