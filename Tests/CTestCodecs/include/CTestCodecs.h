// Stock libpng and libjpeg for tests: files to read, and what any other program
// would see in them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Bytes for `ct_free`; NULL when something failed.
typedef struct ct_bytes {
  uint8_t *_Nullable bytes;
  size_t count;
} ct_bytes;

void ct_free(ct_bytes bytes);

/// A scan of a script, as the standard names its parts.
typedef struct ct_jpeg_scan {
  /// Bit 0 is the first component.
  uint8_t components;
  uint8_t first, last, high, low;
} ct_jpeg_scan;

/// How a JPEG is to be written.
typedef struct ct_jpeg_options {
  uint32_t width, height;
  /// 1 grey, 3 YCbCr, 4 CMYK.
  uint32_t components;
  /// RGB or CMYK are stored as they are, not as YCbCr or YCCK.
  bool untransformed;
  /// Sampling factors of each component, horizontal then vertical.
  uint8_t sampling[8];
  bool progressive, arithmetic;
  /// Sequential, a scan for each component.
  bool separate_scans;
  uint32_t restart_interval;
  /// A restart after so many rows of MCUs, whose number differs between scans.
  uint32_t restart_rows;
  uint32_t quality;
  /// Adobe's APP14 marker: libjpeg's choice, or never.
  bool no_adobe;
  /// Grey all over: AC scans have nothing in them.
  bool flat;
  /// A scan script, instead of `progressive` and `separate_scans`.
  const ct_jpeg_scan *_Nullable scans;
  uint32_t scan_count;
} ct_jpeg_options;

/// A picture with gradients, edges and noise, the same for the same options.
ct_bytes ct_jpeg_write(const ct_jpeg_options *options);

/// What libjpeg tells of a file, and its pixels.
typedef struct ct_jpeg_info {
  uint32_t width, height, components;
  uint32_t output_width, output_height;
  uint8_t sampling[8];
  bool progressive, arithmetic, several_scans, adobe;
  /// Warnings while it decoded.
  long warnings;
} ct_jpeg_info;

/// Decodes by a plain loop, no block smoothing: grey, RGB or CMYK samples. NULL bytes on an
/// error, or when there are more than `limit` samples.
ct_bytes ct_jpeg_decode(const uint8_t *bytes, size_t count, uint32_t shrink, uint64_t limit,
                        ct_jpeg_info *info);

/// How a PNG is to be written.
typedef struct ct_png_options {
  uint32_t width, height;
  /// As in IHDR.
  uint32_t color_type, depth;
  bool interlaced;
  /// A tRNS chunk; not for colour types with alpha.
  bool transparent;
  /// An eXIf chunk with this orientation; 0 for none.
  uint8_t orientation;
} ct_png_options;

/// Gradients with a little noise in all bits, the same for the same options.
ct_bytes ct_png_write(const ct_png_options *options);

typedef struct ct_png_info {
  uint32_t width, height, channels, bits;
  bool interlaced;
  long warnings;
} ct_png_info;

/// Decodes by a plain loop, expanded, 16 bits in native order. NULL bytes on an
/// error, or when there are more than `limit` bytes.
ct_bytes ct_png_decode(const uint8_t *bytes, size_t count, uint64_t limit, ct_png_info *info);

#pragma clang assume_nonnull end
