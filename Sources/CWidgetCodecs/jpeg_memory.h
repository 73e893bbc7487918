// libjpeg's memory manager under accounting hooks.
#pragma once

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include "include/wi_common.h"

#pragma clang assume_nonnull begin

/// What a compress or decompress object's memory manager has taken.
///
/// Use: embed one in the state that outlives the object, call `jpeg_create_*`,
/// then `wi_jpeg_memory_install`. From then on every allocation is reserved
/// first. A refusal fills `failure` (WI_OVER_BUDGET) and calls the object's
/// `error_exit`, which must not return. `jpeg_destroy` gives everything back.
typedef struct wi_jpeg_memory {
  const wi_memory *hooks;
  wi_failure *failure;
  /// libjpeg's own methods.
  struct jpeg_memory_mgr original;
  /// Reserved for each pool (lifetime class) of libjpeg's.
  size_t tally[JPOOL_NUMPOOLS];
  /// Virtual arrays that are requested and not yet in memory.
  size_t pending;
  /// Bytes of each pool's spare room that small objects may still fill before
  /// they are counted; 0 where they are counted from the first on.
  size_t room[JPOOL_NUMPOOLS];
} wi_jpeg_memory;

/// Puts `memory` behind `object`'s memory manager. Takes over
/// `object->client_data`, which must stay `memory`. `hooks` and `failure` must
/// outlive the object. Call it inside the `setjmp` fence: it reserves what
/// `jpeg_create_*` took and may refuse.
void wi_jpeg_memory_install(wi_jpeg_memory *memory, j_common_ptr object,
                            const wi_memory *hooks, wi_failure *failure);

/// As `wi_jpeg_memory_install`, for one of many objects that hold nothing but
/// small ones: the spare room of libjpeg's pools is counted once, not again by
/// what is put into it. 20,480 bytes at first, and most often at last.
void wi_jpeg_memory_install_small(wi_jpeg_memory *memory, j_common_ptr object,
                                  const wi_memory *hooks, wi_failure *failure);

#pragma clang assume_nonnull end
