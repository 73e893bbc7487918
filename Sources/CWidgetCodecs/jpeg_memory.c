// Each of libjpeg's allocation methods, with its size reserved beforehand.
//
// libjpeg's methods call each other directly, not through the method table, so
// no byte is counted twice. What is not counted is the spare room at the end of
// its pools of small objects: some kilobytes each (a constant stands for it).
#include "jpeg_memory.h"

#include <jerror.h>

// libjpeg-turbo aligns to 32 bytes and puts 24 bytes and the alignment in front
// of each large block; rows of samples are padded to two alignments.
#define ALIGNMENT 32
#define BLOCK_OVERHEAD (24 + ALIGNMENT - 1)
// libjpeg takes larger arrays in pieces of this size.
#define CHUNK 1000000000

// The manager itself, the first objects of `jpeg_create_*`, and the spare room
// of the first pools (1,600 and 16,000 bytes).
#define BASE (24 * 1024)
// The same to the byte, for what fills that room before it takes more.
#define SMALL_BASE (20 * 1024)
#define PERMANENT_ROOM 1600
#define IMAGE_ROOM 16000

static wi_jpeg_memory *memory_of(j_common_ptr object) { return object->client_data; }

static size_t plus(size_t a, size_t b) {
  size_t sum;
  return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

static size_t times(size_t a, size_t b) {
  size_t product;
  return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static size_t rounded(size_t bytes, size_t unit) {
  size_t sum = plus(bytes, unit - 1);
  return sum == SIZE_MAX ? SIZE_MAX : sum / unit * unit;
}

static size_t large_bytes(size_t bytes) {
  return plus(rounded(bytes, ALIGNMENT), BLOCK_OVERHEAD);
}

// A two-dimensional array: its pointers, its rows, and a header for each piece.
static size_t array_bytes(size_t row_bytes, size_t rows) {
  size_t all = times(row_bytes, rows);
  size_t pieces = plus(all / CHUNK, 2);
  size_t pointers = rounded(times(rows, sizeof(void *)), ALIGNMENT);
  return plus(plus(all, pointers), times(pieces, BLOCK_OVERHEAD));
}

static size_t sample_array_bytes(size_t samples, size_t rows) {
  return array_bytes(rounded(times(samples, sizeof(JSAMPLE)), 2 * ALIGNMENT), rows);
}

static size_t block_array_bytes(size_t blocks, size_t rows) {
  return array_bytes(times(blocks, sizeof(JBLOCK)), rows);
}

// Does not return when refused.
static void take(j_common_ptr object, int pool, size_t bytes) {
  wi_jpeg_memory *memory = memory_of(object);
  if (pool < 0 || pool >= JPOOL_NUMPOOLS) return;  // libjpeg reports that itself
  if (wi_reserve(memory->hooks, bytes, memory->failure)) {
    ERREXIT1(object, JERR_OUT_OF_MEMORY, 0);
  }
  memory->tally[pool] += bytes;
}

static void *take_small(j_common_ptr object, int pool, size_t bytes) {
  wi_jpeg_memory *memory = memory_of(object);
  size_t taken = rounded(bytes, ALIGNMENT);
  if (pool >= 0 && pool < JPOOL_NUMPOOLS && taken <= memory->room[pool]) {
    memory->room[pool] -= taken;
  } else {
    take(object, pool, taken);
  }
  return memory->original.alloc_small(object, pool, bytes);
}

static void *take_large(j_common_ptr object, int pool, size_t bytes) {
  take(object, pool, large_bytes(bytes));
  return memory_of(object)->original.alloc_large(object, pool, bytes);
}

static JSAMPARRAY take_samples(j_common_ptr object, int pool, JDIMENSION samples,
                               JDIMENSION rows) {
  take(object, pool, sample_array_bytes(samples, rows));
  return memory_of(object)->original.alloc_sarray(object, pool, samples, rows);
}

static JBLOCKARRAY take_blocks(j_common_ptr object, int pool, JDIMENSION blocks,
                               JDIMENSION rows) {
  take(object, pool, block_array_bytes(blocks, rows));
  return memory_of(object)->original.alloc_barray(object, pool, blocks, rows);
}

// A virtual array's control block: some 150 bytes.
#define CONTROL_BLOCK 192

static jvirt_sarray_ptr request_samples(j_common_ptr object, int pool, boolean zeroed,
                                        JDIMENSION samples, JDIMENSION rows,
                                        JDIMENSION at_once) {
  wi_jpeg_memory *memory = memory_of(object);
  take(object, pool, CONTROL_BLOCK);
  memory->pending = plus(memory->pending, sample_array_bytes(samples, rows));
  return memory->original.request_virt_sarray(object, pool, zeroed, samples, rows, at_once);
}

static jvirt_barray_ptr request_blocks(j_common_ptr object, int pool, boolean zeroed,
                                       JDIMENSION blocks, JDIMENSION rows, JDIMENSION at_once) {
  wi_jpeg_memory *memory = memory_of(object);
  take(object, pool, CONTROL_BLOCK);
  memory->pending = plus(memory->pending, block_array_bytes(blocks, rows));
  return memory->original.request_virt_barray(object, pool, zeroed, blocks, rows, at_once);
}

static void realize(j_common_ptr object) {
  wi_jpeg_memory *memory = memory_of(object);
  size_t bytes = memory->pending;
  memory->pending = 0;
  take(object, JPOOL_IMAGE, bytes);
  memory->original.realize_virt_arrays(object);
}

static void give_back(wi_jpeg_memory *memory, int pool) {
  wi_release(memory->hooks, memory->tally[pool]);
  memory->tally[pool] = 0;
}

static void free_pool(j_common_ptr object, int pool) {
  wi_jpeg_memory *memory = memory_of(object);
  memory->original.free_pool(object, pool);
  if (pool == JPOOL_IMAGE) memory->pending = 0;
  if (pool >= 0 && pool < JPOOL_NUMPOOLS) give_back(memory, pool);
}

static void self_destruct(j_common_ptr object) {
  wi_jpeg_memory *memory = memory_of(object);
  memory->original.self_destruct(object);
  for (int pool = 0; pool < JPOOL_NUMPOOLS; pool++) give_back(memory, pool);
}

static void install(wi_jpeg_memory *memory, j_common_ptr object, const wi_memory *hooks,
                    wi_failure *failure, size_t base) {
  struct jpeg_memory_mgr *manager = object->mem;
  *memory = (wi_jpeg_memory){.hooks = hooks, .failure = failure, .original = *manager};
  object->client_data = memory;
  manager->alloc_small = take_small;
  manager->alloc_large = take_large;
  manager->alloc_sarray = take_samples;
  manager->alloc_barray = take_blocks;
  manager->request_virt_sarray = request_samples;
  manager->request_virt_barray = request_blocks;
  manager->realize_virt_arrays = realize;
  manager->free_pool = free_pool;
  manager->self_destruct = self_destruct;
  // The environment variable JPEGMEM sets a limit that asks for temporary
  // files; 0 means none.
  manager->max_memory_to_use = 0;
  take(object, JPOOL_PERMANENT, base);
}

void wi_jpeg_memory_install(wi_jpeg_memory *memory, j_common_ptr object,
                            const wi_memory *hooks, wi_failure *failure) {
  install(memory, object, hooks, failure, BASE);
}

void wi_jpeg_memory_install_small(wi_jpeg_memory *memory, j_common_ptr object,
                                  const wi_memory *hooks, wi_failure *failure) {
  install(memory, object, hooks, failure, SMALL_BASE);
  memory->room[JPOOL_PERMANENT] = PERMANENT_ROOM;
  memory->room[JPOOL_IMAGE] = IMAGE_ROOM;
}
