// The law: every other tier must give these bytes.
#include "law.h"

#pragma STDC FP_CONTRACT OFF

// Writes one column of one row; `samples` are encoded, 15 bits, alpha last.
static void put(int16_t *block, size_t x, size_t row, size_t channels, const int16_t *samples) {
  if (channels != 4) {
    for (size_t channel = 0; channel < channels; channel++) {
      block[wk_block_place(x, row, channel, channels)] =
          wk_linear_15(samples[channel], WK_CURVE_OPAQUE);
    }
    return;
  }
  for (size_t channel = 0; channel < 3; channel++) {
    block[wk_block_place(x, row, channel, 4)] =
        wk_multiply_15(wk_linear_15(samples[channel], WK_CURVE_ALPHA), samples[3]);
  }
  block[wk_block_place(x, row, 3, 4)] = samples[3];
}

// The second column of the last pair of an odd width.
static void clear_odd(int16_t *block, uint32_t width, size_t channels) {
  if (width % 2 == 0) return;
  for (size_t row = 0; row < WK_ROWS; row++) {
    for (size_t channel = 0; channel < channels; channel++) {
      block[wk_block_place(width, row, channel, channels)] = 0;
    }
  }
}

// Rows of 8-bit samples as they are, or of grey and alpha as RGBA.
static void linear_8(wk_rows rows, int16_t *block, uint32_t width, uint32_t stored) {
  const uint32_t channels = stored == 2 ? 4 : stored;
  for (uint32_t row = 0; row < WK_ROWS; row++) {
    const uint8_t *source = wk_row(rows, row);
    for (size_t x = 0; x < width; x++) {
      const uint8_t *pixel = source + stored * x;
      int16_t samples[4];
      for (uint32_t channel = 0; channel < channels; channel++) {
        samples[channel] = wk_widen_8(pixel[stored == 2 ? channel / 3 : channel]);
      }
      put(block, x, row, channels, samples);
    }
  }
  clear_odd(block, width, channels);
}

static void linear_grey8(wk_rows rows, int16_t *block, uint32_t width) {
  linear_8(rows, block, width, 1);
}

static void linear_rgb8(wk_rows rows, int16_t *block, uint32_t width) {
  linear_8(rows, block, width, 3);
}

static void linear_rgba8(wk_rows rows, int16_t *block, uint32_t width) {
  linear_8(rows, block, width, 4);
}

void wk_linear_grey_alpha8(wk_rows rows, int16_t *block, uint32_t width) {
  linear_8(rows, block, width, 2);
}

void wk_linear_16(wk_rows rows, int16_t *block, uint32_t width, uint32_t stored) {
  const uint32_t channels = stored == 2 ? 4 : stored;
  for (uint32_t row = 0; row < WK_ROWS; row++) {
    const uint16_t *source = (const uint16_t *)(const void *)wk_row(rows, row);
    for (size_t x = 0; x < width; x++) {
      const uint16_t *pixel = source + stored * x;
      int16_t samples[4];
      for (uint32_t channel = 0; channel < channels; channel++) {
        samples[channel] = wk_widen_16(pixel[stored == 2 ? channel / 3 : channel]);
      }
      put(block, x, row, channels, samples);
    }
  }
  clear_odd(block, width, channels);
}

static void gather(const int16_t *block, const int16_t *weights, uint32_t pairs, int64_t *sums,
                   size_t channels) {
  for (size_t pair = 0; pair < pairs; pair++) {
    const int16_t *samples = block + pair * channels * WK_ROWS * 2;
    for (size_t lane = 0; lane < channels * WK_ROWS; lane++) {
      sums[lane] += weights[2 * pair] * samples[2 * lane] +
                    weights[2 * pair + 1] * samples[2 * lane + 1];
    }
  }
}

