// The arithmetic that every tier follows, in scalar form.
#pragma once

#include "include/CWidgetKernels.h"

#pragma clang assume_nonnull begin

/// (a * b + 2^14) >> 15: the product of two 15-bit fractions, rounded. It is
/// what SSSE3's pmulhrsw and NEON's sqrdmulh compute.
static inline int16_t wk_multiply_15(int16_t a, int16_t b) {
  return (int16_t)(((int32_t)a * b + (1 << 14)) >> 15);
}

// sRGB to linear above code 10, as a polynomial in the 15-bit sample: within
// 0.05 of a code of IEC 61966-2-1 before rounding. Coefficients: weighted
// minimax fit over the 256 codes (docs/kernels.md tells how it was made).
#define WK_POLY_4 (-3781)
#define WK_POLY_3 17165
#define WK_POLY_2 18414
#define WK_POLY_1 920
#define WK_POLY_0 35
/// 32768 / 12.92: the straight part below.
#define WK_SLOPE 2536
/// 15-bit samples below this are on the straight part: codes 0 to 10.
#define WK_KNEE 1350

/// An 8-bit sample as a 15-bit fraction: 255 becomes 32767.
static inline int16_t wk_widen_8(uint8_t sample) {
  return (int16_t)(((uint32_t)sample << 7) | (sample >> 1));
}

/// An encoded 15-bit sample in linear light, 15 bits.
static inline int16_t wk_linear_15(int16_t x) {
  if (x < WK_KNEE) return wk_multiply_15(x, WK_SLOPE);
  int16_t y = (int16_t)(wk_multiply_15(WK_POLY_4, x) + WK_POLY_3);
  y = (int16_t)(wk_multiply_15(y, x) + WK_POLY_2);
  y = (int16_t)(wk_multiply_15(y, x) + WK_POLY_1);
  return (int16_t)(wk_multiply_15(y, x) + WK_POLY_0);
}

/// Where sample `channel` of pixel `x` stands in a four-channel linear row.
static inline size_t wk_place_4(size_t x, size_t channel) {
  return (x & ~(size_t)1) * 4 + channel * 2 + (x & 1);
}

/// Pixels of a row with the zeros behind it: a whole group follows.
static inline size_t wk_padded(size_t width, size_t unit) {
  return (width + unit - 1) / unit * unit + unit;
}

static inline int16_t wk_saturate_16(int64_t value) {
  return value > 32767 ? 32767 : value < -32768 ? -32768 : (int16_t)value;
}

/// A clamped 14-bit value.
static inline int32_t wk_clamp_14(int32_t value) {
  return value < 0 ? 0 : value > 16384 ? 16384 : value;
}

/// A 14-bit alpha as 8 bits.
static inline uint8_t wk_alpha_8(int32_t alpha) { return (uint8_t)((alpha * 255 + 8192) >> 14); }

/// What colour of which alpha makes `value`: 14 bits, 0 to 16384. IEEE single
/// operations one by one, so that each tier rounds alike.
static inline int32_t wk_unpremultiply(int32_t value, float scale) {
  float quotient = (float)value * scale;
  quotient = quotient + 0.5f;
  int32_t result = (int32_t)quotient;
  return result > 16384 ? 16384 : result;
}

// The tables of the tiers; each exists where its instruction set does.
extern const wk_kernels wk_scalar_kernels;
extern const wk_kernels wk_avx2_kernels;

/// Shared by tiers whose vectors gain nothing from table look-ups.
void wk_finish_grey_scalar(const int16_t *row, uint8_t *target, uint32_t width,
                           const uint8_t *encode);
void wk_finish_rgb_scalar(const int16_t *row, uint8_t *target, uint32_t width,
                          const uint8_t *encode);

#pragma clang assume_nonnull end
