// Encoders: PNG and JPEG go out row by row, WebP takes the whole picture.
#pragma once

#include "wi_common.h"

#pragma clang assume_nonnull begin

/// A picture being written to a sink.
typedef struct wi_writer wi_writer;

/// 8-bit truecolour PNG, sRGB chunk, no other metadata, not interlaced.
/// `channels` is 3 or 4; `level` zlib's 1 to 9.
wi_writer *_Nullable wi_png_writer_open(uint32_t width, uint32_t height, uint32_t channels,
                                        uint32_t level, const wi_sink *sink,
                                        const wi_memory *memory, wi_failure *failure);

/// Baseline JPEG from RGB rows; `quality` 1 to 100; `full_chroma` keeps 4:4:4.
wi_writer *_Nullable wi_jpeg_writer_open(uint32_t width, uint32_t height, uint32_t quality,
                                         bool full_chroma, const wi_sink *sink,
                                         const wi_memory *memory, wi_failure *failure);

/// Takes one row, `width * channels` bytes.
wi_status wi_writer_row(wi_writer *writer, const uint8_t *row, size_t count);

/// Ends the file; every row must have been given.
wi_status wi_writer_finish(wi_writer *writer);

const wi_failure *wi_writer_failure(const wi_writer *writer);

void wi_writer_close(wi_writer *_Nullable writer);

/// Options of the WebP encoder.
typedef struct wi_webp_options {
  bool lossless;
  /// 1 to 100, lossy only.
  uint32_t quality;
} wi_webp_options;

/// Bytes that libwebp may allocate for a picture of this size: the formula of
/// docs/memory.md, measured.
uint64_t wi_webp_encoder_bytes(uint32_t width, uint32_t height, uint32_t channels,
                               const wi_webp_options *options);

/// Encodes `height` rows of `stride` bytes, RGB or RGBA. Reserves
/// `wi_webp_encoder_bytes` while it runs.
wi_status wi_webp_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                         size_t stride, uint32_t channels, const wi_webp_options *options,
                         const wi_sink *sink, const wi_memory *memory, wi_failure *failure);

#pragma clang assume_nonnull end
