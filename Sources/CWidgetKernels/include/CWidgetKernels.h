// Row arithmetic of the resampler. No allocation, no I/O, no library.
//
// Numbers (docs/kernels.md has the reasons and the error bound):
//   linear row     15 bits: 0 is black, 32767 white; premultiplied by alpha
//   resampled row  14 bits, signed: 16384 is white; a lobe may pass it
//   weights        signed 16 bits, scaled by a power of two of the axis
//
// Every sum is exact in integers, so the order of additions does not matter
// and every tier gives the same bytes for every input.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// One axis of a reduction, as the kernels read it.
typedef struct wk_axis {
  /// Output samples.
  uint32_t count;
  /// For each output: the first source pixel, a multiple of `unit`.
  const uint32_t *first;
  /// For each output: how many groups of `unit` weights it has, at least one.
  const uint32_t *groups;
  /// For each output: where its weights begin in `weights`.
  const uint32_t *offset;
  /// Weights, `unit` to a group; zero where a group stands over the edge.
  const int16_t *weights;
  /// Weights are scaled by 2^scale.
  uint32_t scale;
  /// Groups after which 32-bit sums must be carried into 64 bits; 0 never.
  uint32_t carry;
} wk_axis;

/// Pixels to a group of weights: four pixels of four channels, sixteen of one.
#define WK_UNIT_4 4
#define WK_UNIT_1 16
/// Rows to a group of vertical weights.
#define WK_UNIT_ROWS 2

/// The hot loops of one instruction set.
typedef struct wk_kernels {
  /// Encoded samples to linear. Four-channel rows come out as pairs of pixels:
  /// r0 r1 g0 g1 b0 b1 a0 a1; one-channel rows plain. `width` pixels are
  /// written, and zeros up to a whole group.
  void (*linear_grey8)(const uint8_t *source, int16_t *target, uint32_t width);
  void (*linear_rgb8)(const uint8_t *source, int16_t *target, uint32_t width);
  void (*linear_rgba8)(const uint8_t *source, int16_t *target, uint32_t width);
  /// Four linear rows reduced at once. `upper` receives rows 0 and 1, `lower`
  /// rows 2 and 3, interleaved sample by sample.
  void (*horizontal4)(const int16_t *const _Nonnull *_Nonnull rows, const wk_axis *axis,
                      int16_t *upper, int16_t *lower);
  void (*horizontal1)(const int16_t *const _Nonnull *_Nonnull rows, const wk_axis *axis,
                      int16_t *upper, int16_t *lower);
  /// `groups` interleaved row pairs weighed into one row of `count` samples;
  /// `count` is a multiple of 16.
  void (*vertical)(const int16_t *const _Nonnull *_Nonnull pairs, const int16_t *weights,
                   uint32_t groups, uint32_t scale, int16_t *target, uint32_t count);
  /// One interleaved row pair weighed and added to 64-bit sums.
  void (*accumulate)(const int16_t *pair, const int16_t *weights, int64_t *sums,
                     uint32_t count);
  /// 14-bit rows to 8-bit sRGB; `encode` is the table of wk_encode_table.
  void (*finish_grey)(const int16_t *row, uint8_t *target, uint32_t width,
                      const uint8_t *encode);
  void (*finish_rgb)(const int16_t *row, uint8_t *target, uint32_t width,
                     const uint8_t *encode);
  void (*finish_rgba)(const int16_t *row, uint8_t *target, uint32_t width,
                      const uint8_t *encode);
} wk_kernels;

typedef enum : uint32_t {
  WK_TIER_SCALAR = 0,
  WK_TIER_SSE2 = 1,
  WK_TIER_AVX2 = 2,
  WK_TIER_NEON = 3,
} wk_tier;

/// The kernels of a tier, or NULL where this processor or build has it not.
const wk_kernels *_Nullable wk_kernels_for(wk_tier tier);

/// The best tier that this processor has.
wk_tier wk_best_tier(void);

/// 16-bit samples to linear, scalar in every tier: such sources are rare.
void wk_linear_16(const uint16_t *source, int16_t *target, uint32_t width, uint32_t channels);
/// Grey and alpha to the four-channel layout.
void wk_linear_grey_alpha8(const uint8_t *source, int16_t *target, uint32_t width);

/// Rounds 64-bit sums of `count` samples, scaled by 2^scale, to 14 bits, and
/// clears them for the next row.
void wk_settle(int64_t *sums, uint32_t scale, int16_t *target, uint32_t count);

/// The sRGB code of each 14-bit linear value: WK_ENCODE_ENTRIES bytes.
#define WK_ENCODE_ENTRIES 16385

#pragma clang assume_nonnull end
