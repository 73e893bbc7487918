// The loops of every vector tier, over the names that its own file defines:
//
//   types  V16 sixteen int16, V32 eight int32, V64 eight int64, VSum what eight
//          int32 sums of products are kept in
//   grey_words, rgb_words: encoded rows to the lanes of a block
//   linear_16: such lanes in linear light
//   linear_pixels: PIXELS_AT_ONCE pixels of two rows, premultiplied, to a block
//   V16    load_16 store_16 splat_pair pixel_places
//   VSum   start_sum add_products total
//   V32    shift_32 narrow_rows narrow_row
//   V64    load_64 store_64 add_64_32
//   store_outputs, store_two_rows: reduced rows to row pairs
//   WEIGHED_AT_ONCE  sums that the registers hold, at least 4
//   PIXELS_AT_ONCE   of RGBA: an even number, at most 16
//
// A vector has two halves, and what interleaves or narrows works within each, as
// AVX2 does: rows k and k + 8 stand in the same lane of either (wk_lane).
// Included once a tier, so that the order of work is written down once.
#pragma once

#include <string.h>

#include "law.h"

#pragma STDC FP_CONTRACT OFF

#define INLINE __attribute__((always_inline)) static inline
// Loops over registers: an array of them must not become memory.
#define UNROLLED _Pragma("clang loop unroll(full)")

// MARK: To linear light

// The last columns of a row go through a padded copy, so that the vector loops
// need no second form and read nothing that is not theirs.
#define TAIL_BYTES 64

typedef struct tail {
  uint8_t bytes[WK_ROWS][TAIL_BYTES];
} tail;

INLINE void fill_tail(tail *to, const uint8_t *const *rows, size_t from, size_t bytes) {
  memset(to, 0, sizeof *to);
  for (uint32_t row = 0; row < WK_ROWS; row++) {
    memcpy(to->bytes[row], rows[row] + from, bytes);
  }
}

INLINE void point(wk_rows source, const uint8_t **rows) {
  for (uint32_t row = 0; row < WK_ROWS; row++) rows[row] = wk_row(source, row);
}

INLINE void point_tail(const tail *rest, const uint8_t **rows) {
  for (uint32_t row = 0; row < WK_ROWS; row++) rows[row] = rest->bytes[row];
}

// Sixteen columns.
INLINE void linear_grey_16(const uint8_t *const *rows, size_t x, int16_t *restrict block) {
  V16 words[8][2];
  grey_words(rows, x, words);
  UNROLLED
  for (uint32_t word = 0; word < 8; word++) {
    store_16(block + 32 * (size_t)word, linear_16(words[word][0], WK_CURVE_OPAQUE));
    store_16(block + 32 * (size_t)word + 16, linear_16(words[word][1], WK_CURVE_OPAQUE));
  }
}

static void linear_grey8(wk_rows source, int16_t *block, uint32_t width) {
  const uint8_t *rows[WK_ROWS];
  point(source, rows);
  size_t x = 0;
  for (; x + 16 <= width; x += 16) linear_grey_16(rows, x, block + 16 * x);
  if (x == width) return;
  tail rest;
  fill_tail(&rest, rows, x, width - x);
  point_tail(&rest, rows);
  linear_grey_16(rows, 0, block + 16 * x);
}

// Four columns; sixteen bytes of each row are read.
INLINE void linear_rgb_4(const uint8_t *const *rows, size_t byte, int16_t *restrict block) {
  V16 words[6][2];
  rgb_words(rows, byte, words);
  UNROLLED
  for (uint32_t word = 0; word < 6; word++) {
    store_16(block + 32 * (size_t)word, linear_16(words[word][0], WK_CURVE_OPAQUE));
    store_16(block + 32 * (size_t)word + 16, linear_16(words[word][1], WK_CURVE_OPAQUE));
  }
}

static void linear_rgb8(wk_rows source, int16_t *block, uint32_t width) {
  const uint8_t *rows[WK_ROWS];
  point(source, rows);
  size_t x = 0;
  for (; x + 6 <= width; x += 4) linear_rgb_4(rows, 3 * x, block + 48 * x);
  if (x == width) return;
  tail rest;
  fill_tail(&rest, rows, 3 * x, 3 * (width - x));
  point_tail(&rest, rows);
  for (size_t at = 0; x < width; x += 4, at += 4) linear_rgb_4(rows, 3 * at, block + 48 * x);
}

