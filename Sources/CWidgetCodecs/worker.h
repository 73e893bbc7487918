// A second thread that works ahead of the reader.
#pragma once

#include "include/wi_common.h"

#pragma clang assume_nonnull begin

/// Bytes that a worker's thread may use for its stack; reserved with it.
#define WI_WORKER_STACK (128 * 1024)

/// A thread that makes items 0, 1, 2 ... in order, never more than `depth`
/// ahead of those that were taken.
typedef struct wi_worker wi_worker;

/// What makes an item. False ends the worker: the item failed, and so do all
/// after it. Called on the worker's thread alone.
typedef bool (*wi_worker_make)(void *context, uint64_t item);

/// Starts a worker over `count` items. NULL without a failure when the system
/// has no thread to give, so that the caller does the work itself; with
/// `failure` set when its memory is refused.
wi_worker *_Nullable wi_worker_start(const wi_memory *memory, uint64_t depth, uint64_t count,
                                     wi_worker_make make, void *context, wi_failure *failure);

/// Waits until `item` is made; false when it failed. All that the worker wrote
/// for it is visible then.
bool wi_worker_wait(wi_worker *worker, uint64_t item);

/// Items below `count` are not needed any more.
void wi_worker_take(wi_worker *worker, uint64_t count);

/// Ends the thread, after the item that it is at, and frees the worker.
void wi_worker_stop(wi_worker *_Nullable worker);

#pragma clang assume_nonnull end
