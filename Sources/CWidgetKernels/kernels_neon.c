// NEON: the same integers in pairs of vectors of eight lanes. Every 64-bit ARM
// processor has it.
#include "law.h"

#if defined(__aarch64__)

#pragma STDC FP_CONTRACT OFF

#include <arm_neon.h>

// A vector of sums takes four registers of thirty-two; six would not leave room.
#define WEIGHED_AT_ONCE 4
#define PIXELS_AT_ONCE 8
#define TIER_INLINE __attribute__((always_inline)) static inline
#define TIER_UNROLLED _Pragma("clang loop unroll(full)")

typedef struct V16 {
  int16x8_t low, high;
} V16;
typedef struct V32 {
  int32x4_t low, high;
} V32;
// Products of even and odd lanes are added up apart, and to each other at the
// end: one instruction for four products.
typedef struct VSum {
  int32x4_t part[4];
} VSum;
typedef struct V64 {
  int64x2_t part[4];
} V64;

TIER_INLINE V16 load_16(const int16_t *from) {
  return (V16){vld1q_s16(from), vld1q_s16(from + 8)};
}

TIER_INLINE void store_16(int16_t *to, V16 value) {
  vst1q_s16(to, value.low);
  vst1q_s16(to + 8, value.high);
}

// MARK: To linear light

// sqrdmulh doubles and keeps the high half, rounded: the law's product. It
// differs for -32768 * -32768 alone, and only the quartic number is negative.
TIER_INLINE int16x8_t multiply_15(int16x8_t a, int16x8_t b) { return vqrdmulhq_s16(a, b); }

TIER_INLINE int16x8_t linear_8_lanes(int16x8_t x, wk_curve curve) {
  const int16x8_t above = vreinterpretq_s16_u16(
      vqsubq_u16(vreinterpretq_u16_s16(x), vdupq_n_u16((uint16_t)curve.knee)));
  int16x8_t y =
      vaddq_s16(multiply_15(above, vdupq_n_s16(curve.quartic)), vdupq_n_s16(curve.cubic));
  y = vaddq_s16(multiply_15(y, above), vdupq_n_s16(curve.square));
  y = multiply_15(y, multiply_15(above, above));
  return vaddq_s16(multiply_15(x, vdupq_n_s16(curve.slope)), y);
}

TIER_INLINE V16 linear_16(V16 x, wk_curve curve) {
  return (V16){linear_8_lanes(x.low, curve), linear_8_lanes(x.high, curve)};
}

// Bytes as 15-bit fractions.
TIER_INLINE int16x8_t widen(uint8x8_t bytes) {
  return vreinterpretq_s16_u16(vshll_n_u8(bytes, 7));
}

TIER_INLINE int16x8_t widen_last(uint8x16_t bytes) {
  return vreinterpretq_s16_u16(vshll_high_n_u8(bytes, 7));
}

TIER_INLINE uint32x4_t words_32(uint16x8_t value) { return vreinterpretq_u32_u16(value); }
TIER_INLINE uint64x2_t words_64(uint32x4_t value) { return vreinterpretq_u64_u32(value); }

// Eight words of eight rows become one word of eight rows each; the bytes of a
// word are widened into one half of its lanes.
TIER_INLINE void transpose(const uint16x8_t *rows, V16 (*words)[2], unsigned count,
                           unsigned half) {
  uint16x8_t two[8];
  uint32x4_t four[8];
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) {
    two[2 * i] = vzip1q_u16(rows[2 * i], rows[2 * i + 1]);
    two[2 * i + 1] = vzip2q_u16(rows[2 * i], rows[2 * i + 1]);
  }
  TIER_UNROLLED
  for (unsigned i = 0; i < 2; i++) {
    four[4 * i] = vzip1q_u32(words_32(two[4 * i]), words_32(two[4 * i + 2]));
    four[4 * i + 1] = vzip2q_u32(words_32(two[4 * i]), words_32(two[4 * i + 2]));
    four[4 * i + 2] = vzip1q_u32(words_32(two[4 * i + 1]), words_32(two[4 * i + 3]));
    four[4 * i + 3] = vzip2q_u32(words_32(two[4 * i + 1]), words_32(two[4 * i + 3]));
  }
  TIER_UNROLLED
  for (unsigned word = 0; word < count; word++) {
    const uint64x2_t first = words_64(four[word / 2]);
    const uint64x2_t second = words_64(four[word / 2 + 4]);
    const uint8x16_t bytes = vreinterpretq_u8_u64(word & 1 ? vzip2q_u64(first, second)
                                                           : vzip1q_u64(first, second));
    const int16x8_t low = widen(vget_low_u8(bytes));
    const int16x8_t high = widen_last(bytes);
    if (half == 0) {
      words[word][0].low = low;
      words[word][1].low = high;
    } else {
      words[word][0].high = low;
      words[word][1].high = high;
    }
  }
}

