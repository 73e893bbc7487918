// Sums down the columns.
#include "harness.h"

#define MOST_GROUPS 40

// `groups` row pairs of `count` samples each.
static const int16_t *const *fill_pairs(uint32_t groups, size_t count, content kind) {
  static const int16_t *list[MOST_GROUPS];
  int16_t *samples = guarded(0, groups * 2 * count * sizeof(int16_t));
  for (size_t i = 0; i < groups * 2 * count; i++) {
    samples[i] = (int16_t)noise_of(kind, -32767, 32767);
  }
  // In another order than they stand in.
  for (uint32_t group = 0; group < groups; group++) {
    list[group] = samples + (groups - 1 - group) * 2 * count;
  }
  return list;
}

static uint32_t count_of(uint32_t step) { return 16 * (step < 68 ? step : 300); }

static void check_vertical(harness *run) {
  for (uint32_t step = 1; step < WIDTHS; step++) {
    for (content kind = 0; kind < CONTENT_COUNT; kind++) {
      const uint32_t count = count_of(step);
      const uint32_t groups = (uint32_t)noise_between(1, MOST_GROUPS);
      const uint32_t scale = (uint32_t)noise_between(1, 15);
      const int16_t *const *pairs = fill_pairs(groups, count, kind);
      int16_t *weights = guarded(1, 2 * (size_t)groups * sizeof(int16_t));
      fill_weights(weights, 2 * groups, 2 * groups, 65535, 32766);
      int16_t *law = guarded(2, count * sizeof(int16_t));
      int16_t *tier = guarded(3, count * sizeof(int16_t));
      run->law->vertical(pairs, weights, groups, scale, law, count);
      run->tier->vertical(pairs, weights, groups, scale, tier, count);
      compare(run, law, tier, count * sizeof(int16_t), "vertical", count);
    }
  }
  tell(run, "vertical");
}

static void check_accumulate(harness *run) {
  for (uint32_t step = 1; step < WIDTHS; step++) {
    for (content kind = 0; kind < CONTENT_COUNT; kind++) {
      const uint32_t count = count_of(step);
      const int16_t *const *pairs = fill_pairs(WK_ROWS / 2, count, kind);
      int16_t *weights = guarded(1, WK_ROWS * sizeof(int16_t));
      fill_weights(weights, WK_ROWS, 8, 65535, 32766);
      int64_t *law = guarded(2, count * sizeof(int64_t));
      int64_t *tier = guarded(3, count * sizeof(int64_t));
      for (uint32_t i = 0; i < count; i++) law[i] = tier[i] = (int64_t)next_noise() / 4;
      run->law->accumulate(pairs, weights, law, count);
      run->tier->accumulate(pairs, weights, tier, count);
      compare(run, law, tier, count * sizeof(int64_t), "accumulate", count);
    }
  }
  tell(run, "accumulate");
}

void check_rows(harness *run) {
  check_vertical(run);
  check_accumulate(run);
}