INLINE void linear_rgba_columns(const uint8_t *const *rows, size_t byte,
                                int16_t *restrict block) {
  UNROLLED
  for (uint32_t two = 0; two < WK_ROWS / 2; two++) {
    linear_pixels(rows[2 * two] + byte, rows[2 * two + 1] + byte, block + 16 * (size_t)two);
  }
}

static void linear_rgba8(wk_rows source, int16_t *block, uint32_t width) {
  const uint8_t *rows[WK_ROWS];
  point(source, rows);
  size_t x = 0;
  for (; x + PIXELS_AT_ONCE <= width; x += PIXELS_AT_ONCE) {
    linear_rgba_columns(rows, 4 * x, block + 64 * x);
  }
  if (x == width) return;
  tail rest;
  fill_tail(&rest, rows, 4 * x, 4 * (width - x));
  point_tail(&rest, rows);
  linear_rgba_columns(rows, 0, block + 64 * x);
}

// MARK: Along the rows

// Some of the sums of one output of sixteen rows. From one pair of columns to
// the next the block has `stride` samples. At least one pair.
INLINE void weigh_some(const int16_t *block, size_t stride, const int16_t *weights,
                       uint32_t pairs, VSum *sums, uint32_t vectors) {
  const int16_t *const end = weights + 2 * (size_t)pairs;
  do {
    const V16 weight = splat_pair(weights);
    UNROLLED
    for (uint32_t v = 0; v < vectors; v++) {
      sums[v] = add_products(sums[v], weight, load_16(block + 16 * (size_t)v));
    }
    block += stride;
    weights += 2;
  } while (weights != end);
}

// One output of sixteen rows: `sums` has a vector for each of a pair's, each
// beginning at `start`. Where registers are few, half of them at a time.
INLINE void weigh(const int16_t *block, const int16_t *weights, uint32_t pairs, int32_t start,
                  V32 *sums, uint32_t vectors) {
  const uint32_t some = vectors > WEIGHED_AT_ONCE ? vectors / 2 : vectors;
  UNROLLED
  for (uint32_t first = 0; first < vectors; first += some) {
    const VSum none = start_sum(start);
    VSum kept[8] = {none, none, none, none, none, none, none, none};
    weigh_some(block + 16 * (size_t)first, 16 * (size_t)vectors, weights, pairs, kept, some);
    UNROLLED
    for (uint32_t v = 0; v < some; v++) sums[first + v] = total(kept[v]);
  }
}

// Grey and RGB: four outputs at a time, so that whole vectors are stored.
// The axis and the targets come by value: stores of samples can't change them.
INLINE void horizontal_planes(const int16_t *block, uint32_t origin, wk_axis axis,
                              uint32_t begin, uint32_t end, wk_pairs to, uint32_t planes) {
  for (uint32_t i = begin; i < end; i += 4) {
    V16 rows[3][4];
    for (uint32_t one = 0; one < 4; one++) {
      const uint32_t output = i + one < end ? i + one : end - 1;
      V32 sums[6];
      weigh(block + (size_t)(axis.first[output] - origin) * planes * 32,
            axis.weights + axis.offset[output], axis.pairs[output], 1 << axis.scale, sums,
            2 * planes);
      UNROLLED
      for (uint32_t plane = 0; plane < planes; plane++) {
        rows[plane][one] = narrow_rows(shift_32(sums[2 * plane], axis.scale + 1),
                                       shift_32(sums[2 * plane + 1], axis.scale + 1));
      }
    }
    UNROLLED
    for (uint32_t plane = 0; plane < planes; plane++) {
      store_outputs(rows[plane], &to, 2 * (plane * to.plane + i));
    }
  }
}

static void horizontal1(const int16_t *block, uint32_t origin, const wk_axis *axis,
                        uint32_t begin, uint32_t end, const wk_pairs *to) {
  horizontal_planes(block, origin, *axis, begin, end, *to, 1);
}

static void horizontal3(const int16_t *block, uint32_t origin, const wk_axis *axis,
                        uint32_t begin, uint32_t end, const wk_pairs *to) {
  horizontal_planes(block, origin, *axis, begin, end, *to, 3);
}

