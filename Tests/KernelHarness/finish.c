// Rows to sRGB.
#include "harness.h"

static uint8_t encode[WK_ENCODE_ENTRIES];

static void compare_row(harness *run, const int16_t *row, uint32_t width) {
  const size_t bytes = 4 * (size_t)width;
  uint8_t *law = guarded(1, bytes);
  uint8_t *tier = guarded(2, bytes);
  run->law->finish_rgba(row, law, width, encode);
  run->tier->finish_rgba(row, tier, width, encode);
  compare(run, law, tier, bytes, "finish_rgba", width);
}

// A row can be read to a multiple of sixteen pixels, and no further.
static int16_t *make_row(uint32_t width) {
  return guarded(0, ((size_t)width + 15) / 16 * 16 * 4 * sizeof(int16_t));
}

void check_finish(harness *run) {
  // Codes that tell neighbours apart; black is 0, as in the curve's own table.
  for (uint32_t i = 1; i < WK_ENCODE_ENTRIES; i++) encode[i] = (uint8_t)(i * 37 + i / 256);
  encode[0] = 0;
  for (uint32_t step = 1; step < WIDTHS; step++) {
    for (content kind = 0; kind < CONTENT_COUNT; kind++) {
      const uint32_t width = width_of(step);
      int16_t *row = make_row(width);
      for (uint32_t i = 0; i < 4 * width; i++) {
        row[i] = (int16_t)(i % 4 == 3 && kind == CONTENT_NOISE
                               ? noise_between(-40, WK_OPAQUE + 40)
                               : noise_of(kind, -32768, 32767));
      }
      compare_row(run, row, width);
    }
  }
  // Every alpha, under colours that are of its size, and others.
  int16_t *row = make_row(256);
  for (int32_t first = -32768; first < 32768; first += 256) {
    for (uint32_t turn = 0; turn < 8; turn++) {
      for (int32_t x = 0; x < 256; x++) {
        const int32_t alpha = first + x;
        row[4 * x] = (int16_t)noise_between(0, alpha > 0 ? alpha : 0);
        row[4 * x + 1] = (int16_t)noise_between(-32768, 32767);
        row[4 * x + 2] = (int16_t)(alpha > 0 ? alpha - (int32_t)turn : turn);
        row[4 * x + 3] = (int16_t)alpha;
      }
      compare_row(run, row, 256);
    }
  }
  tell(run, "finish_rgba");
}
