// Shared by the parts of the harness: noise, memory that ends where it ends,
// and what is said of a comparison.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CWidgetKernels.h"

#pragma clang assume_nonnull begin

/// One tier that is held against the scalar one.
typedef struct harness {
  const char *name;
  const wk_kernels *law;
  const wk_kernels *tier;
  /// Of the kernel that is being compared.
  uint64_t calls;
  uint64_t bytes;
  bool failed;
} harness;

/// What noise is made of.
typedef enum content {
  CONTENT_NOISE,
  /// The least and the greatest value alone.
  CONTENT_EXTREMES,
  /// The least and the greatest value, mostly, in runs.
  CONTENT_FLAT,
  CONTENT_COUNT,
} content;

/// A small deterministic generator: SplitMix64.
uint64_t next_noise(void);
/// A number from `low` to `high`.
int64_t noise_between(int64_t low, int64_t high);
int64_t noise_of(content kind, int64_t low, int64_t high);

/// Memory whose last byte is followed by a page that can't be touched, filled
/// with noise. It is reused by the next call with the same `slot`.
void *guarded(unsigned slot, size_t bytes);
#define SLOTS 24

/// Weights of which the magnitudes of each `run` in turn add up to at most
/// `total`, and none passes `largest`.
void fill_weights(int16_t *weights, size_t count, size_t run, int32_t total, int32_t largest);

/// Holds `bytes` of both tiers against each other.
void compare(harness *run, const void *law, const void *tier, size_t bytes,
             const char *kernel, uint32_t width);

/// Says how much was compared of a kernel.
void tell(harness *run, const char *kernel);

/// 1 to 67, and the large one for `step` 68.
uint32_t width_of(uint32_t step);
#define WIDTHS 69

void check_linear(harness *run);
void check_columns(harness *run);
void check_rows(harness *run);
void check_finish(harness *run);

#pragma clang assume_nonnull end