TIER_INLINE void grey_words(const uint8_t *const *rows, size_t x, V16 (*words)[2]) {
  TIER_UNROLLED
  for (unsigned half = 0; half < 2; half++) {
    uint16x8_t loaded[8];
    TIER_UNROLLED
    for (unsigned row = 0; row < 8; row++) {
      loaded[row] = vreinterpretq_u16_u8(vld1q_u8(rows[row + 8 * half] + x));
    }
    transpose(loaded, words, 8, half);
  }
}

// A sample's byte goes beside that of the next column, three bytes on.
TIER_INLINE void rgb_words(const uint8_t *const *rows, size_t byte, V16 (*words)[2]) {
  const uint8x16_t order = {0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, 0, 0, 0, 0};
  TIER_UNROLLED
  for (unsigned half = 0; half < 2; half++) {
    uint16x8_t loaded[8];
    TIER_UNROLLED
    for (unsigned row = 0; row < 8; row++) {
      loaded[row] =
          vreinterpretq_u16_u8(vqtbl1q_u8(vld1q_u8(rows[row + 8 * half] + byte), order));
    }
    transpose(loaded, words, 6, half);
  }
}

TIER_INLINE void store_zipped(int16_t *to, int32x4_t a, int32x4_t b) {
  vst1q_s16(to, vreinterpretq_s16_s64(
                    vzip1q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b))));
  vst1q_s16(to + 128, vreinterpretq_s16_s64(vzip2q_s64(vreinterpretq_s64_s32(a),
                                                       vreinterpretq_s64_s32(b))));
}

// Eight pixels of one row, channel by channel; then pairs of columns of all four.
TIER_INLINE void linear_pixel_row(const uint8_t *row, int16_t *block) {
  const uint8x8x4_t pixels = vld4_u8(row);
  const int16x8_t alpha = widen(pixels.val[3]);
  int32x4_t plane[4];
  TIER_UNROLLED
  for (unsigned i = 0; i < 3; i++) {
    const int16x8_t linear = linear_8_lanes(widen(pixels.val[i]), WK_CURVE_ALPHA);
    plane[i] = vreinterpretq_s32_s16(multiply_15(linear, alpha));
  }
  plane[3] = vreinterpretq_s32_s16(alpha);
  store_zipped(block, vzip1q_s32(plane[0], plane[1]), vzip1q_s32(plane[2], plane[3]));
  store_zipped(block + 256, vzip2q_s32(plane[0], plane[1]), vzip2q_s32(plane[2], plane[3]));
}

TIER_INLINE void linear_pixels(const uint8_t *upper, const uint8_t *lower, int16_t *block) {
  linear_pixel_row(upper, block);
  linear_pixel_row(lower, block + 8);
}

// MARK: Sums

TIER_INLINE V16 splat_pair(const int16_t *weights) {
  int32_t both;
  __builtin_memcpy(&both, weights, sizeof both);
  const int16x8_t weight = vreinterpretq_s16_s32(vdupq_n_s32(both));
  return (V16){weight, weight};
}

TIER_INLINE VSum start_sum(int32_t value) {
  const int32x4_t start = {value, 0, value, 0};
  return (VSum){{start, start, start, start}};
}

TIER_INLINE VSum add_products(VSum sum, V16 weight, V16 samples) {
  return (VSum){
      {vmlal_s16(sum.part[0], vget_low_s16(samples.low), vget_low_s16(weight.low)),
       vmlal_high_s16(sum.part[1], samples.low, weight.low),
       vmlal_s16(sum.part[2], vget_low_s16(samples.high), vget_low_s16(weight.high)),
       vmlal_high_s16(sum.part[3], samples.high, weight.high)}};
}

TIER_INLINE V32 total(VSum sum) {
  return (V32){vpaddq_s32(sum.part[0], sum.part[1]), vpaddq_s32(sum.part[2], sum.part[3])};
}

TIER_INLINE V32 shift_32(V32 value, uint32_t bits) {
  const int32x4_t left = vdupq_n_s32(-(int32_t)bits);
  return (V32){vshlq_s32(value.low, left), vshlq_s32(value.high, left)};
}

TIER_INLINE int16x8_t narrow(int32x4_t low, int32x4_t high) {
  return vqmovn_high_s32(vqmovn_s32(low), high);
}

// Lanes of two vectors of a pair to sixteen rows in order.
TIER_INLINE V16 narrow_rows(V32 first, V32 second) {
  return (V16){narrow(first.low, second.low), narrow(first.high, second.high)};
}

// Sixteen neighbouring sums.
TIER_INLINE V16 narrow_row(V32 low, V32 high) {
  return (V16){narrow(low.low, low.high), narrow(high.low, high.high)};
}

// Two rows of four channels in each vector, stored as two row pairs.
TIER_INLINE void store_two_rows(V32 rows01, V32 rows23, int16_t *upper, int16_t *lower) {
  const int16x8_t even = narrow(rows01.low, rows23.low);
  const int16x8_t odd = narrow(rows01.high, rows23.high);
  vst1q_s16(upper, vzip1q_s16(even, odd));
  vst1q_s16(lower, vzip2q_s16(even, odd));
}

