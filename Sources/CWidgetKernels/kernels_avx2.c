// AVX2: the same integers, sixteen lanes at a time.
#include "law.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

AVX2_INLINE __m256i load(const int16_t *from) {
  return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

AVX2_INLINE void store(int16_t *to, __m256i value) {
  _mm256_storeu_si256((__m256i *)(void *)to, value);
}

AVX2_INLINE __m256i widen_8(__m256i samples) {
  return _mm256_or_si256(_mm256_slli_epi16(samples, 7), _mm256_srli_epi16(samples, 1));
}

AVX2_INLINE __m256i linear_15(__m256i x) {
  __m256i y = _mm256_mulhrs_epi16(_mm256_set1_epi16(WK_POLY_4), x);
  y = _mm256_add_epi16(y, _mm256_set1_epi16(WK_POLY_3));
  y = _mm256_add_epi16(_mm256_mulhrs_epi16(y, x), _mm256_set1_epi16(WK_POLY_2));
  y = _mm256_add_epi16(_mm256_mulhrs_epi16(y, x), _mm256_set1_epi16(WK_POLY_1));
  y = _mm256_add_epi16(_mm256_mulhrs_epi16(y, x), _mm256_set1_epi16(WK_POLY_0));
  __m256i straight = _mm256_mulhrs_epi16(x, _mm256_set1_epi16(WK_SLOPE));
  __m256i below = _mm256_cmpgt_epi16(_mm256_set1_epi16(WK_KNEE), x);
  return _mm256_blendv_epi8(y, straight, below);
}

// The last pixels of a row go through a padded copy, so that the vector loop
// needs no second form. `bytes` a pixel of the source, at most 16 pixels.
#define TAIL_PIXELS 16

AVX2 static void linear_grey8(const uint8_t *source, int16_t *target, uint32_t width) {
  uint32_t x = 0;
  for (; x + 16 <= width; x += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(source + x));
    store(target + x, linear_15(widen_8(_mm256_cvtepu8_epi16(bytes))));
  }
  uint8_t tail[TAIL_PIXELS] = {0};
  memcpy(tail, source + x, width - x);
  __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)tail);
  if (x < width) {
    store(target + x, linear_15(widen_8(_mm256_cvtepu8_epi16(bytes))));
    x += 16;
  }
  store(target + x, _mm256_setzero_si256());
}

AVX2_INLINE __m256i rgb_pairs(const uint8_t *source) {
  const __m128i order = _mm_setr_epi8(0, 3, 1, 4, 2, 5, -1, -1, 6, 9, 7, 10, 8, 11, -1, -1);
  __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)source);
  return linear_15(widen_8(_mm256_cvtepu8_epi16(_mm_shuffle_epi8(bytes, order))));
}

AVX2 static void linear_rgb8(const uint8_t *source, int16_t *target, uint32_t width) {
  uint32_t x = 0;
  // 16 bytes are read for 12: the last six pixels stay outside the loop.
  for (; x + 6 <= width; x += 4) store(target + 4 * (size_t)x, rgb_pairs(source + 3 * (size_t)x));
  uint8_t tail[3 * 8 + 16] = {0};
  memcpy(tail, source + 3 * (size_t)x, 3 * (size_t)(width - x));
  for (uint32_t at = 0; x < width; x += 4, at += 4) {
    store(target + 4 * (size_t)x, rgb_pairs(tail + 3 * at));
  }
  store(target + 4 * (size_t)x, _mm256_setzero_si256());
}

AVX2_INLINE __m256i rgba_pairs(const uint8_t *source) {
  const __m128i order = _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
  const __m256i spread = _mm256_setr_epi8(
      12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, -1, -1, -1, -1, 12, 13, 14, 15, 12, 13, 14,
      15, 12, 13, 14, 15, -1, -1, -1, -1);
  __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)source);
  __m256i x = widen_8(_mm256_cvtepu8_epi16(_mm_shuffle_epi8(bytes, order)));
  __m256i premultiplied = _mm256_mulhrs_epi16(linear_15(x), _mm256_shuffle_epi8(x, spread));
  return _mm256_blend_epi16(premultiplied, x, 0xC0);
}

