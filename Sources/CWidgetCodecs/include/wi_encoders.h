// Encoders: PNG and JPEG go out row by row, WebP takes the whole picture.
#pragma once

#include "wi_common.h"

#pragma clang assume_nonnull begin

/// A picture being written to a sink.
typedef struct wi_writer wi_writer;

/// How PNG rows are filtered before they are compressed.
typedef enum __attribute__((enum_extensibility(closed))) : uint32_t {
  /// The filter with the least sum of differences, row by row.
  WI_PNG_ADAPTIVE = 0,
  /// No filter: best for flat artwork.
  WI_PNG_PLAIN = 1,
  /// As adaptive, with zlib tuned for small differences.
  WI_PNG_ADAPTIVE_FILTERED = 2,
  /// None, sub and up only.
  WI_PNG_SIMPLE = 3,
  /// Paeth in every row.
  WI_PNG_PAETH = 4,
} wi_png_style;

/// 8-bit truecolour PNG, sRGB chunk (perceptual), no other metadata, not
/// interlaced. `channels` is 3 or 4; `level` is zlib's 1 to 9.
wi_writer *_Nullable wi_png_writer_open(uint32_t width, uint32_t height, uint32_t channels,
                                        uint32_t level, wi_png_style style,
                                        const wi_sink *sink, const wi_memory *memory,
                                        wi_failure *failure);

/// Indexed PNG. `palette` holds `colors` (1 to 256) RGBA entries; tRNS carries
/// the alphas up to the last that is not 255. Rows are one index a byte, each
/// below `colors`; the file packs them into `depth` (1, 2, 4 or 8) bits.
wi_writer *_Nullable wi_png_indexed_writer_open(uint32_t width, uint32_t height,
                                                uint32_t depth, const uint8_t *palette,
                                                uint32_t colors, uint32_t level,
                                                const wi_sink *sink, const wi_memory *memory,
                                                wi_failure *failure);

/// Options of the JPEG encoder.
typedef struct wi_jpeg_options {
  /// 1 to 100.
  uint32_t quality;
  /// 4:4:4 instead of 4:2:0.
  bool full_chroma;
  /// Huffman tables made for the picture: 5 to 10 % smaller, and libjpeg keeps
  /// all coefficients (3 or 6 bytes a pixel) until the end.
  bool optimize;
} wi_jpeg_options;

/// Baseline JPEG from RGB rows, JFIF marker only. A side is at most 65,500.
wi_writer *_Nullable wi_jpeg_writer_open(uint32_t width, uint32_t height,
                                         const wi_jpeg_options *options, const wi_sink *sink,
                                         const wi_memory *memory, wi_failure *failure);

/// Takes one row: `width * channels` bytes, `width` of an indexed PNG.
wi_status wi_writer_row(wi_writer *writer, const uint8_t *row, size_t count);

/// Ends the file; every row must have been given.
wi_status wi_writer_finish(wi_writer *writer);

const wi_failure *wi_writer_failure(const wi_writer *writer);

/// Frees everything, releasing every reservation. Ends nothing: a file that was
/// not finished stays cut.
void wi_writer_close(wi_writer *_Nullable writer);

/// Options of the WebP encoder.
typedef struct wi_webp_options {
  bool lossless;
  /// 1 to 100, lossy only.
  uint32_t quality;
  /// 0 to 4, libwebp's effort; lossless and alpha need less memory below 4.
  uint32_t method;
} wi_webp_options;

/// Bytes that libwebp may allocate for a picture of this size: the formula of
/// docs/memory.md, measured, an upper bound over contents. Saturates.
uint64_t wi_webp_encoder_bytes(uint32_t width, uint32_t height, uint32_t channels,
                               const wi_webp_options *options);

/// Encodes `height` rows of `stride` bytes, RGB or RGBA. Reserves
/// `wi_webp_encoder_bytes` while it runs. A side is at most 16,383.
wi_status wi_webp_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                         size_t stride, uint32_t channels, const wi_webp_options *options,
                         const wi_sink *sink, const wi_memory *memory, wi_failure *failure);

#pragma clang assume_nonnull end
