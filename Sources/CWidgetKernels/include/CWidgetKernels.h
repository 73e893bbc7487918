// Row arithmetic of the resampler. No allocation, no I/O, no library.
//
// Numbers (docs/kernels.md has the reasons and the error bound):
//   linear block   15 bits: 0 is black, 32256 white, premultiplied by alpha, of
//                  which 32640 is full
//   resampled row  14 bits, signed: 16128 is white, 16320 full alpha; a lobe may
//                  pass them
//   weights        signed 16 bits, scaled by a power of two of the axis
//
// Every sum is exact in integers, so the order of additions does not matter
// and every tier gives the same bytes for every input.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Source rows that are worked on at once.
#define WK_ROWS 16
/// Columns of slack behind a block: kernels write whole vectors.
#define WK_BLOCK_SLACK 16

/// The horizontal axis of a reduction, as the kernels read it. Source columns
/// go in pairs: pair `p` is columns 2p and 2p + 1.
typedef struct wk_axis {
  /// For each output: the first pair of columns.
  const uint32_t *first;
  /// For each output: how many pairs, at least one.
  const uint32_t *pairs;
  /// For each output: where its weights, two a pair, begin in `weights`.
  const uint32_t *offset;
  const int16_t *weights;
  /// Weights are scaled by 2^scale.
  uint32_t scale;
} wk_axis;

/// Encoded source rows, one under another: `count` of them, 1 to WK_ROWS. Rows
/// that are not there are read as the last one.
typedef struct wk_rows {
  const uint8_t *base;
  /// Bytes from one row to the next.
  size_t stride;
  uint32_t count;
} wk_rows;

/// Where eight resampled row pairs go. Rows 2k and 2k + 1 are interleaved sample
/// by sample in `pair[k]`. Grey and RGB stand in planes, `plane` samples from
/// one to the next; RGBA pixel by pixel.
typedef struct wk_pairs {
  int16_t *_Nonnull pair[WK_ROWS / 2];
  size_t plane;
} wk_pairs;

/// The hot loops of one instruction set.
typedef struct wk_kernels {
  /// Sixteen rows of `width` encoded pixels to a linear block: one pair of
  /// columns after another, a lane of two samples for each row and channel, in
  /// the order of wk_lane. The second column of an odd width's last pair is 0.
  void (*linear_grey8)(wk_rows rows, int16_t *block, uint32_t width);
  void (*linear_rgb8)(wk_rows rows, int16_t *block, uint32_t width);
  void (*linear_rgba8)(wk_rows rows, int16_t *block, uint32_t width);
  /// Outputs `begin` to `end` of sixteen rows. `block` begins with pair
  /// `origin` and holds every tap. What stands behind output `end` in a plane
  /// of `to` may be overwritten, three outputs far.
  void (*horizontal1)(const int16_t *block, uint32_t origin, const wk_axis *axis,
                      uint32_t begin, uint32_t end, const wk_pairs *to);
  void (*horizontal3)(const int16_t *block, uint32_t origin, const wk_axis *axis,
                      uint32_t begin, uint32_t end, const wk_pairs *to);
  void (*horizontal4)(const int16_t *block, uint32_t origin, const wk_axis *axis,
                      uint32_t begin, uint32_t end, const wk_pairs *to);
  /// Adds `pairs` pairs of columns, weighed, to the 64-bit sums of one output:
  /// one for each lane.
  void (*gather1)(const int16_t *block, const int16_t *weights, uint32_t pairs, int64_t *sums);
  void (*gather3)(const int16_t *block, const int16_t *weights, uint32_t pairs, int64_t *sums);
  void (*gather4)(const int16_t *block, const int16_t *weights, uint32_t pairs, int64_t *sums);
  /// `groups` interleaved row pairs weighed into one row of `count` samples;
  /// `count` is a multiple of 16.
  void (*vertical)(const int16_t *const _Nonnull *_Nonnull pairs, const int16_t *weights,
                   uint32_t groups, uint32_t scale, int16_t *target, uint32_t count);
  /// Eight interleaved row pairs weighed and added to 64-bit sums. The
  /// magnitudes of eight weights in turn add up to at most 65535. `count` is a
  /// multiple of 16.
  void (*accumulate)(const int16_t *const _Nonnull *_Nonnull pairs, const int16_t *weights,
                     int64_t *sums, uint32_t count);
  /// A 14-bit row to 8-bit sRGB. `encode` has WK_ENCODE_ENTRIES codes; `row` can
  /// be read to a multiple of 16 pixels.
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

// Steps that are scalar in every tier: they are rare, or end in table look-ups.

/// Rows of 16-bit samples, native order, of 1 to 4 channels to a block; two
/// channels make RGBA.
void wk_linear_16(wk_rows rows, int16_t *block, uint32_t width, uint32_t channels);
/// Rows of grey and alpha to an RGBA block.
void wk_linear_grey_alpha8(wk_rows rows, int16_t *block, uint32_t width);

/// Rounds the sums of wk_kernels.gather* to 14 bits, writes them as output
/// `output`, and clears them. `channels` is 1, 3 or 4.
void wk_settle_columns(int64_t *sums, uint32_t channels, uint32_t scale, uint32_t output,
                       const wk_pairs *to);
/// Rounds the sums of wk_kernels.accumulate to 14 bits and clears them.
void wk_settle_rows(int64_t *sums, uint32_t scale, int16_t *target, uint32_t count);

/// 14-bit rows to 8-bit sRGB: `channels` planes, `plane` samples from one to
/// the next.
void wk_finish_planes(const int16_t *row, size_t plane, uint8_t *target, uint32_t width,
                      uint32_t channels, const uint8_t *encode);

/// The sRGB code of each 14-bit linear value, 0 to white.
#define WK_WHITE 16128
#define WK_ENCODE_ENTRIES 16129
/// Full alpha in 14 bits.
#define WK_OPAQUE 16320

#pragma clang assume_nonnull end
