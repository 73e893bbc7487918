// AVX2: the same integers, sixteen lanes at a time.
#include "law.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define WEIGHED_AT_ONCE 8
#define PIXELS_AT_ONCE 4
#define TIER_INLINE __attribute__((always_inline)) static inline
#define TIER_UNROLLED _Pragma("clang loop unroll(full)")

typedef __m256i V16;
typedef __m256i V32;
typedef __m256i VSum;
typedef struct V64 {
  __m256i low, high;
} V64;

TIER_INLINE __m128i load_bytes(const uint8_t *from) {
  return _mm_loadu_si128((const __m128i *)(const void *)from);
}

TIER_INLINE V16 load_16(const int16_t *from) {
  return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

TIER_INLINE void store_16(int16_t *to, V16 value) {
  _mm256_storeu_si256((__m256i *)(void *)to, value);
}

TIER_INLINE V16 splat_16(int16_t value) { return _mm256_set1_epi16(value); }
TIER_INLINE V16 add_16(V16 a, V16 b) { return _mm256_add_epi16(a, b); }
TIER_INLINE V16 multiply_15(V16 a, V16 b) { return _mm256_mulhrs_epi16(a, b); }

// What `x` is over `limit`, 0 where it is not; neither is negative.
TIER_INLINE V16 above_16(V16 x, V16 limit) { return _mm256_subs_epu16(x, limit); }

// Keeps the compiler from looking through `value`: it would split shuffles in
// two and compare bytes that it has to widen again.
TIER_INLINE V16 opaque(V16 value) {
  __asm__("" : "+x"(value));
  return value;
}

TIER_INLINE V16 load_halves(const uint8_t *low, const uint8_t *high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load_bytes(low)), load_bytes(high), 1);
}

// Eight words of rows k and k + 8 in each of eight vectors become one word of
// sixteen rows each; the bytes of a word are widened to 15-bit fractions.
TIER_INLINE void transpose(const V16 *rows, V16 (*words)[2], unsigned count) {
  __m256i two[8], four[8];
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) {
    two[2 * i] = _mm256_unpacklo_epi16(rows[2 * i], rows[2 * i + 1]);
    two[2 * i + 1] = _mm256_unpackhi_epi16(rows[2 * i], rows[2 * i + 1]);
  }
  TIER_UNROLLED
  for (unsigned i = 0; i < 2; i++) {
    four[4 * i] = _mm256_unpacklo_epi32(two[4 * i], two[4 * i + 2]);
    four[4 * i + 1] = _mm256_unpackhi_epi32(two[4 * i], two[4 * i + 2]);
    four[4 * i + 2] = _mm256_unpacklo_epi32(two[4 * i + 1], two[4 * i + 3]);
    four[4 * i + 3] = _mm256_unpackhi_epi32(two[4 * i + 1], two[4 * i + 3]);
  }
  const __m256i zero = _mm256_setzero_si256();
  TIER_UNROLLED
  for (unsigned word = 0; word < count; word++) {
    const __m256i bytes = word & 1 ? _mm256_unpackhi_epi64(four[word / 2], four[word / 2 + 4])
                                   : _mm256_unpacklo_epi64(four[word / 2], four[word / 2 + 4]);
    words[word][0] = opaque(_mm256_srli_epi16(_mm256_unpacklo_epi8(zero, bytes), 1));
    words[word][1] = opaque(_mm256_srli_epi16(_mm256_unpackhi_epi8(zero, bytes), 1));
  }
}

TIER_INLINE void grey_words(const uint8_t *const *rows, size_t x, V16 (*words)[2]) {
  V16 loaded[8];
  TIER_UNROLLED
  for (unsigned row = 0; row < 8; row++) {
    loaded[row] = load_halves(rows[row] + x, rows[row + 8] + x);
  }
  transpose(loaded, words, 8);
}

TIER_INLINE void rgb_words(const uint8_t *const *rows, size_t byte, V16 (*words)[2]) {
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, -1, -1, -1, -1));
  V16 loaded[8];
  TIER_UNROLLED
  for (unsigned row = 0; row < 8; row++) {
    loaded[row] =
        opaque(_mm256_shuffle_epi8(load_halves(rows[row] + byte, rows[row + 8] + byte), order));
  }
  transpose(loaded, words, 6);
}

TIER_INLINE V16 linear_16(V16 x, wk_curve curve) {
  const V16 above = above_16(x, splat_16(curve.knee));
  V16 y = add_16(multiply_15(splat_16(curve.quartic), above), splat_16(curve.cubic));
  y = add_16(multiply_15(y, above), splat_16(curve.square));
  y = multiply_15(y, multiply_15(above, above));
  return add_16(multiply_15(x, splat_16(curve.slope)), y);
}

TIER_INLINE V16 premultiply(V16 colour, V16 x) {
  const V16 alpha = _mm256_shuffle_epi32(x, 0xFF);
  return _mm256_blend_epi16(multiply_15(colour, alpha), x, 0xC0);
}

// Two pairs of columns of two rows, widened. Bytes land in the high half of
// their lanes.
TIER_INLINE void rgba_words(const uint8_t *upper, const uint8_t *lower, V16 *pair) {
  const __m256i first = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(-1, 0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7));
  const __m256i second = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(-1, 8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15));
  const __m256i both = load_halves(upper, lower);
  pair[0] = opaque(_mm256_srli_epi16(_mm256_shuffle_epi8(both, first), 1));
  pair[1] = opaque(_mm256_srli_epi16(_mm256_shuffle_epi8(both, second), 1));
}

