// The law: every other tier must give these bytes.
#include "law.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

static void clear_tail(int16_t *target, size_t width, size_t channels, size_t unit) {
  size_t end = wk_padded(width, unit);
  if (channels == 1) {
    memset(target + width, 0, (end - width) * sizeof *target);
    return;
  }
  for (size_t x = width; x < end; x++) {
    for (size_t channel = 0; channel < 4; channel++) target[wk_place_4(x, channel)] = 0;
  }
}

static void linear_grey8(const uint8_t *source, int16_t *target, uint32_t width) {
  for (uint32_t x = 0; x < width; x++) target[x] = wk_linear_15(wk_widen_8(source[x]));
  clear_tail(target, width, 1, WK_UNIT_1);
}

static void linear_rgb8(const uint8_t *source, int16_t *target, uint32_t width) {
  for (uint32_t x = 0; x < width; x++) {
    for (uint32_t channel = 0; channel < 3; channel++) {
      target[wk_place_4(x, channel)] = wk_linear_15(wk_widen_8(source[3 * (size_t)x + channel]));
    }
    target[wk_place_4(x, 3)] = 0;
  }
  clear_tail(target, width, 4, WK_UNIT_4);
}

static void linear_rgba8(const uint8_t *source, int16_t *target, uint32_t width) {
  for (uint32_t x = 0; x < width; x++) {
    const uint8_t *pixel = source + 4 * (size_t)x;
    int16_t alpha = wk_widen_8(pixel[3]);
    for (uint32_t channel = 0; channel < 3; channel++) {
      target[wk_place_4(x, channel)] =
          wk_multiply_15(wk_linear_15(wk_widen_8(pixel[channel])), alpha);
    }
    target[wk_place_4(x, 3)] = alpha;
  }
  clear_tail(target, width, 4, WK_UNIT_4);
}

void wk_linear_grey_alpha8(const uint8_t *source, int16_t *target, uint32_t width) {
  for (uint32_t x = 0; x < width; x++) {
    int16_t alpha = wk_widen_8(source[2 * (size_t)x + 1]);
    int16_t grey = wk_multiply_15(wk_linear_15(wk_widen_8(source[2 * (size_t)x])), alpha);
    for (uint32_t channel = 0; channel < 3; channel++) target[wk_place_4(x, channel)] = grey;
    target[wk_place_4(x, 3)] = alpha;
  }
  clear_tail(target, width, 4, WK_UNIT_4);
}

void wk_linear_16(const uint16_t *source, int16_t *target, uint32_t width, uint32_t channels) {
  bool has_alpha = channels == 2 || channels == 4;
  uint32_t colours = channels < 3 ? 1 : 3;
  for (uint32_t x = 0; x < width; x++) {
    const uint16_t *pixel = source + (size_t)channels * x;
    int16_t alpha = has_alpha ? (int16_t)(pixel[channels - 1] >> 1) : 0;
    for (uint32_t channel = 0; channel < 3; channel++) {
      uint16_t sample = pixel[colours == 1 ? 0 : channel];
      int16_t value = wk_linear_15((int16_t)(sample >> 1));
      if (has_alpha) value = wk_multiply_15(value, alpha);
      if (channels == 1) {
        target[x] = value;
        break;
      }
      target[wk_place_4(x, channel)] = value;
    }
    if (channels != 1) target[wk_place_4(x, 3)] = alpha;
  }
  clear_tail(target, width, channels == 1 ? 1 : 4, channels == 1 ? WK_UNIT_1 : WK_UNIT_4);
}

// A sum of 2^(15 + scale) for white, as 14 bits.
static int16_t to_14(int64_t sum, uint32_t scale) {
  uint32_t shift = scale + 1;
  return wk_saturate_16((sum + ((int64_t)1 << (shift - 1))) >> shift);
}

