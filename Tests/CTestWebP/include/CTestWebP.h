// libwebp's plain interface, for tests: what our reader must agree with, and
// files of every kind to read.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Decodes with WebPDecodeRGB or WebPDecodeRGBA. NULL when libwebp refuses.
/// To be freed with `wt_free`.
uint8_t *_Nullable wt_webp_decode(const uint8_t *_Nullable bytes, size_t count, bool alpha,
                                  int32_t *width, int32_t *height);

/// What a file to be written is like. All zero is libwebp's default but for
/// `quality`.
typedef struct wt_webp_options {
  float quality;
  int32_t method;
  bool lossless;
  /// log2 of the number of token partitions.
  int32_t partitions;
  bool no_filter, simple_filter;
  /// Alpha uncompressed rather than as VP8L.
  bool plain_alpha;
  /// 0 none, 1 fast, 2 best.
  int32_t alpha_filtering;
} wt_webp_options;

/// Encodes RGBA pixels; alpha is written where a pixel is not opaque. Gives the
/// number of bytes, 0 on failure; `*out` to be freed with `wt_free`.
size_t wt_webp_encode(const uint8_t *pixels, int32_t width, int32_t height,
                      const wt_webp_options *options, uint8_t *_Nullable *_Nonnull out);

/// What a test picture shows.
typedef enum __attribute__((enum_extensibility(closed))) wt_scene : int32_t {
  /// One colour.
  WT_FLAT = 0,
  /// Smooth waves with grain, as in a photograph.
  WT_PHOTO = 1,
  /// A photograph above, one colour below.
  WT_HALF_FLAT = 2,
  /// Few colours in hard-edged tiles, as in a drawing.
  WT_DRAWING = 3,
  /// Random bits: what compresses worst.
  WT_NOISE = 4,
} wt_scene;

/// Fills `width * height` RGBA pixels; `alpha` gives them a soft disc of alpha,
/// else they are opaque.
void wt_fill(uint8_t *pixels, int32_t width, int32_t height, wt_scene scene, bool alpha);

/// Bytes that the C allocator has given out (glibc's mallinfo2), 0 elsewhere.
size_t wt_malloc_bytes(void);
/// Gives free memory back to the system, so that growth can be seen.
void wt_malloc_trim(void);

/// Bytes resident in private memory of this process (RssAnon and RssShmem), as
/// Linux counts them; 0 elsewhere.
size_t wt_resident_bytes(void);

/// The reading end of a pipe that a thread of its own writes `bytes` to; -1 on
/// failure. The caller closes it.
int32_t wt_pipe(const uint8_t *bytes, size_t count);

void wt_free(void *_Nullable block);

#pragma clang assume_nonnull end
