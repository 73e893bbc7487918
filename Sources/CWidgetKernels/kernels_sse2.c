// SSE2: the same integers in pairs of vectors of eight lanes. What later sets
// have an instruction for is made of several here, exactly.
//
// Every x86-64 processor has it.
#include "law.h"

#if defined(__x86_64__)

#include <emmintrin.h>

// A vector of sums takes two registers of sixteen.
#define WEIGHED_AT_ONCE 6
#define PIXELS_AT_ONCE 8
#define TIER_INLINE __attribute__((always_inline)) static inline
#define TIER_UNROLLED _Pragma("clang loop unroll(full)")

typedef struct pair128 {
  __m128i low, high;
} pair128;
typedef pair128 V16;
typedef pair128 V32;
typedef pair128 VSum;
typedef struct V64 {
  __m128i part[4];
} V64;

TIER_INLINE __m128i load_128(const void *from) { return _mm_loadu_si128((const __m128i *)from); }
TIER_INLINE void store_128(void *to, __m128i value) { _mm_storeu_si128((__m128i *)to, value); }

TIER_INLINE V16 load_16(const int16_t *from) {
  return (V16){load_128(from), load_128(from + 8)};
}

TIER_INLINE void store_16(int16_t *to, V16 value) {
  store_128(to, value.low);
  store_128(to + 8, value.high);
}

// MARK: To linear light

// Samples are twice their 15-bit fraction until the end, since that is what
// interleaving with zeros gives and what products are made of: with a and b in
// 0 to 32767, (2a * 2b) >> 16 is (a * b) >> 14, and half of that, rounded up,
// the law's product.
TIER_INLINE __m128i doubled_product(__m128i a, __m128i b) { return _mm_mulhi_epu16(a, b); }

TIER_INLINE __m128i rounded_half(__m128i value) {
  return _mm_avg_epu16(value, _mm_setzero_si128());
}

// Twice the rounded half of `value` plus `added`, of which `twice` is 2 added + 1.
TIER_INLINE __m128i twice_rounded(__m128i value, int twice) {
  return _mm_and_si128(_mm_add_epi16(value, _mm_set1_epi16((short)twice)), _mm_set1_epi16(-2));
}

TIER_INLINE __m128i linear_8_lanes(__m128i x, wk_curve curve) {
  const __m128i above = _mm_subs_epu16(x, _mm_set1_epi16((short)(2 * curve.knee)));
  // The quartic term is negative: half of `above` as it is, times four times it.
  const __m128i quartic =
      _mm_mulhi_epi16(_mm_srli_epi16(above, 1), _mm_set1_epi16((short)(4 * curve.quartic)));
  __m128i y = twice_rounded(quartic, 2 * curve.cubic + 1);
  y = twice_rounded(doubled_product(y, above), 2 * curve.square + 1);
  const __m128i square = twice_rounded(doubled_product(above, above), 1);
  y = rounded_half(doubled_product(y, square));
  const __m128i line = doubled_product(x, _mm_set1_epi16((short)(2 * curve.slope)));
  return _mm_add_epi16(rounded_half(line), y);
}

TIER_INLINE V16 linear_16(V16 x, wk_curve curve) {
  return (V16){linear_8_lanes(x.low, curve), linear_8_lanes(x.high, curve)};
}

// Keeps the compiler from looking through `value`: it would join shuffles to
// ones that this set must make of several.
TIER_INLINE __m128i opaque(__m128i value) {
  __asm__("" : "+x"(value));
  return value;
}

TIER_INLINE __m128i widen_first(__m128i bytes) {
  return opaque(_mm_unpacklo_epi8(_mm_setzero_si128(), bytes));
}

TIER_INLINE __m128i widen_last(__m128i bytes) {
  return opaque(_mm_unpackhi_epi8(_mm_setzero_si128(), bytes));
}

// Half of the lanes of one pair of columns: the pair's bytes in eight rows.
TIER_INLINE void put_half(V16 *word, __m128i bytes, unsigned half) {
  if (half == 0) {
    word[0].low = widen_first(bytes);
    word[1].low = widen_last(bytes);
  } else {
    word[0].high = widen_first(bytes);
    word[1].high = widen_last(bytes);
  }
}

