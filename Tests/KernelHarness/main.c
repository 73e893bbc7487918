// Holds every kernel of every tier that this machine has to the scalar tier's
// bytes, function by function. Scripts/check-kernels builds and runs it, for this
// machine and, under qemu, for 64-bit ARM.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

static uint64_t state = 1;

uint64_t next_noise(void) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int64_t noise_between(int64_t low, int64_t high) {
  return low + (int64_t)(next_noise() % (uint64_t)(high - low + 1));
}

int64_t noise_of(content kind, int64_t low, int64_t high) {
  static int64_t last;
  switch (kind) {
    case CONTENT_EXTREMES:
      return next_noise() & 1 ? high : low;
    case CONTENT_FLAT:
      if (next_noise() % 64 == 0) last = next_noise() & 1 ? high : low;
      return last < low ? low : last > high ? high : last;
    default:
      return noise_between(low, high);
  }
}

void *guarded(unsigned slot, size_t bytes) {
  static struct {
    uint8_t *base;
    size_t size;
  } slots[SLOTS];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (slot >= SLOTS) abort();
  if (slots[slot].size < bytes) {
    if (slots[slot].base) munmap(slots[slot].base, slots[slot].size + page);
    const size_t size = (2 * bytes + page - 1) / page * page;
    uint8_t *base =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (base == MAP_FAILED || mprotect(base + size, page, PROT_NONE) != 0) abort();
    slots[slot].base = base;
    slots[slot].size = size;
  }
  uint8_t *start = slots[slot].base + slots[slot].size - bytes;
  for (size_t i = 0; i < bytes; i++) start[i] = (uint8_t)(i * 7 + 13);
  return start;
}

void fill_weights(int16_t *weights, size_t count, size_t run, int32_t total, int32_t largest) {
  int32_t left = 0;
  for (size_t i = 0; i < count; i++) {
    if (i % run == 0) left = total;
    const int32_t most = left < largest ? left : largest;
    // Sometimes as large as may be, else a share of what is left.
    int32_t weight = next_noise() % 4 == 0 ? most : (int32_t)noise_between(0, most / 2);
    left -= weight;
    weights[i] = (int16_t)(next_noise() & 1 ? weight : -weight);
  }
}

void compare(harness *run, const void *law, const void *tier, size_t bytes,
             const char *kernel, uint32_t width) {
  run->calls++;
  run->bytes += bytes;
  if (memcmp(law, tier, bytes) == 0) return;
  const uint8_t *a = law, *b = tier;
  size_t i = 0;
  while (a[i] == b[i]) i++;
  printf("FAILED: %s %s of %" PRIu32 ": byte %zu of %zu is %u, not %u\n", run->name, kernel, width,
         i, bytes, b[i], a[i]);
  run->failed = true;
}

void tell(harness *run, const char *kernel) {
  printf("%s %s: %" PRIu64 " comparisons, %" PRIu64 " bytes\n", run->name, kernel, run->calls,
         run->bytes);
  if (run->calls == 0) run->failed = true;
  run->calls = 0;
  run->bytes = 0;
}

uint32_t width_of(uint32_t step) { return step < 68 ? step : 4099; }

// Whether a tier has no function of another's table.
static void check_tables(harness *run, const wk_kernels *other, const char *name) {
  if (run->tier == other) return;
#define DIFFERS(kernel)                                                              \
  if (run->tier->kernel == other->kernel) {                                          \
    printf("FAILED: %s takes " #kernel " from %s\n", run->name, name);               \
    run->failed = true;                                                              \
  }
  DIFFERS(linear_grey8)
  DIFFERS(linear_rgb8)
  DIFFERS(linear_rgba8)
  DIFFERS(horizontal1)
  DIFFERS(horizontal3)
  DIFFERS(horizontal4)
  DIFFERS(gather1)
  DIFFERS(gather3)
  DIFFERS(gather4)
  DIFFERS(vertical)
  DIFFERS(accumulate)
  DIFFERS(finish_rgba)
}

static const struct {
  wk_tier tier;
  const char *name;
} tiers[] = {{WK_TIER_SCALAR, "scalar"},
             {WK_TIER_SSE2, "sse2"},
             {WK_TIER_AVX2, "avx2"},
             {WK_TIER_NEON, "neon"}};
#define TIERS (sizeof tiers / sizeof tiers[0])

// Arguments name tiers that must be there.
int main(int count, char **words) {
  bool failed = false;
  const wk_kernels *law = wk_kernels_for(WK_TIER_SCALAR);
  if (!law) return 1;
  for (int i = 1; i < count; i++) {
    bool found = false;
    for (size_t t = 0; t < TIERS; t++) {
      found |= strcmp(words[i], tiers[t].name) == 0 && wk_kernels_for(tiers[t].tier);
    }
    if (!found) {
      printf("FAILED: %s is not here\n", words[i]);
      failed = true;
    }
  }
  for (size_t t = 1; t < TIERS; t++) {
    const wk_kernels *kernels = wk_kernels_for(tiers[t].tier);
    if (!kernels) continue;
    harness run = {.name = tiers[t].name, .law = law, .tier = kernels};
    for (size_t other = 0; other < TIERS; other++) {
      const wk_kernels *theirs = wk_kernels_for(tiers[other].tier);
      if (theirs) check_tables(&run, theirs, tiers[other].name);
    }
    check_linear(&run);
    check_columns(&run);
    check_rows(&run);
    check_finish(&run);
    failed |= run.failed;
  }
  return failed ? 1 : 0;
}
