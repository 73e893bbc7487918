// The one place that knows processors.
#include "law.h"

#if defined(__x86_64__)

static bool has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}

const wk_kernels *wk_kernels_for(wk_tier tier) {
  switch (tier) {
    case WK_TIER_SCALAR:
      return &wk_scalar_kernels;
    case WK_TIER_SSE2:
      return &wk_sse2_kernels;
    case WK_TIER_AVX2:
      return has_avx2() ? &wk_avx2_kernels : NULL;
    default:
      return NULL;
  }
}

wk_tier wk_best_tier(void) { return has_avx2() ? WK_TIER_AVX2 : WK_TIER_SSE2; }

#elif defined(__aarch64__)

const wk_kernels *wk_kernels_for(wk_tier tier) {
  switch (tier) {
    case WK_TIER_SCALAR:
      return &wk_scalar_kernels;
    case WK_TIER_NEON:
      return &wk_neon_kernels;
    default:
      return NULL;
  }
}

wk_tier wk_best_tier(void) { return WK_TIER_NEON; }

#else

const wk_kernels *wk_kernels_for(wk_tier tier) {
  return tier == WK_TIER_SCALAR ? &wk_scalar_kernels : NULL;
}

wk_tier wk_best_tier(void) { return WK_TIER_SCALAR; }

#endif
