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

/// Where a WebP's first frame stands, as the walk over its chunks found it, and
/// what its decoder may use. `WebPMemory` fills this.
typedef struct wi_webp_frame {
  /// Payload of the VP8 or VP8L chunk, from offset 0 of the input.
  uint64_t image_offset;
  /// Payload of the ALPH chunk; `alpha_bytes` 0 when there is none.
  uint64_t alpha_offset;
  /// Payload sizes as the chunks state them.
  uint32_t image_bytes, alpha_bytes;
  /// Bytes of the image chunk without which no row can come.
  uint32_t head_bytes;
  /// VP8L rather than VP8.
  bool lossless;
  /// Several token partitions: compressed bytes must stay to the end.
  bool keeps_all;
  /// 3 or 4 channels.
  bool has_alpha;
  /// The frame, and where it stands on the canvas, which the rows show.
  uint32_t width, height, x, y, canvas_width, canvas_height;
  /// Where the file ends by its own account.
  uint64_t end_offset;
  /// Bytes of decoded rows that may be resident; all of a frame that fits.
  size_t window_bytes;
  /// Bytes of shared memory for rows that come too early; 0 when the window
  /// holds the whole frame.
  size_t spill_bytes;
  /// Compressed bytes that may be resident.
  size_t input_bytes;
  /// What libwebp allocates by itself.
  size_t library_bytes;
} wi_webp_frame;

/// Where the scans of a JPEG of several stand, as the walk over its markers
/// found them; offsets are those of the input.
typedef struct wi_jpeg_layout {
  /// The frame header, its marker included, and the first SOS marker.
  uint64_t frame_start, frame_end, first_scan;
  /// Where each scan's data ends: at the next marker, or at the input's end.
  const uint64_t *_Nullable ends;
  /// 0 when there is one scan alone, or when the walk could not find them all.
  uint32_t count;
} wi_jpeg_layout;

/// Options common to the readers.
typedef struct wi_reader_options {
  /// Accept a cut source where the decoder itself can go on.
  bool allow_truncated;
  /// JPEG: decode at 1/shrink by DCT scaling: 1, 2, 4 or 8. Others ignore it.
  uint32_t shrink;
  /// Refuse more scans than this (JPEG); 0 means the default, 4,096.
  uint32_t max_scans;
  /// 2 for a second thread: JPEG of several scans and Adam7 PNG. 0 means 1.
  uint32_t threads;
  /// WebP only, and needed there.
  wi_webp_frame webp;
} wi_reader_options;

/// Opens an image. The input must outlive the reader. `offset` is where the
/// format's signature stands. NULL with `failure` set when it can't be read.
/// A JPEG of several scans and an Adam7 PNG are read at several places at once:
/// of a pipe that goes on past what is held they fail with WI_NEEDS_FILE.
wi_reader *_Nullable wi_png_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                                 const wi_reader_options *options, wi_failure *failure);
/// `layout` is needed for several scans, and only looked at before this returns.
wi_reader *_Nullable wi_jpeg_open(wi_input *input, uint64_t offset, const wi_memory *memory,
                                  const wi_reader_options *options,
                                  const wi_jpeg_layout *_Nullable layout, wi_failure *failure);
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