void wk_settle_columns(int64_t *sums, uint32_t channels, uint32_t scale, uint32_t output,
                       const wk_pairs *to) {
  for (size_t row = 0; row < WK_ROWS; row++) {
    for (size_t channel = 0; channel < channels; channel++) {
      size_t lane = wk_lane(row, channel, channels);
      size_t place = wk_pair_place(output, channel, channels, to->plane);
      to->pair[row / 2][2 * place + (row & 1)] = wk_rounded(sums[lane], scale + 1);
      sums[lane] = 0;
    }
  }
}

static void horizontal(const int16_t *block, uint32_t origin, const wk_axis *axis,
                       uint32_t begin, uint32_t end, const wk_pairs *to, uint32_t channels) {
  int64_t sums[4 * WK_ROWS] = {0};
  for (uint32_t i = begin; i < end; i++) {
    gather(block + (size_t)(axis->first[i] - origin) * channels * WK_ROWS * 2,
           axis->weights + axis->offset[i], axis->pairs[i], sums, channels);
    wk_settle_columns(sums, channels, axis->scale, i, to);
  }
}

#define OF_CHANNELS(n)                                                                       \
  static void horizontal##n(const int16_t *block, uint32_t origin, const wk_axis *axis,      \
                            uint32_t begin, uint32_t end, const wk_pairs *to) {              \
    horizontal(block, origin, axis, begin, end, to, n);                                      \
  }                                                                                          \
  static void gather##n(const int16_t *block, const int16_t *weights, uint32_t pairs,        \
                        int64_t *sums) {                                                     \
    gather(block, weights, pairs, sums, n);                                                  \
  }
OF_CHANNELS(1)
OF_CHANNELS(3)
OF_CHANNELS(4)

static void vertical(const int16_t *const *pairs, const int16_t *weights, uint32_t groups,
                     uint32_t scale, int16_t *target, uint32_t count) {
  for (size_t i = 0; i < count; i++) {
    int64_t sum = 0;
    for (uint32_t group = 0; group < groups; group++) {
      const int16_t *pair = pairs[group] + 2 * i;
      sum += weights[2 * group] * pair[0] + weights[2 * group + 1] * pair[1];
    }
    target[i] = wk_rounded(sum, scale);
  }
}

static void accumulate(const int16_t *const *pairs, const int16_t *weights, int64_t *sums,
                       uint32_t count) {
  for (size_t i = 0; i < count; i++) {
    for (uint32_t row = 0; row < WK_ROWS; row++) {
      sums[i] += weights[row] * pairs[row / 2][2 * i + (row & 1)];
    }
  }
}

void wk_settle_rows(int64_t *sums, uint32_t scale, int16_t *target, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    target[i] = wk_rounded(sums[i], scale);
    sums[i] = 0;
  }
}

// Clamps up to FINISHED samples: a loop of its own, which compilers turn into
// vectors. Looking up takes the rest of the time.
#define FINISHED 64

static void clamp(const int16_t *row, uint16_t *target, size_t count) {
  for (size_t i = 0; i < count; i++) target[i] = (uint16_t)wk_clamp_14(row[i]);
}

void wk_finish_planes(const int16_t *row, size_t plane, uint8_t *target, uint32_t width,
                      uint32_t channels, const uint8_t *encode) {
  uint16_t places[3][FINISHED];
  for (size_t x = 0; x < width; x += FINISHED) {
    const size_t count = width - x < FINISHED ? width - x : FINISHED;
    for (size_t channel = 0; channel < channels; channel++) {
      clamp(row + channel * plane + x, places[channel], count);
    }
    if (channels == 1) {
      for (size_t i = 0; i < count; i++) target[x + i] = encode[places[0][i]];
      continue;
    }
    for (size_t i = 0; i < count; i++) {
      uint8_t *pixel = target + 3 * (x + i);
      pixel[0] = encode[places[0][i]];
      pixel[1] = encode[places[1][i]];
      pixel[2] = encode[places[2][i]];
    }
  }
}

static void finish_rgba(const int16_t *row, uint8_t *target, uint32_t width,
                        const uint8_t *encode) {
  for (size_t x = 0; x < width; x++) wk_finish_pixel(row + 4 * x, target + 4 * x, encode);
}

const wk_kernels wk_scalar_kernels = {
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
