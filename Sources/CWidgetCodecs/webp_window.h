// A picture's address range of which only a window of rows is backed.
#pragma once

#include "include/wi_common.h"

#pragma clang assume_nonnull begin

/// libwebp writes a whole picture, row by row, into one address range. Only the
/// window's pages are memory of their own. All others show the same small
/// shared object over and over: what is written there is lost, but takes no
/// memory, so a picture whose rows all come at once stays within bounds too.
typedef struct wi_window {
  uint8_t *_Nullable base;
  /// All sizes are whole pages.
  size_t total, window, spill;
  /// The part that is backed, from `base`.
  size_t start, end;
  size_t page;
  int spill_descriptor;
} wi_window;

/// Maps `total` bytes with the window at the front. `spill_bytes` is the size
/// of the shared object; it is not made when the window holds everything.
/// Nothing is reserved here. `wi_window_close` is due after a failure too.
wi_status wi_window_open(wi_window *window, size_t total, size_t window_bytes,
                         size_t spill_bytes, wi_failure *failure);

/// Moves the window forward, so that it starts in the page of `offset`. What
/// it held before that is lost; `again` drops the rest too.
wi_status wi_window_move(wi_window *window, size_t offset, bool again, wi_failure *failure);

void wi_window_close(wi_window *window);

/// An address range that reads as zero and takes no room; NULL on failure.
uint8_t *_Nullable wi_pages_map(size_t bytes, wi_failure *failure);
/// Makes the pages of `from..<to` writable.
wi_status wi_pages_use(uint8_t *pages, size_t from, size_t to, wi_failure *failure);
/// Gives the memory of whole pages back; they read as zero afterwards.
void wi_pages_discard(uint8_t *pages, size_t bytes);
void wi_pages_unmap(uint8_t *_Nullable pages, size_t bytes);
size_t wi_page_size(void);

#pragma clang assume_nonnull end
