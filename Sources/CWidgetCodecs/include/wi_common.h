// Status codes, failure records, memory hooks and output sinks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What an entry point returns. `WI_OK` is 0, so `if (status)` means failure.
typedef enum __attribute__((enum_extensibility(open))) : int32_t {
  WI_OK = 0,
  /// The input ends before the data that was asked for.
  WI_TRUNCATED = 1,
  /// The data breaks its format's rules.
  WI_CORRUPT = 2,
  /// Valid, but of a kind that is not read here.
  WI_UNSUPPORTED = 3,
  /// A memory hook refused a reservation; `needed` in the failure is its size.
  WI_OVER_BUDGET = 4,
  /// `read` or `pread` failed; `system_error` is errno.
  WI_READ_FAILED = 5,
  /// The sink refused bytes; the sink's owner knows why.
  WI_WRITE_FAILED = 6,
  /// malloc returned NULL although the hook agreed.
  WI_OUT_OF_MEMORY = 7,
  /// A mistake of the caller's: a wrong row length, a call out of order.
  WI_MISUSE = 8,
  /// A pipe is too long to be held, and must be read at several places.
  WI_NEEDS_FILE = 9,
} wi_status;

/// The first failure of a handle.
typedef struct wi_failure {
  wi_status status;
  /// errno for WI_READ_FAILED, else 0.
  int32_t system_error;
  /// Bytes asked for when WI_OVER_BUDGET, else 0.
  uint64_t needed;
  /// One line, no trailing full stop, NUL-terminated. Control bytes that come
  /// from a file are replaced before they get here.
  char message[160];
} wi_failure;

/// Fills `failure` unless it already holds one (the first failure wins).
/// Returns the status that `failure` then holds.
wi_status wi_fail(wi_failure *failure, wi_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// The message of `failure`: a stable pointer into it, for Swift, which sees a
/// C array as a tuple.
const char *wi_failure_message(const wi_failure *failure);

/// Hooks that account for memory. They never allocate themselves.
typedef struct wi_memory {
  void *_Nullable context;
  /// Says whether `bytes` more may be used. Must be callable from any thread.
  bool (*reserve)(void *_Nullable context, size_t bytes);
  /// Gives back what `reserve` granted.
  void (*release)(void *_Nullable context, size_t bytes);
} wi_memory;

/// malloc under the hooks: reserves `bytes` and a 16-byte header.
/// NULL with `failure` set when refused. The memory is not cleared.
void *_Nullable wi_allocate(const wi_memory *memory, size_t bytes, wi_failure *failure);
/// As `wi_allocate`, cleared; `count * size` is checked for overflow.
void *_Nullable wi_allocate_zeroed(const wi_memory *memory, size_t count, size_t size,
                                   wi_failure *failure);
/// Frees what `wi_allocate` gave and releases its reservation. NULL is fine.
void wi_free(const wi_memory *memory, void *_Nullable pointer);
/// Reserves without allocating, for memory that a library allocates by itself.
wi_status wi_reserve(const wi_memory *memory, size_t bytes, wi_failure *failure);
void wi_release(const wi_memory *memory, size_t bytes);

/// Where an encoder's bytes go.
typedef struct wi_sink {
  void *_Nullable context;
  /// Takes `count` bytes. False stops the encoder with WI_WRITE_FAILED.
  bool (*write)(void *_Nullable context, const uint8_t *bytes, size_t count);
} wi_sink;

#pragma clang assume_nonnull end