INLINE void horizontal_pixels(const int16_t *block, uint32_t origin, wk_axis axis,
                              uint32_t begin, uint32_t end, wk_pairs to) {
  for (uint32_t i = begin; i < end; i++) {
    V32 sums[8];
    weigh(block + (size_t)(axis.first[i] - origin) * 128, axis.weights + axis.offset[i],
          axis.pairs[i], 1 << axis.scale, sums, 8);
    UNROLLED
    for (uint32_t v = 0; v < 8; v += 2) {
      store_two_rows(shift_32(sums[v], axis.scale + 1), shift_32(sums[v + 1], axis.scale + 1),
                     to.pair[v] + 8 * (size_t)i, to.pair[v + 1] + 8 * (size_t)i);
    }
  }
}

static void horizontal4(const int16_t *block, uint32_t origin, const wk_axis *axis,
                        uint32_t begin, uint32_t end, const wk_pairs *to) {
  horizontal_pixels(block, origin, *axis, begin, end, *to);
}

// Pairs whose products fit 32 bits: weights of such axes are at most 2047.
#define CARRY_PAIRS 16

INLINE void gather(const int16_t *block, const int16_t *weights, uint32_t pairs, int64_t *sums,
                   uint32_t vectors) {
  for (uint32_t pair = 0; pair < pairs; pair += CARRY_PAIRS) {
    const uint32_t rest = pairs - pair;
    V32 narrow[8];
    weigh(block + (size_t)pair * vectors * 16, weights + 2 * (size_t)pair,
          rest < CARRY_PAIRS ? rest : CARRY_PAIRS, 0, narrow, vectors);
    UNROLLED
    for (uint32_t v = 0; v < vectors; v++) {
      int64_t *wide = sums + 8 * (size_t)v;
      store_64(wide, add_64_32(load_64(wide), narrow[v]));
    }
  }
}

static void gather1(const int16_t *block, const int16_t *weights, uint32_t pairs,
                    int64_t *sums) {
  gather(block, weights, pairs, sums, 2);
}

static void gather3(const int16_t *block, const int16_t *weights, uint32_t pairs,
                    int64_t *sums) {
  gather(block, weights, pairs, sums, 6);
}

static void gather4(const int16_t *block, const int16_t *weights, uint32_t pairs,
                    int64_t *sums) {
  gather(block, weights, pairs, sums, 8);
}

// MARK: Down the columns

static void vertical(const int16_t *const *pairs, const int16_t *weights, uint32_t groups,
                     uint32_t scale, int16_t *target, uint32_t count) {
  for (size_t i = 0; i < count; i += 16) {
    VSum low = start_sum(1 << (scale - 1)), high = low;
    for (uint32_t group = 0; group < groups; group++) {
      const V16 weight = splat_pair(weights + 2 * (size_t)group);
      const int16_t *pair = pairs[group] + 2 * i;
      low = add_products(low, weight, load_16(pair));
      high = add_products(high, weight, load_16(pair + 16));
    }
    store_16(target + i, narrow_row(shift_32(total(low), scale), shift_32(total(high), scale)));
  }
}

static void accumulate(const int16_t *const *pairs, const int16_t *weights, int64_t *sums,
                       uint32_t count) {
  for (size_t i = 0; i < count; i += 8) {
    V64 wide = load_64(sums + i);
    UNROLLED
    for (uint32_t half = 0; half < 2; half++) {
      VSum sum = start_sum(0);
      for (uint32_t pair = 4 * half; pair < 4 * half + 4; pair++) {
        sum = add_products(sum, splat_pair(weights + 2 * (size_t)pair),
                           load_16(pairs[pair] + 2 * i));
      }
      wide = add_64_32(wide, total(sum));
    }
    store_64(sums + i, wide);
  }
}

// MARK: To sRGB

static void finish_rgba(const int16_t *row, uint8_t *target, uint32_t width,
                        const uint8_t *encode) {
  // Sixteen pixels: where each colour stands in the table, and alpha itself.
  int16_t places[64];
  for (size_t x = 0; x < width; x += 16) {
    UNROLLED
    for (uint32_t i = 0; i < 64; i += 16) {
      store_16(places + i, pixel_places(load_16(row + 4 * x + i)));
    }
    const size_t count = width - x < 16 ? width - x : 16;
    for (size_t i = 0; i < count; i++) {
      uint8_t *pixel = target + 4 * (x + i);
      pixel[0] = encode[places[4 * i]];
      pixel[1] = encode[places[4 * i + 1]];
      pixel[2] = encode[places[4 * i + 2]];
      pixel[3] = (uint8_t)places[4 * i + 3];
    }
  }
}
