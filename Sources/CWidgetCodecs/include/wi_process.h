// What the process may use, and how its C library hands out memory.
#pragma once

#include "wi_common.h"

#pragma clang assume_nonnull begin

/// Processors that this thread may run on, at least 1.
uint32_t wi_processors(void);

/// glibc: all threads share one heap, and blocks from 128 KiB on are mapped one
/// by one, so that what is freed goes back to the system. Otherwise each thread
/// grows a heap of its own, and the bound for mapped blocks rises to the
/// largest one that was freed. Other C libraries stay as they are. Call before
/// there is a second thread. For programs only.
void wi_keep_one_heap(void);

#pragma clang assume_nonnull end