TIER_INLINE void linear_pixels(const uint8_t *upper, const uint8_t *lower, int16_t *block) {
  V16 pair[2];
  rgba_words(upper, lower, pair);
  TIER_UNROLLED
  for (unsigned i = 0; i < 2; i++) {
    store_16(block + 128 * i, premultiply(linear_16(pair[i], WK_CURVE_ALPHA), pair[i]));
  }
}

TIER_INLINE V16 splat_pair(const int16_t *weights) {
  int32_t both;
  __builtin_memcpy(&both, weights, sizeof both);
  return _mm256_set1_epi32(both);
}

TIER_INLINE VSum start_sum(int32_t value) { return _mm256_set1_epi32(value); }
TIER_INLINE VSum add_products(VSum sum, V16 weight, V16 samples) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(weight, samples));
}
TIER_INLINE V32 total(VSum sum) { return sum; }

TIER_INLINE V32 shift_32(V32 value, uint32_t bits) {
  return _mm256_sra_epi32(value, _mm_cvtsi32_si128((int)bits));
}

// Lanes of two vectors of a pair to sixteen rows in order.
TIER_INLINE V16 narrow_rows(V32 first, V32 second) { return _mm256_packs_epi32(first, second); }

// Sixteen neighbouring sums.
TIER_INLINE V16 narrow_row(V32 low, V32 high) {
  return _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
}

TIER_INLINE void store_half(int16_t *to, __m128i value) {
  _mm_storeu_si128((__m128i *)(void *)to, value);
}

// Two rows of four channels in each vector, stored as two row pairs.
TIER_INLINE void store_two_rows(V32 rows01, V32 rows23, int16_t *upper, int16_t *lower) {
  // Rows 0 and 2 in the low half, 1 and 3 in the high half.
  __m256i packed = _mm256_packs_epi32(rows01, rows23);
  __m128i even = _mm256_castsi256_si128(packed);
  __m128i odd = _mm256_extracti128_si256(packed, 1);
  store_half(upper, _mm_unpacklo_epi16(even, odd));
  store_half(lower, _mm_unpackhi_epi16(even, odd));
}

// Sixteen rows of four neighbouring outputs, stored as eight row pairs.
TIER_INLINE void store_outputs(const V16 *rows, const wk_pairs *to, size_t place) {
  const __m256i low01 = _mm256_unpacklo_epi32(rows[0], rows[1]);
  const __m256i high01 = _mm256_unpackhi_epi32(rows[0], rows[1]);
  const __m256i low23 = _mm256_unpacklo_epi32(rows[2], rows[3]);
  const __m256i high23 = _mm256_unpackhi_epi32(rows[2], rows[3]);
  const __m256i pairs[4] = {
      _mm256_unpacklo_epi64(low01, low23), _mm256_unpackhi_epi64(low01, low23),
      _mm256_unpacklo_epi64(high01, high23), _mm256_unpackhi_epi64(high01, high23)};
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) {
    store_half(to->pair[i] + place, _mm256_castsi256_si128(pairs[i]));
    store_half(to->pair[i + 4] + place, _mm256_extracti128_si256(pairs[i], 1));
  }
}

TIER_INLINE V64 load_64(const int64_t *from) {
  const __m256i *at = (const __m256i *)(const void *)from;
  return (V64){_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1)};
}

TIER_INLINE void store_64(int64_t *to, V64 value) {
  __m256i *at = (__m256i *)(void *)to;
  _mm256_storeu_si256(at, value.low);
  _mm256_storeu_si256(at + 1, value.high);
}

TIER_INLINE V64 add_64_32(V64 wide, V32 sums) {
  return (V64){
      _mm256_add_epi64(wide.low, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums))),
      _mm256_add_epi64(wide.high, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1)))};
}

// wk_finish_pixel up to the table, two pixels: the law's operations in its order.
TIER_INLINE V32 places_of_two(V32 pixels) {
  const __m256i white = _mm256_set1_epi32(WK_WHITE);
  const __m256i values = _mm256_max_epi32(pixels, _mm256_setzero_si256());
  const __m256i alpha = _mm256_shuffle_epi32(values, 0xFF);
  const __m256 scale = _mm256_div_ps(_mm256_set1_ps((float)WK_OPAQUE), _mm256_cvtepi32_ps(alpha));
  __m256 quotient = _mm256_mul_ps(_mm256_cvtepi32_ps(values), scale);
  quotient = _mm256_add_ps(quotient, _mm256_set1_ps(0.5f));
  // Without alpha the quotient is no number: the mask makes its place 0.
  __m256i place = _mm256_min_epi32(_mm256_cvttps_epi32(quotient), white);
  place = _mm256_and_si256(place, _mm256_cmpgt_epi32(alpha, _mm256_set1_epi32(31)));
  const __m256i alpha8 = _mm256_srli_epi32(
      _mm256_add_epi32(_mm256_min_epi32(alpha, _mm256_set1_epi32(WK_OPAQUE)),
                       _mm256_set1_epi32(32)),
      6);
  return _mm256_blend_epi32(place, alpha8, 0x88);
}

TIER_INLINE V16 pixel_places(V16 pixels) {
  return narrow_row(
      places_of_two(_mm256_cvtepi16_epi32(_mm256_castsi256_si128(pixels))),
      places_of_two(_mm256_cvtepi16_epi32(_mm256_extracti128_si256(pixels, 1))));
}

#include "vector_loops.h"

const wk_kernels wk_avx2_kernels = {
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

#pragma clang attribute pop

#endif
