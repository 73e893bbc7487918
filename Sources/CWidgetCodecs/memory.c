// malloc under accounting hooks.
#include "include/wi_common.h"

#include <stdlib.h>
#include <string.h>

// In front of each block: its size, padded so that the block itself keeps
// malloc's 16-byte alignment.
#define WI_BLOCK_HEADER 16

wi_status wi_reserve(const wi_memory *memory, size_t bytes, wi_failure *failure) {
  if (memory->reserve(memory->context, bytes)) return WI_OK;
  if (failure->status == WI_OK) failure->needed = bytes;
  return wi_fail(failure, WI_OVER_BUDGET, "%zu bytes more would pass the memory budget", bytes);
}

void wi_release(const wi_memory *memory, size_t bytes) {
  memory->release(memory->context, bytes);
}

void *wi_allocate(const wi_memory *memory, size_t bytes, wi_failure *failure) {
  size_t total;
  if (__builtin_add_overflow(bytes, (size_t)WI_BLOCK_HEADER, &total)) {
    wi_fail(failure, WI_OVER_BUDGET, "a size does not fit the address space");
    return NULL;
  }
  if (wi_reserve(memory, total, failure)) return NULL;
  uint8_t *block = malloc(total);
  if (!block) {
    wi_release(memory, total);
    wi_fail(failure, WI_OUT_OF_MEMORY, "the system has no %zu bytes left", total);
    return NULL;
  }
  memcpy(block, &total, sizeof total);
  return block + WI_BLOCK_HEADER;
}

void *wi_allocate_zeroed(const wi_memory *memory, size_t count, size_t size,
                         wi_failure *failure) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    wi_fail(failure, WI_OVER_BUDGET, "a size does not fit the address space");
    return NULL;
  }
  void *pointer = wi_allocate(memory, bytes, failure);
  if (pointer) memset(pointer, 0, bytes);
  return pointer;
}

void wi_free(const wi_memory *memory, void *pointer) {
  if (!pointer) return;
  uint8_t *block = (uint8_t *)pointer - WI_BLOCK_HEADER;
  size_t total;
  memcpy(&total, block, sizeof total);
  free(block);
  wi_release(memory, total);
}