// Eight words of eight rows become eight rows of each word.
TIER_INLINE void grey_half(const uint8_t *const *rows, size_t x, V16 (*words)[2], unsigned half) {
  __m128i row[8], two[8], four[8];
  TIER_UNROLLED
  for (unsigned i = 0; i < 8; i++) row[i] = load_128(rows[i] + x);
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) {
    two[2 * i] = _mm_unpacklo_epi16(row[2 * i], row[2 * i + 1]);
    two[2 * i + 1] = _mm_unpackhi_epi16(row[2 * i], row[2 * i + 1]);
  }
  TIER_UNROLLED
  for (unsigned i = 0; i < 2; i++) {
    four[4 * i] = _mm_unpacklo_epi32(two[4 * i], two[4 * i + 2]);
    four[4 * i + 1] = _mm_unpackhi_epi32(two[4 * i], two[4 * i + 2]);
    four[4 * i + 2] = _mm_unpacklo_epi32(two[4 * i + 1], two[4 * i + 3]);
    four[4 * i + 3] = _mm_unpackhi_epi32(two[4 * i + 1], two[4 * i + 3]);
  }
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) {
    put_half(words[2 * i], _mm_unpacklo_epi64(four[i], four[i + 4]), half);
    put_half(words[2 * i + 1], _mm_unpackhi_epi64(four[i], four[i + 4]), half);
  }
}

TIER_INLINE void grey_words(const uint8_t *const *rows, size_t x, V16 (*words)[2]) {
  grey_half(rows, x, words, 0);
  grey_half(rows + 8, x, words, 1);
}

// Twelve bytes of eight rows become eight rows of each byte; then a sample's
// byte goes beside that of the next column, three bytes on.
TIER_INLINE void rgb_half(const uint8_t *const *rows, size_t byte, V16 (*words)[2],
                          unsigned half) {
  __m128i row[8], two[8], four[6], byte_pairs[6];
  TIER_UNROLLED
  for (unsigned i = 0; i < 8; i++) row[i] = load_128(rows[i] + byte);
  // Rows 0 and 4, 1 and 5, and so on: bytes 0 to 7, and 8 to 11.
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) {
    two[i] = _mm_unpacklo_epi8(row[i], row[i + 4]);
    two[i + 4] = _mm_unpackhi_epi8(row[i], row[i + 4]);
  }
  // Even rows and odd ones: bytes 0 to 3, 4 to 7, and 8 to 11.
  TIER_UNROLLED
  for (unsigned i = 0; i < 2; i++) {
    four[i] = _mm_unpacklo_epi8(two[i], two[i + 2]);
    four[i + 2] = _mm_unpackhi_epi8(two[i], two[i + 2]);
    four[i + 4] = _mm_unpacklo_epi8(two[i + 4], two[i + 6]);
  }
  TIER_UNROLLED
  for (unsigned i = 0; i < 3; i++) {
    byte_pairs[2 * i] = _mm_unpacklo_epi8(four[2 * i], four[2 * i + 1]);
    byte_pairs[2 * i + 1] = _mm_unpackhi_epi8(four[2 * i], four[2 * i + 1]);
  }
  TIER_UNROLLED
  for (unsigned i = 0; i < 6; i++) {
    // Bytes 0 to 2 have their neighbours at 3 to 5, bytes 6 to 8 at 9 to 11.
    const unsigned left = i < 3 ? i : i + 3;
    const unsigned right = left + 3;
    const __m128i first = byte_pairs[left / 2];
    const __m128i second = byte_pairs[right / 2];
    put_half(words[i],
             left % 2 ? _mm_unpacklo_epi8(_mm_srli_si128(first, 8), second)
                      : _mm_unpacklo_epi8(first, _mm_srli_si128(second, 8)),
             half);
  }
}

TIER_INLINE void rgb_words(const uint8_t *const *rows, size_t byte, V16 (*words)[2]) {
  rgb_half(rows, byte, words, 0);
  rgb_half(rows + 8, byte, words, 1);
}

