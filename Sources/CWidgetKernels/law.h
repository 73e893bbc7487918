// The arithmetic that every tier follows, in scalar form.
#pragma once

#include "include/CWidgetKernels.h"

#pragma clang assume_nonnull begin

/// (a * b + 2^14) >> 15: the product of two 15-bit fractions, rounded. It is
/// what SSSE3's pmulhrsw and NEON's sqrdmulh compute.
static inline int16_t wk_multiply_15(int16_t a, int16_t b) {
  return (int16_t)(((int32_t)a * b + (1 << 14)) >> 15);
}

/// sRGB to linear: the straight line of small values everywhere, and above the
/// knee a polynomial in the distance to it that begins flat.
/// Benchmarks/fit-transfer-curve makes the numbers and tells their error.
typedef struct wk_curve {
  /// Where the straight part ends, in 15-bit samples: between codes 10 and 11.
  int16_t knee;
  /// Of the straight line.
  int16_t slope;
  /// Of the distance to the knee.
  int16_t square, cubic, quartic;
} wk_curve;

/// Opaque samples: white becomes 32256, within rounding; any more, and a step
/// of the polynomial would leave 16 bits.
#define WK_CURVE_OPAQUE ((wk_curve){1326, 2505, 20061, 16982, -4070})
/// Samples that alpha is multiplied into: 256 / 255 of that, since full alpha
/// is 32640 of 32768 in a product.
#define WK_CURVE_ALPHA ((wk_curve){1318, 2515, 20047, 17225, -4193})

/// An encoded 15-bit sample in linear light, 15 bits.
static inline int16_t wk_linear_15(int16_t x, wk_curve curve) {
  int16_t above = x > curve.knee ? (int16_t)(x - curve.knee) : 0;
  int16_t y = (int16_t)(wk_multiply_15(curve.quartic, above) + curve.cubic);
  y = (int16_t)(wk_multiply_15(y, above) + curve.square);
  y = wk_multiply_15(y, wk_multiply_15(above, above));
  return (int16_t)(wk_multiply_15(x, curve.slope) + y);
}

/// An 8-bit sample as a 15-bit fraction: 255 becomes 32640.
static inline int16_t wk_widen_8(uint8_t sample) { return (int16_t)(sample << 7); }

/// A 16-bit sample as a 15-bit fraction: 65535 becomes 32640.
static inline int16_t wk_widen_16(uint16_t sample) {
  return (int16_t)(((uint32_t)sample * 32640 + 32767) / 65535);
}

/// The lane of a row's sample within a pair of columns; `channels` is 1, 3 or 4.
/// Grey and RGB go channel by channel, their rows in the order that widening
/// within the halves of a vector gives: 0 to 3, 8 to 11, 4 to 7, 12 to 15.
static inline size_t wk_lane(size_t row, size_t channel, size_t channels) {
  if (channels == 4) return row * 4 + channel;
  return channel * WK_ROWS + (row & 4) * 2 + (row & 8) / 2 + (row & 3);
}

/// Where a sample stands in a block.
static inline size_t wk_block_place(size_t x, size_t row, size_t channel, size_t channels) {
  return (x / 2 * channels * WK_ROWS + wk_lane(row, channel, channels)) * 2 + (x & 1);
}

/// Where output `x` of a channel stands in a resampled row.
static inline size_t wk_pair_place(size_t x, size_t channel, size_t channels, size_t plane) {
  return channels == 4 ? x * 4 + channel : channel * plane + x;
}

static inline const uint8_t *wk_row(wk_rows rows, uint32_t row) {
  return rows.base + (row < rows.count ? row : rows.count - 1) * rows.stride;
}

static inline int16_t wk_saturate_16(int64_t value) {
  return value > 32767 ? 32767 : value < -32768 ? -32768 : (int16_t)value;
}

/// A sum of weighed samples, rounded by `shift` bits.
static inline int16_t wk_rounded(int64_t sum, uint32_t shift) {
  return wk_saturate_16((sum + ((int64_t)1 << (shift - 1))) >> shift);
}

/// A clamped 14-bit colour.
static inline int32_t wk_clamp_14(int32_t value) {
  return value < 0 ? 0 : value > WK_WHITE ? WK_WHITE : value;
}

/// A 14-bit alpha as 8 bits.
static inline uint8_t wk_alpha_8(int32_t alpha) {
  return alpha <= 0 ? 0 : alpha >= WK_OPAQUE ? 255 : (uint8_t)((alpha + 32) >> 6);
}

/// What colour of which alpha makes `value`, 0 or more: 14 bits, 0 to WK_WHITE.
/// IEEE single operations one by one, so that each tier rounds alike.
static inline int32_t wk_unpremultiply(int32_t value, float scale) {
  float quotient = (float)value * scale;
  quotient = quotient + 0.5f;
  int32_t result = (int32_t)quotient;
  return result > WK_WHITE ? WK_WHITE : result;
}

/// One pixel of a finished RGBA row.
///
/// Colour is divided by alpha as it was filtered: where a lobe lifts alpha over
/// white, it lifts the premultiplied colour by as much.
static inline void wk_finish_pixel(const int16_t *pixel, uint8_t *target,
                                   const uint8_t *encode) {
  int32_t alpha = pixel[3];
  target[3] = wk_alpha_8(alpha);
  float scale = alpha > 0 ? (float)WK_OPAQUE / (float)alpha : 0.0f;
  for (uint32_t channel = 0; channel < 3; channel++) {
    int32_t value = pixel[channel] < 0 ? 0 : pixel[channel];
    target[channel] = target[3] == 0 ? 0 : encode[wk_unpremultiply(value, scale)];
  }
}

// The tables of the tiers; each exists where its instruction set does.
extern const wk_kernels wk_scalar_kernels;
extern const wk_kernels wk_sse2_kernels;
extern const wk_kernels wk_avx2_kernels;
extern const wk_kernels wk_neon_kernels;

#pragma clang assume_nonnull end
