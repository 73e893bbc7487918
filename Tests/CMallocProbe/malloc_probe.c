// A library to preload into the built tool (glibc only): it counts what the
// process takes from the C allocator and by anonymous mappings, and writes the
// figures to the file named by WIDGETIMG_PROBE_OUT when the process ends.
//
//   peak=N         most bytes of live allocations at one time (usable sizes)
//   count=N        calls that gave out memory
//   live=N         bytes not given back at the end
//   largest=N      the largest single allocation
//   mapped_peak=N  most bytes of live writable anonymous mappings
//   total_peak=N   most bytes of both together at one time
//
// glibc's own `__libc_` entry points are used, not dlsym: dlsym allocates,
// which an allocator that is not yet found cannot serve. glibc's inner
// mappings (its arenas, thread stacks) do not pass here.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static _Atomic int64_t live, mapped, calls;
static _Atomic int64_t peak, mapped_peak, total_peak, largest;

static void raise_to(_Atomic int64_t *mark, int64_t value) {
  int64_t seen = atomic_load(mark);
  while (value > seen && !atomic_compare_exchange_weak(mark, &seen, value)) {
  }
}

static void add(int64_t bytes) {
  int64_t now = atomic_fetch_add(&live, bytes) + bytes;
  raise_to(&peak, now);
  raise_to(&total_peak, now + atomic_load(&mapped));
}

static void *counted(void *block) {
  if (block) {
    int64_t size = (int64_t)malloc_usable_size(block);
    atomic_fetch_add(&calls, 1);
    raise_to(&largest, size);
    add(size);
  }
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void free(void *block) {
  if (block) {
    atomic_fetch_sub(&live, (int64_t)malloc_usable_size(block));
    __libc_free(block);
  }
}

void *realloc(void *block, size_t size) {
  int64_t before = block ? (int64_t)malloc_usable_size(block) : 0;
  void *moved = __libc_realloc(block, size);
  if (moved || (block && size == 0)) {
    atomic_fetch_sub(&live, before);
    counted(moved);
  }
  return moved;
}

void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, bytes);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
    return EINVAL;
  }
  int saved = errno;
  void *block = memalign(alignment, size);
  errno = saved;
  if (!block) {
    return ENOMEM;
  }
  *out = block;
  return 0;
}

void *valloc(size_t size) { return memalign((size_t)sysconf(_SC_PAGESIZE), size); }

void *pvalloc(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return memalign(page, (size + page - 1) / page * page);
}

// Mappings: a small table of those counted, so that an unmapping of something
// else is not taken off. A mapping given back in parts is taken off as it goes.
enum { SLOTS = 1024 };
static struct {
  uintptr_t start, end;
} slots[SLOTS];
static atomic_flag slots_lock = ATOMIC_FLAG_INIT;

static void lock_slots(void) {
  while (atomic_flag_test_and_set(&slots_lock)) {
  }
}

static void forget(uintptr_t start, uintptr_t end) {
  int64_t gone = 0;
  lock_slots();
  for (int i = 0; i < SLOTS; i++) {
    uintptr_t from = slots[i].start > start ? slots[i].start : start;
    uintptr_t to = slots[i].end < end ? slots[i].end : end;
    if (from >= to) {
      continue;
    }
    gone += (int64_t)(to - from);
    if (from == slots[i].start) {
      slots[i].start = to;
    } else {
      // Cut off at the end; what may lie behind the hole is let go of too.
      gone += (int64_t)(slots[i].end - to);
      slots[i].end = from;
    }
    if (slots[i].start == slots[i].end) {
      slots[i].start = slots[i].end = 0;
    }
  }
  atomic_flag_clear(&slots_lock);
  atomic_fetch_sub(&mapped, gone);
}

static void remember(uintptr_t start, size_t length) {
  int slot = 0;
  lock_slots();
  while (slot < SLOTS && slots[slot].end != 0) {
    slot++;
  }
  if (slot < SLOTS) {
    slots[slot].start = start;
    slots[slot].end = start + length;
  }
  atomic_flag_clear(&slots_lock);
  if (slot < SLOTS) {
    int64_t now = atomic_fetch_add(&mapped, (int64_t)length) + (int64_t)length;
    raise_to(&mapped_peak, now);
    raise_to(&total_peak, now + atomic_load(&live));
  }
}

void *mmap(void *where, size_t length, int protection, int flags, int file, off_t offset) {
  void *start = (void *)syscall(SYS_mmap, where, length, protection, flags, file, offset);
  if (start != MAP_FAILED) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (length + page - 1) / page * page;
    if (flags & MAP_FIXED) {
      forget((uintptr_t)start, (uintptr_t)start + whole);
    }
    if ((flags & MAP_ANONYMOUS) && (protection & PROT_WRITE)) {
      remember((uintptr_t)start, whole);
    }
  }
  return start;
}

void *mmap64(void *where, size_t length, int protection, int flags, int file, off_t offset) {
  return mmap(where, length, protection, flags, file, offset);
}

int munmap(void *start, size_t length) {
  int result = (int)syscall(SYS_munmap, start, length);
  if (result == 0) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    forget((uintptr_t)start, (uintptr_t)start + (length + page - 1) / page * page);
  }
  return result;
}

static void report(void) {
  static atomic_flag done = ATOMIC_FLAG_INIT;
  const char *path = getenv("WIDGETIMG_PROBE_OUT");
  if (!path || atomic_flag_test_and_set(&done)) {
    return;
  }
  // Read before anything below could allocate.
  long long figures[6] = {
    atomic_load(&peak),    atomic_load(&calls),       atomic_load(&live),
    atomic_load(&largest), atomic_load(&mapped_peak), atomic_load(&total_peak),
  };
  char line[256];
  int length = snprintf(
    line, sizeof line,
    "peak=%lld count=%lld live=%lld largest=%lld mapped_peak=%lld total_peak=%lld\n",
    figures[0], figures[1], figures[2], figures[3], figures[4], figures[5]);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0) {
    if (write(file, line, (size_t)length) != length) {
      unlink(path);
    }
    close(file);
  }
}

// `exit` comes by here; `_exit` runs no destructor, so it is caught too.
__attribute__((destructor)) static void at_end(void) { report(); }

__attribute__((noreturn)) void _exit(int status) {
  report();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

__attribute__((noreturn)) void _Exit(int status) { _exit(status); }