AVX2 static void linear_rgba8(const uint8_t *source, int16_t *target, uint32_t width) {
  uint32_t x = 0;
  for (; x + 4 <= width; x += 4) {
    store(target + 4 * (size_t)x, rgba_pairs(source + 4 * (size_t)x));
  }
  if (x < width) {
    uint8_t tail[16] = {0};
    memcpy(tail, source + 4 * (size_t)x, 4 * (size_t)(width - x));
    store(target + 4 * (size_t)x, rgba_pairs(tail));
    x += 4;
  }
  store(target + 4 * (size_t)x, _mm256_setzero_si256());
}

// Two pairs of weights, each in all four channels of its half.
AVX2_INLINE __m256i spread_weights(const int16_t *weights) {
  const __m256i order = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
  __m128i four = _mm_loadl_epi64((const __m128i *)(const void *)weights);
  return _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(four), order);
}

// Four rows of four 32-bit sums, rounded to 14 bits and stored as row pairs.
AVX2_INLINE void store_pairs4(__m256i rows01, __m256i rows23, int16_t *upper, int16_t *lower) {
  // packs: row 0, row 2 in the low half, row 1, row 3 in the high half.
  __m256i packed = _mm256_packs_epi32(rows01, rows23);
  __m128i even = _mm256_castsi256_si128(packed);
  __m128i odd = _mm256_extracti128_si256(packed, 1);
  _mm_storeu_si128((__m128i *)(void *)upper, _mm_unpacklo_epi16(even, odd));
  _mm_storeu_si128((__m128i *)(void *)lower, _mm_unpackhi_epi16(even, odd));
}

AVX2_INLINE __m256i halves_added(__m256i a, __m256i b) {
  return _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20),
                          _mm256_permute2x128_si256(a, b, 0x31));
}

AVX2_INLINE int16_t rounded_14(int64_t sum, uint32_t scale) {
  uint32_t shift = scale + 1;
  return wk_saturate_16((sum + ((int64_t)1 << (shift - 1))) >> shift);
}

// Adds eight 32-bit sums to two by four 64-bit ones.
AVX2_INLINE void carry(__m256i sums, __m256i wide[2]) {
  wide[0] = _mm256_add_epi64(wide[0], _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums)));
  wide[1] = _mm256_add_epi64(wide[1], _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1)));
}

