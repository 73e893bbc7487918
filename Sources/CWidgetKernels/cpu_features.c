// The one place that knows processors.
#include "law.h"

static bool has_avx2(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

const wk_kernels *wk_kernels_for(wk_tier tier) {
  switch (tier) {
    case WK_TIER_SCALAR:
      return &wk_scalar_kernels;
    case WK_TIER_AVX2:
#if defined(__x86_64__)
      return has_avx2() ? &wk_avx2_kernels : NULL;
#else
      return NULL;
#endif
    default:
      return NULL;
  }
}

wk_tier wk_best_tier(void) { return has_avx2() ? WK_TIER_AVX2 : WK_TIER_SCALAR; }
