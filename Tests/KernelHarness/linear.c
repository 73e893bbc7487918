// Encoded rows to linear light.
#include "harness.h"

typedef void (*linear_kernel)(wk_rows rows, int16_t *block, uint32_t width);

typedef struct linear_case {
  const char *name;
  linear_kernel law, tier;
  uint32_t channels;
} linear_case;

static void compare_block(harness *run, const linear_case *the, wk_rows rows, uint32_t width) {
  const size_t columns = width + WK_BLOCK_SLACK;
  const size_t bytes = columns * the->channels * WK_ROWS * sizeof(int16_t);
  int16_t *law = guarded(0, bytes);
  int16_t *tier = guarded(1, bytes);
  the->law(rows, law, width);
  the->tier(rows, tier, width);
  // Whole pairs of columns; behind them a tier writes what it likes.
  const size_t whole = (width + 1) / 2 * 2;
  compare(run, law, tier, whole * the->channels * WK_ROWS * sizeof(int16_t), the->name, width);
}

// Rows that end where their memory ends.
static void check_widths(harness *run, const linear_case *the) {
  for (uint32_t step = 1; step < WIDTHS; step++) {
    const uint32_t width = width_of(step);
    for (content kind = 0; kind < CONTENT_COUNT; kind++) {
      const uint32_t count = (uint32_t)noise_between(1, WK_ROWS);
      const size_t stride = (size_t)width * the->channels + (size_t)noise_between(0, 3);
      const size_t bytes = stride * (count - 1) + (size_t)width * the->channels;
      uint8_t *source = guarded(2, bytes);
      for (size_t i = 0; i < bytes; i++) source[i] = (uint8_t)noise_of(kind, 0, 255);
      compare_block(run, the, (wk_rows){.base = source, .stride = stride, .count = count}, width);
    }
  }
}

// Every code under every alpha: there is no other input.
static void check_codes(harness *run, const linear_case *the) {
  const size_t stride = 256 * (size_t)the->channels;
  uint8_t *source = guarded(2, stride * WK_ROWS);
  for (uint32_t first = 0; first < 256; first += WK_ROWS) {
    for (uint32_t row = 0; row < WK_ROWS; row++) {
      for (uint32_t x = 0; x < 256; x++) {
        uint8_t *pixel = source + row * stride + x * the->channels;
        for (uint32_t channel = 0; channel < the->channels; channel++) {
          // Another code for each channel, and another place for each row.
          pixel[channel] = (uint8_t)(x + 85 * channel + row);
        }
        if (the->channels == 4) pixel[3] = (uint8_t)(first + row);
      }
    }
    compare_block(run, the, (wk_rows){.base = source, .stride = stride, .count = WK_ROWS}, 256);
  }
}

void check_linear(harness *run) {
  const linear_case cases[] = {
      {"linear_grey8", run->law->linear_grey8, run->tier->linear_grey8, 1},
      {"linear_rgb8", run->law->linear_rgb8, run->tier->linear_rgb8, 3},
      {"linear_rgba8", run->law->linear_rgba8, run->tier->linear_rgba8, 4},
  };
  for (uint32_t i = 0; i < 3; i++) {
    check_widths(run, &cases[i]);
    check_codes(run, &cases[i]);
    tell(run, cases[i].name);
  }
}