// Eight pixels of one row, channel by channel, so that no lane of alpha goes
// through the curve; then pairs of columns of all four.
TIER_INLINE void linear_pixel_row(const uint8_t *row, int16_t *block) {
  const __m128i first = load_128(row);
  const __m128i last = load_128(row + 16);
  // Pixels 0, 4, 1 and 5, and the others; even ones and odd ones; all in order.
  const __m128i low = opaque(_mm_unpacklo_epi8(first, last));
  const __m128i high = opaque(_mm_unpackhi_epi8(first, last));
  const __m128i even = opaque(_mm_unpacklo_epi8(low, high));
  const __m128i odd = opaque(_mm_unpackhi_epi8(low, high));
  const __m128i red_green = opaque(_mm_unpacklo_epi8(even, odd));
  const __m128i blue_alpha = opaque(_mm_unpackhi_epi8(even, odd));
  const __m128i alpha = widen_last(blue_alpha);
  __m128i colour[3] = {widen_first(red_green), widen_last(red_green), widen_first(blue_alpha)};
  TIER_UNROLLED
  for (unsigned i = 0; i < 3; i++) {
    const __m128i linear = linear_8_lanes(colour[i], WK_CURVE_ALPHA);
    colour[i] = rounded_half(doubled_product(_mm_add_epi16(linear, linear), alpha));
  }
  const __m128i plain = _mm_srli_epi16(alpha, 1);
  const __m128i red_green_low = opaque(_mm_unpacklo_epi32(colour[0], colour[1]));
  const __m128i red_green_high = opaque(_mm_unpackhi_epi32(colour[0], colour[1]));
  const __m128i blue_alpha_low = opaque(_mm_unpacklo_epi32(colour[2], plain));
  const __m128i blue_alpha_high = opaque(_mm_unpackhi_epi32(colour[2], plain));
  store_128(block, _mm_unpacklo_epi64(red_green_low, blue_alpha_low));
  store_128(block + 128, _mm_unpackhi_epi64(red_green_low, blue_alpha_low));
  store_128(block + 256, _mm_unpacklo_epi64(red_green_high, blue_alpha_high));
  store_128(block + 384, _mm_unpackhi_epi64(red_green_high, blue_alpha_high));
}

TIER_INLINE void linear_pixels(const uint8_t *upper, const uint8_t *lower, int16_t *block) {
  linear_pixel_row(upper, block);
  linear_pixel_row(lower, block + 8);
}

// MARK: Sums

TIER_INLINE V16 splat_pair(const int16_t *weights) {
  int32_t both;
  __builtin_memcpy(&both, weights, sizeof both);
  const __m128i weight = _mm_set1_epi32(both);
  return (V16){weight, weight};
}

TIER_INLINE VSum start_sum(int32_t value) {
  return (VSum){_mm_set1_epi32(value), _mm_set1_epi32(value)};
}

TIER_INLINE VSum add_products(VSum sum, V16 weight, V16 samples) {
  return (VSum){_mm_add_epi32(sum.low, _mm_madd_epi16(samples.low, weight.low)),
                _mm_add_epi32(sum.high, _mm_madd_epi16(samples.high, weight.high))};
}

TIER_INLINE V32 total(VSum sum) { return sum; }

TIER_INLINE V32 shift_32(V32 value, uint32_t bits) {
  const __m128i count = _mm_cvtsi32_si128((int)bits);
  return (V32){_mm_sra_epi32(value.low, count), _mm_sra_epi32(value.high, count)};
}

// Lanes of two vectors of a pair to sixteen rows in order.
TIER_INLINE V16 narrow_rows(V32 first, V32 second) {
  return (V16){_mm_packs_epi32(first.low, second.low), _mm_packs_epi32(first.high, second.high)};
}

// Sixteen neighbouring sums.
TIER_INLINE V16 narrow_row(V32 low, V32 high) {
  return (V16){_mm_packs_epi32(low.low, low.high), _mm_packs_epi32(high.low, high.high)};
}

// Two rows of four channels in each vector, stored as two row pairs.
TIER_INLINE void store_two_rows(V32 rows01, V32 rows23, int16_t *upper, int16_t *lower) {
  const __m128i even = _mm_packs_epi32(rows01.low, rows23.low);
  const __m128i odd = _mm_packs_epi32(rows01.high, rows23.high);
  store_128(upper, _mm_unpacklo_epi16(even, odd));
  store_128(lower, _mm_unpackhi_epi16(even, odd));
}

