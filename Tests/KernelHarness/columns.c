// Sums along the rows.
#include <string.h>

#include "harness.h"

typedef void (*horizontal_kernel)(const int16_t *block, uint32_t origin, const wk_axis *axis,
                                  uint32_t begin, uint32_t end, const wk_pairs *to);
typedef void (*gather_kernel)(const int16_t *block, const int16_t *weights, uint32_t pairs,
                              int64_t *sums);

#define MOST_OUTPUTS 4099
#define MOST_PAIRS 96

static void fill_block(int16_t *block, size_t samples, content kind, int32_t least) {
  for (size_t i = 0; i < samples; i++) block[i] = (int16_t)noise_of(kind, least, 32767);
}

// An axis of `outputs`, each with as many pairs as a noise says.
static wk_axis make_axis(uint32_t outputs, uint32_t origin, uint32_t columns) {
  static uint32_t first[MOST_OUTPUTS], pairs[MOST_OUTPUTS], offset[MOST_OUTPUTS];
  static int16_t weights[MOST_OUTPUTS * 2 * MOST_PAIRS];
  uint32_t at = 0;
  for (uint32_t i = 0; i < outputs; i++) {
    const uint32_t most = outputs > 100 ? 12 : MOST_PAIRS;
    pairs[i] = (uint32_t)noise_between(1, most < columns ? most : columns);
    first[i] = origin + (uint32_t)noise_between(0, columns - pairs[i]);
    offset[i] = at;
    fill_weights(weights + at, 2 * pairs[i], 2 * pairs[i], 65535, 32766);
    at += 2 * pairs[i];
  }
  return (wk_axis){.first = first, .pairs = pairs, .offset = offset, .weights = weights,
                   .scale = (uint32_t)noise_between(8, 15)};
}

// Outputs `begin` to `end` are compared, and all that must stay as it was: what
// stands behind them, three outputs far, is set alike in both first.
static void compare_horizontal(harness *run, const char *name, horizontal_kernel law,
                               horizontal_kernel tier, uint32_t channels, uint32_t outputs,
                               content kind) {
  const uint32_t columns = (uint32_t)noise_between(1, MOST_PAIRS + 20);
  const uint32_t origin = (uint32_t)noise_between(0, 1000);
  const wk_axis axis = make_axis(outputs, origin, columns);
  const size_t samples = (size_t)columns * channels * WK_ROWS * 2;
  int16_t *block = guarded(0, samples * sizeof(int16_t));
  fill_block(block, samples, kind, -32767);
  const size_t plane = (outputs + 18) / 16 * 16;
  const size_t row = plane * channels * 2;
  const uint32_t begin = (uint32_t)noise_between(0, outputs - 1);
  wk_pairs to[2] = {{.plane = plane}, {.plane = plane}};
  for (uint32_t pair = 0; pair < WK_ROWS / 2; pair++) {
    to[0].pair[pair] = guarded(2 + pair, row * sizeof(int16_t));
    to[1].pair[pair] = guarded(10 + pair, row * sizeof(int16_t));
  }
  law(block, origin, &axis, begin, outputs, &to[0]);
  tier(block, origin, &axis, begin, outputs, &to[1]);
  for (uint32_t pair = 0; pair < WK_ROWS / 2; pair++) {
    for (uint32_t channel = 0; channels != 4 && channel < channels; channel++) {
      const size_t behind = 2 * (plane * channel + outputs);
      memset(to[0].pair[pair] + behind, 0, 6 * sizeof(int16_t));
      memset(to[1].pair[pair] + behind, 0, 6 * sizeof(int16_t));
    }
    compare(run, to[0].pair[pair], to[1].pair[pair], row * sizeof(int16_t), name, outputs);
  }
}

static void check_horizontal(harness *run, const char *name, horizontal_kernel law,
                             horizontal_kernel tier, uint32_t channels) {
  for (uint32_t step = 1; step < WIDTHS; step++) {
    for (content kind = 0; kind < CONTENT_COUNT; kind++) {
      compare_horizontal(run, name, law, tier, channels, width_of(step), kind);
    }
  }
  tell(run, name);
}

static void check_gather(harness *run, const char *name, gather_kernel law, gather_kernel tier,
                         uint32_t channels) {
  for (uint32_t step = 1; step < WIDTHS; step++) {
    for (content kind = 0; kind < CONTENT_COUNT; kind++) {
      const uint32_t pairs = width_of(step);
      const size_t samples = (size_t)pairs * channels * WK_ROWS * 2;
      const size_t bytes = channels * WK_ROWS * sizeof(int64_t);
      int16_t *block = guarded(0, samples * sizeof(int16_t));
      int16_t *weights = guarded(1, 2 * (size_t)pairs * sizeof(int16_t));
      int64_t *law_sums = guarded(2, bytes);
      int64_t *tier_sums = guarded(3, bytes);
      fill_block(block, samples, kind, -32768);
      for (uint32_t i = 0; i < 2 * pairs; i++) {
        weights[i] = (int16_t)noise_of(kind, -2047, 2047);
      }
      for (uint32_t i = 0; i < channels * WK_ROWS; i++) {
        law_sums[i] = tier_sums[i] = (int64_t)next_noise() / 4;
      }
      law(block, weights, pairs, law_sums);
      tier(block, weights, pairs, tier_sums);
      compare(run, law_sums, tier_sums, bytes, name, pairs);
    }
  }
  tell(run, name);
}

void check_columns(harness *run) {
  const wk_kernels *law = run->law, *tier = run->tier;
  check_horizontal(run, "horizontal1", law->horizontal1, tier->horizontal1, 1);
  check_horizontal(run, "horizontal3", law->horizontal3, tier->horizontal3, 3);
  check_horizontal(run, "horizontal4", law->horizontal4, tier->horizontal4, 4);
  check_gather(run, "gather1", law->gather1, tier->gather1, 1);
  check_gather(run, "gather3", law->gather3, tier->gather3, 3);
  check_gather(run, "gather4", law->gather4, tier->gather4, 4);
}