static void horizontal4(const int16_t *const *rows, const wk_axis *axis, int16_t *upper,
                        int16_t *lower) {
  for (uint32_t i = 0; i < axis->count; i++) {
    const int16_t *weights = axis->weights + axis->offset[i];
    uint32_t taps = axis->groups[i] * WK_UNIT_4;
    for (uint32_t row = 0; row < 4; row++) {
      for (uint32_t channel = 0; channel < 4; channel++) {
        int64_t sum = 0;
        for (uint32_t tap = 0; tap < taps; tap++) {
          sum += weights[tap] * rows[row][wk_place_4((size_t)axis->first[i] + tap, channel)];
        }
        int16_t *pair = row < 2 ? upper : lower;
        pair[8 * (size_t)i + 2 * channel + (row & 1)] = to_14(sum, axis->scale);
      }
    }
  }
}

static void horizontal1(const int16_t *const *rows, const wk_axis *axis, int16_t *upper,
                        int16_t *lower) {
  for (uint32_t i = 0; i < axis->count; i++) {
    const int16_t *weights = axis->weights + axis->offset[i];
    uint32_t taps = axis->groups[i] * WK_UNIT_1;
    for (uint32_t row = 0; row < 4; row++) {
      int64_t sum = 0;
      for (uint32_t tap = 0; tap < taps; tap++) {
        sum += weights[tap] * rows[row][(size_t)axis->first[i] + tap];
      }
      int16_t *pair = row < 2 ? upper : lower;
      pair[2 * (size_t)i + (row & 1)] = to_14(sum, axis->scale);
    }
  }
}

static void vertical(const int16_t *const *pairs, const int16_t *weights, uint32_t groups,
                     uint32_t scale, int16_t *target, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t sum = 0;
    for (uint32_t group = 0; group < groups; group++) {
      const int16_t *pair = pairs[group] + 2 * (size_t)i;
      sum += weights[2 * group] * pair[0] + weights[2 * group + 1] * pair[1];
    }
    target[i] = wk_saturate_16((sum + ((int64_t)1 << (scale - 1))) >> scale);
  }
}

static void accumulate(const int16_t *pair, const int16_t *weights, int64_t *sums,
                       uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    sums[i] += weights[0] * pair[2 * (size_t)i] + weights[1] * pair[2 * (size_t)i + 1];
  }
}

void wk_settle(int64_t *sums, uint32_t scale, int16_t *target, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    target[i] = wk_saturate_16((sums[i] + ((int64_t)1 << (scale - 1))) >> scale);
    sums[i] = 0;
  }
}

void wk_finish_grey_scalar(const int16_t *row, uint8_t *target, uint32_t width,
                           const uint8_t *encode) {
  for (uint32_t x = 0; x < width; x++) target[x] = encode[wk_clamp_14(row[x])];
}

void wk_finish_rgb_scalar(const int16_t *row, uint8_t *target, uint32_t width,
                          const uint8_t *encode) {
  for (uint32_t x = 0; x < width; x++) {
    for (uint32_t channel = 0; channel < 3; channel++) {
      target[3 * (size_t)x + channel] = encode[wk_clamp_14(row[4 * (size_t)x + channel])];
    }
  }
}

static void finish_rgba(const int16_t *row, uint8_t *target, uint32_t width,
                        const uint8_t *encode) {
  for (uint32_t x = 0; x < width; x++) {
    const int16_t *pixel = row + 4 * (size_t)x;
    uint8_t *out = target + 4 * (size_t)x;
    // Colour is divided by alpha as it was filtered: where a lobe lifts alpha
    // over white, it lifts the premultiplied colour by as much.
    int32_t alpha = pixel[3];
    out[3] = wk_alpha_8(wk_clamp_14(alpha));
    float scale = alpha > 0 ? 16384.0f / (float)alpha : 0.0f;
    for (uint32_t channel = 0; channel < 3; channel++) {
      int32_t value = pixel[channel] < 0 ? 0 : pixel[channel];
      out[channel] = out[3] == 0 ? 0 : encode[wk_unpremultiply(value, scale)];
    }
  }
}

const wk_kernels wk_scalar_kernels = {
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
