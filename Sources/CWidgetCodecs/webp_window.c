// Address ranges with little memory behind them.
#define _GNU_SOURCE
#include "webp_window.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

size_t wi_page_size(void) {
  long size = sysconf(_SC_PAGESIZE);
  return size > 0 ? (size_t)size : 4096;
}

static wi_status map_failed(wi_failure *failure) {
  return wi_fail(failure, WI_OUT_OF_MEMORY, "the system maps no more memory: %s",
                 strerror(errno));
}

// Huge pages would back 2 MB for one byte that is touched.
static void keep_pages_small(void *pages, size_t bytes) {
#ifdef MADV_NOHUGEPAGE
  madvise(pages, bytes, MADV_NOHUGEPAGE);
#else
  (void)pages;
  (void)bytes;
#endif
}

// Read-only until it is used: such a range counts as nobody's memory, not even
// where the system promises no more than it has.
uint8_t *wi_pages_map(size_t bytes, wi_failure *failure) {
  void *pages = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    map_failed(failure);
    return NULL;
  }
  keep_pages_small(pages, bytes);
  return pages;
}

wi_status wi_pages_use(uint8_t *pages, size_t from, size_t to, wi_failure *failure) {
  size_t start = from / wi_page_size() * wi_page_size();
  if (mprotect(pages + start, to - start, PROT_READ | PROT_WRITE) == 0) return WI_OK;
  return map_failed(failure);
}

void wi_pages_discard(uint8_t *pages, size_t bytes) {
  if (bytes == 0) return;
#ifdef __linux__
  madvise(pages, bytes, MADV_DONTNEED);
#else
  // Elsewhere MADV_DONTNEED is a hint only; a new mapping is sure.
  mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0);
#endif
}

void wi_pages_unmap(uint8_t *pages, size_t bytes) {
  if (pages) munmap(pages, bytes);
}

// A file without a name that lives in memory only.
static int make_shared_object(size_t bytes) {
#ifdef __linux__
  int descriptor = memfd_create("widgetimg", MFD_CLOEXEC);
#else
  char name[32];
  int descriptor = -1;
  for (int attempt = 0; attempt < 100 && descriptor < 0; attempt++) {
    snprintf(name, sizeof name, "/widgetimg-%d-%d", (int)getpid(), attempt);
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  if (descriptor >= 0) shm_unlink(name);
#endif
  if (descriptor >= 0 && ftruncate(descriptor, (off_t)bytes) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

static size_t round_down(const wi_window *window, size_t bytes) {
  return bytes / window->page * window->page;
}

static wi_status spill(wi_window *window, size_t from, size_t to, wi_failure *failure) {
  while (from < to) {
    size_t piece = to - from < window->spill ? to - from : window->spill;
    if (mmap(window->base + from, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             window->spill_descriptor, 0) == MAP_FAILED) {
      return map_failed(failure);
    }
    from += piece;
  }
  return WI_OK;
}

static wi_status back(wi_window *window, size_t from, size_t to, wi_failure *failure) {
  if (from >= to) return WI_OK;
  if (mmap(window->base + from, to - from, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANON | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    return map_failed(failure);
  }
  keep_pages_small(window->base + from, to - from);
  return WI_OK;
}

wi_status wi_window_open(wi_window *window, size_t total, size_t window_bytes,
                         size_t spill_bytes, wi_failure *failure) {
  *window = (wi_window){.spill_descriptor = -1, .page = wi_page_size()};
  size_t rounding = window->page - 1;
  if (total > SIZE_MAX - rounding) {
    return wi_fail(failure, WI_OVER_BUDGET, "a size does not fit the address space");
  }
  window->total = round_down(window, total + rounding);
  window->window = round_down(window, window_bytes);
  uint8_t *base = wi_pages_map(window->total, failure);
  if (!base) return failure->status;
  window->base = base;
  if (window->window >= window->total) {
    window->window = window->end = window->total;
    return back(window, 0, window->end, failure);
  }
  window->end = window->window;
  window->spill = round_down(window, spill_bytes);
  if (window->spill == 0 || window->window == 0) {
    return wi_fail(failure, WI_MISUSE, "a window of %zu and %zu bytes", window_bytes,
                   spill_bytes);
  }
  window->spill_descriptor = make_shared_object(window->spill);
  if (window->spill_descriptor < 0) return map_failed(failure);
  if (back(window, 0, window->end, failure)) return failure->status;
  return spill(window, window->end, window->total, failure);
}

wi_status wi_window_move(wi_window *window, size_t offset, bool again, wi_failure *failure) {
  size_t start = round_down(window, offset);
  // A window that holds everything stays where it is.
  if (window->spill == 0 || (start <= window->start && !again)) return WI_OK;
  size_t end = window->total - start < window->window ? window->total : start + window->window;
  // What was backed goes first, so that the two never exist together.
  size_t gone = start < window->end ? start : window->end;
  if (spill(window, window->start, gone, failure) ||
      back(window, again || start > window->end ? start : window->end, end, failure) ||
      spill(window, end, window->end, failure)) {
    return failure->status;
  }
  window->start = start;
  window->end = end;
  return WI_OK;
}

void wi_window_close(wi_window *window) {
  wi_pages_unmap(window->base, window->total);
  if (window->spill_descriptor >= 0) close(window->spill_descriptor);
  window->base = NULL;
  window->spill_descriptor = -1;
}