AVX2 static void horizontal4_wide(const int16_t *const *rows, const wk_axis *axis,
                                  int16_t *upper, int16_t *lower) {
  for (uint32_t i = 0; i < axis->count; i++) {
    const int16_t *weights = axis->weights + axis->offset[i];
    const uint32_t groups = axis->groups[i];
    const size_t start = 4 * (size_t)axis->first[i];
    for (uint32_t row = 0; row < 4; row++) {
      const int16_t *from = rows[row] + start;
      __m256i wide[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
      for (uint32_t group = 0; group < groups;) {
        uint32_t end = groups - group < axis->carry ? groups : group + axis->carry;
        __m256i sums = _mm256_setzero_si256();
        for (; group < end; group++) {
          sums = _mm256_add_epi32(
              sums, _mm256_madd_epi16(spread_weights(weights + 4 * group), load(from + 16 * group)));
        }
        carry(sums, wide);
      }
      int64_t sum[4];
      _mm256_storeu_si256((__m256i *)(void *)sum, _mm256_add_epi64(wide[0], wide[1]));
      int16_t *pair = (row < 2 ? upper : lower) + 8 * (size_t)i + (row & 1);
      for (uint32_t channel = 0; channel < 4; channel++) {
        pair[2 * channel] = rounded_14(sum[channel], axis->scale);
      }
    }
  }
}

AVX2 static void horizontal4(const int16_t *const *rows, const wk_axis *axis, int16_t *upper,
                             int16_t *lower) {
  if (axis->carry) {
    horizontal4_wide(rows, axis, upper, lower);
    return;
  }
  const __m256i half = _mm256_set1_epi32(1 << axis->scale);
  const __m128i shift = _mm_cvtsi32_si128((int)axis->scale + 1);
  for (uint32_t i = 0; i < axis->count; i++) {
    const int16_t *weights = axis->weights + axis->offset[i];
    const uint32_t groups = axis->groups[i];
    const size_t start = 4 * (size_t)axis->first[i];
    const int16_t *row0 = rows[0] + start, *row1 = rows[1] + start;
    const int16_t *row2 = rows[2] + start, *row3 = rows[3] + start;
    __m256i sum0 = _mm256_setzero_si256(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (uint32_t group = 0; group < groups; group++) {
      const __m256i weight = spread_weights(weights + 4 * group);
      sum0 = _mm256_add_epi32(sum0, _mm256_madd_epi16(weight, load(row0 + 16 * group)));
      sum1 = _mm256_add_epi32(sum1, _mm256_madd_epi16(weight, load(row1 + 16 * group)));
      sum2 = _mm256_add_epi32(sum2, _mm256_madd_epi16(weight, load(row2 + 16 * group)));
      sum3 = _mm256_add_epi32(sum3, _mm256_madd_epi16(weight, load(row3 + 16 * group)));
    }
    __m256i rows01 = _mm256_add_epi32(halves_added(sum0, sum1), half);
    __m256i rows23 = _mm256_add_epi32(halves_added(sum2, sum3), half);
    store_pairs4(_mm256_sra_epi32(rows01, shift), _mm256_sra_epi32(rows23, shift),
                 upper + 8 * (size_t)i, lower + 8 * (size_t)i);
  }
}

AVX2 static void horizontal1_wide(const int16_t *const *rows, const wk_axis *axis,
                                  int16_t *upper, int16_t *lower) {
  for (uint32_t i = 0; i < axis->count; i++) {
    const int16_t *weights = axis->weights + axis->offset[i];
    const uint32_t groups = axis->groups[i];
    for (uint32_t row = 0; row < 4; row++) {
      const int16_t *from = rows[row] + axis->first[i];
      __m256i wide[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
      for (uint32_t group = 0; group < groups;) {
        uint32_t end = groups - group < axis->carry ? groups : group + axis->carry;
        __m256i sums = _mm256_setzero_si256();
        for (; group < end; group++) {
          sums = _mm256_add_epi32(
              sums, _mm256_madd_epi16(load(weights + 16 * group), load(from + 16 * group)));
        }
        carry(sums, wide);
      }
      int64_t sum[4];
      _mm256_storeu_si256((__m256i *)(void *)sum, _mm256_add_epi64(wide[0], wide[1]));
      int16_t *pair = (row < 2 ? upper : lower) + 2 * (size_t)i + (row & 1);
      *pair = rounded_14(sum[0] + sum[1] + sum[2] + sum[3], axis->scale);
    }
  }
}

AVX2 static void horizontal1(const int16_t *const *rows, const wk_axis *axis, int16_t *upper,
                             int16_t *lower) {
  if (axis->carry) {
    horizontal1_wide(rows, axis, upper, lower);
    return;
  }
  const __m128i half = _mm_set1_epi32(1 << axis->scale);
  const __m128i shift = _mm_cvtsi32_si128((int)axis->scale + 1);
  for (uint32_t i = 0; i < axis->count; i++) {
    const int16_t *weights = axis->weights + axis->offset[i];
    const uint32_t groups = axis->groups[i];
    const int16_t *row0 = rows[0] + axis->first[i], *row1 = rows[1] + axis->first[i];
    const int16_t *row2 = rows[2] + axis->first[i], *row3 = rows[3] + axis->first[i];
    __m256i sum0 = _mm256_setzero_si256(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (uint32_t group = 0; group < groups; group++) {
      const __m256i weight = load(weights + 16 * group);
      sum0 = _mm256_add_epi32(sum0, _mm256_madd_epi16(weight, load(row0 + 16 * group)));
      sum1 = _mm256_add_epi32(sum1, _mm256_madd_epi16(weight, load(row1 + 16 * group)));
      sum2 = _mm256_add_epi32(sum2, _mm256_madd_epi16(weight, load(row2 + 16 * group)));
      sum3 = _mm256_add_epi32(sum3, _mm256_madd_epi16(weight, load(row3 + 16 * group)));
    }
    __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(sum0, sum1), _mm256_hadd_epi32(sum2, sum3));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    four = _mm_sra_epi32(_mm_add_epi32(four, half), shift);
    four = _mm_packs_epi32(four, four);
    uint32_t pair = (uint32_t)_mm_cvtsi128_si32(four);
    memcpy(upper + 2 * (size_t)i, &pair, sizeof pair);
    pair = (uint32_t)_mm_extract_epi32(four, 1);
    memcpy(lower + 2 * (size_t)i, &pair, sizeof pair);
  }
}

AVX2 static void vertical(const int16_t *const *pairs, const int16_t *weights, uint32_t groups,
                          uint32_t scale, int16_t *target, uint32_t count) {
  const __m256i half = _mm256_set1_epi32(1 << (scale - 1));
  const __m128i shift = _mm_cvtsi32_si128((int)scale);
  for (uint32_t i = 0; i < count; i += 16) {
    __m256i low = half, high = half;
    for (uint32_t group = 0; group < groups; group++) {
      int32_t both;
      memcpy(&both, weights + 2 * group, sizeof both);
      const __m256i weight = _mm256_set1_epi32(both);
      const int16_t *pair = pairs[group] + 2 * (size_t)i;
      low = _mm256_add_epi32(low, _mm256_madd_epi16(weight, load(pair)));
      high = _mm256_add_epi32(high, _mm256_madd_epi16(weight, load(pair + 16)));
    }
    low = _mm256_sra_epi32(low, shift);
    high = _mm256_sra_epi32(high, shift);
    store(target + i, _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8));
  }
}

AVX2 static void accumulate(const int16_t *pair, const int16_t *weights, int64_t *sums,
                            uint32_t count) {
  int32_t both;
  memcpy(&both, weights, sizeof both);
  const __m256i weight = _mm256_set1_epi32(both);
  for (uint32_t i = 0; i < count; i += 8) {
    __m256i products = _mm256_madd_epi16(weight, load(pair + 2 * (size_t)i));
    __m256i *low = (__m256i *)(void *)(sums + i);
    __m256i *high = (__m256i *)(void *)(sums + i + 4);
    _mm256_storeu_si256(low, _mm256_add_epi64(_mm256_loadu_si256(low),
                                              _mm256_cvtepi32_epi64(
                                                  _mm256_castsi256_si128(products))));
    _mm256_storeu_si256(high, _mm256_add_epi64(_mm256_loadu_si256(high),
                                               _mm256_cvtepi32_epi64(
                                                   _mm256_extracti128_si256(products, 1))));
  }
}

AVX2 static void finish_rgba(const int16_t *row, uint8_t *target, uint32_t width,
                             const uint8_t *encode) {
  const __m128i white = _mm_set1_epi32(16384);
  for (uint32_t x = 0; x < width; x++) {
    const int16_t *pixel = row + 4 * (size_t)x;
    uint8_t *out = target + 4 * (size_t)x;
    int32_t alpha = pixel[3];
    uint8_t alpha8 = wk_alpha_8(wk_clamp_14(alpha));
    if (alpha8 == 0) {
      memset(out, 0, 4);
      continue;
    }
    __m128i values = _mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)pixel));
    values = _mm_max_epi32(values, _mm_setzero_si128());
    __m128 quotient = _mm_mul_ps(_mm_cvtepi32_ps(values), _mm_set1_ps(16384.0f / (float)alpha));
    quotient = _mm_add_ps(quotient, _mm_set1_ps(0.5f));
    __m128i index = _mm_min_epi32(_mm_cvttps_epi32(quotient), white);
    out[0] = encode[_mm_cvtsi128_si32(index)];
    out[1] = encode[_mm_extract_epi32(index, 1)];
    out[2] = encode[_mm_extract_epi32(index, 2)];
    out[3] = alpha8;
  }
}

// Grey and RGB rows end in table look-ups, which gain nothing from vectors.
const wk_kernels wk_avx2_kernels = {
    .linear_grey8 = linear_grey8,
    .linear_rgb8 = linear_rgb8,
    .linear_rgba8 = linear_rgba8,
    .horizontal4 = horizontal4,
    .horizontal1 = horizontal1,
    .vertical = vertical,
    .accumulate = accumulate,
    .finish_grey = wk_finish_grey_scalar,
    .finish_rgb = wk_finish_rgb_scalar,
    .finish_rgba = finish_rgba,
};

#endif