// Four row pairs of four neighbouring outputs.
TIER_INLINE void store_four_pairs(__m128i a, __m128i b, __m128i c, __m128i d,
                                  int16_t *const *to, size_t place) {
  const __m128i low_ab = _mm_unpacklo_epi32(a, b);
  const __m128i high_ab = _mm_unpackhi_epi32(a, b);
  const __m128i low_cd = _mm_unpacklo_epi32(c, d);
  const __m128i high_cd = _mm_unpackhi_epi32(c, d);
  store_128(to[0] + place, _mm_unpacklo_epi64(low_ab, low_cd));
  store_128(to[1] + place, _mm_unpackhi_epi64(low_ab, low_cd));
  store_128(to[2] + place, _mm_unpacklo_epi64(high_ab, high_cd));
  store_128(to[3] + place, _mm_unpackhi_epi64(high_ab, high_cd));
}

// Sixteen rows of four neighbouring outputs, stored as eight row pairs.
TIER_INLINE void store_outputs(const V16 *rows, const wk_pairs *to, size_t place) {
  store_four_pairs(rows[0].low, rows[1].low, rows[2].low, rows[3].low, to->pair, place);
  store_four_pairs(rows[0].high, rows[1].high, rows[2].high, rows[3].high, to->pair + 4, place);
}

TIER_INLINE V64 load_64(const int64_t *from) {
  return (V64){{load_128(from), load_128(from + 2), load_128(from + 4), load_128(from + 6)}};
}

TIER_INLINE void store_64(int64_t *to, V64 value) {
  TIER_UNROLLED
  for (unsigned i = 0; i < 4; i++) store_128(to + 2 * i, value.part[i]);
}

TIER_INLINE V64 add_64_32(V64 wide, V32 sums) {
  const __m128i sign_low = _mm_srai_epi32(sums.low, 31);
  const __m128i sign_high = _mm_srai_epi32(sums.high, 31);
  return (V64){{_mm_add_epi64(wide.part[0], _mm_unpacklo_epi32(sums.low, sign_low)),
                _mm_add_epi64(wide.part[1], _mm_unpackhi_epi32(sums.low, sign_low)),
                _mm_add_epi64(wide.part[2], _mm_unpacklo_epi32(sums.high, sign_high)),
                _mm_add_epi64(wide.part[3], _mm_unpackhi_epi32(sums.high, sign_high))}};
}

// MARK: To sRGB

// What one pixel's colours are of its alpha, rounded: wk_unpremultiply's
// operations in their order, of which the caller takes what fits 16 bits.
TIER_INLINE __m128i quotients(__m128i pixel) {
  const __m128 value = _mm_cvtepi32_ps(pixel);
  const __m128 alpha = _mm_shuffle_ps(value, value, 0xFF);
  const __m128 scale = _mm_div_ps(_mm_set1_ps((float)WK_OPAQUE), alpha);
  return _mm_cvttps_epi32(_mm_add_ps(_mm_mul_ps(value, scale), _mm_set1_ps(0.5f)));
}

// wk_finish_pixel up to the table, two pixels.
TIER_INLINE __m128i places_of_two(__m128i pixels) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i values = _mm_max_epi16(pixels, zero);
  __m128i place = _mm_packs_epi32(quotients(_mm_unpacklo_epi16(values, zero)),
                                  quotients(_mm_unpackhi_epi16(values, zero)));
  place = _mm_min_epi16(place, _mm_set1_epi16(WK_WHITE));
  // Without alpha the quotient is no number: the mask makes its place 0.
  __m128i alpha = _mm_shufflelo_epi16(values, 0xFF);
  alpha = _mm_shufflehi_epi16(alpha, 0xFF);
  place = _mm_and_si128(place, _mm_cmpgt_epi16(alpha, _mm_set1_epi16(31)));
  const __m128i alpha8 = _mm_srli_epi16(
      _mm_add_epi16(_mm_min_epi16(values, _mm_set1_epi16(WK_OPAQUE)), _mm_set1_epi16(32)), 6);
  const __m128i is_alpha = _mm_set_epi16(-1, 0, 0, 0, -1, 0, 0, 0);
  return _mm_or_si128(_mm_andnot_si128(is_alpha, place), _mm_and_si128(is_alpha, alpha8));
}

TIER_INLINE V16 pixel_places(V16 pixels) {
  return (V16){places_of_two(pixels.low), places_of_two(pixels.high)};
}

#include "vector_loops.h"

const wk_kernels wk_sse2_kernels = {
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