TIER_INLINE void store_two_pairs(int32x4_t ab, int32x4_t cd, int16_t *const *to, size_t place) {
  const int64x2_t first = vreinterpretq_s64_s32(ab);
  const int64x2_t second = vreinterpretq_s64_s32(cd);
  vst1q_s16(to[0] + place, vreinterpretq_s16_s64(vzip1q_s64(first, second)));
  vst1q_s16(to[1] + place, vreinterpretq_s16_s64(vzip2q_s64(first, second)));
}

// Four row pairs of four neighbouring outputs.
TIER_INLINE void store_four_pairs(int16x8_t a, int16x8_t b, int16x8_t c, int16x8_t d,
                                  int16_t *const *to, size_t place) {
  const int32x4_t rows[4] = {vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b),
                             vreinterpretq_s32_s16(c), vreinterpretq_s32_s16(d)};
  store_two_pairs(vzip1q_s32(rows[0], rows[1]), vzip1q_s32(rows[2], rows[3]), to, place);
  store_two_pairs(vzip2q_s32(rows[0], rows[1]), vzip2q_s32(rows[2], rows[3]), to + 2, place);
}

// Sixteen rows of four neighbouring outputs, stored as eight row pairs.
TIER_INLINE void store_outputs(const V16 *rows, const wk_pairs *to, size_t place) {
  store_four_pairs(rows[0].low, rows[1].low, rows[2].low, rows[3].low, to->pair, place);
  store_four_pairs(rows[0].high, rows[1].high, rows[2].high, rows[3].high, to->pair + 4, place);
}

TIER_INLINE V64 load_64(const int64_t *from) {
  return (V64){{vld1q_s64(from), vld1q_s64(from + 2), vld1q_s64(from + 4), vld1q_s64(from + 6)}};
}

TIER_INLINE void store_64(int64_t *to, V64 value) {
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) vst1q_s64(to + 2 * i, value.part[i]);
}

TIER_INLINE V64 add_64_32(V64 wide, V32 sums) {
  return (V64){{vaddw_s32(wide.part[0], vget_low_s32(sums.low)),
                vaddw_high_s32(wide.part[1], sums.low),
                vaddw_s32(wide.part[2], vget_low_s32(sums.high)),
                vaddw_high_s32(wide.part[3], sums.high)}};
}

// MARK: To sRGB

// What one pixel's colours are of its alpha, rounded: wk_unpremultiply's
// operations in their order, of which the caller takes what fits 16 bits.
TIER_INLINE int32x4_t quotients(int16x4_t pixel) {
  const float32x4_t value = vcvtq_f32_s32(vmovl_s16(pixel));
  const float32x4_t alpha = vdupq_laneq_f32(value, 3);
  const float32x4_t scale = vdivq_f32(vdupq_n_f32((float)WK_OPAQUE), alpha);
  const float32x4_t quotient = vmulq_f32(value, scale);
  return vcvtq_s32_f32(vaddq_f32(quotient, vdupq_n_f32(0.5f)));
}

// wk_finish_pixel up to the table, two pixels.
TIER_INLINE int16x8_t places_of_two(int16x8_t pixels) {
  const uint8x16_t alphas = {6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15};
  const uint16x8_t is_alpha = {0, 0, 0, 0xFFFF, 0, 0, 0, 0xFFFF};
  const int16x8_t values = vmaxq_s16(pixels, vdupq_n_s16(0));
  int16x8_t place =
      narrow(quotients(vget_low_s16(values)), quotients(vget_high_s16(values)));
  place = vminq_s16(place, vdupq_n_s16(WK_WHITE));
  // Without alpha the quotient is no number: the mask makes its place 0.
  const int16x8_t alpha =
      vreinterpretq_s16_u8(vqtbl1q_u8(vreinterpretq_u8_s16(values), alphas));
  const uint16x8_t seen = vcgtq_s16(alpha, vdupq_n_s16(31));
  place = vandq_s16(place, vreinterpretq_s16_u16(seen));
  const int16x8_t alpha8 = vrshrq_n_s16(vminq_s16(values, vdupq_n_s16(WK_OPAQUE)), 6);
  return vbslq_s16(is_alpha, alpha8, place);
}

TIER_INLINE V16 pixel_places(V16 pixels) {
  return (V16){places_of_two(pixels.low), places_of_two(pixels.high)};
}

#include "vector_loops.h"

const wk_kernels wk_neon_kernels = {
    .linear_grey8 = linear_grey8,
    .linear_rgb8 = linear_rgb8,
    .linear_rgba8 = linear_rgba8,
    .horizontal1 = horizontal1,
    .horizontal3 = horizontal3,
    .horizontal4 = horizontal4,
    .gather1 = gather1,
    .gather3 = gather3,
    .gather4 = gather4,
    .vertical = vertical,
    .accumulate = accumulate,
    .finish_rgba = finish_rgba,
};

#endif
