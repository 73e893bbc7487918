// Where compressed bytes come from: a file, memory, or a pipe read once.
#pragma once

#include "wi_common.h"

#pragma clang assume_nonnull begin

/// An input. Regular files are read with `pread` at any offset, from several
/// readers side by side. A pipe's first bytes are held in memory; one that ends
/// within them behaves like a file, a longer one can be read forward once.
/// Never a mapping: a file cut short under a mapping kills the process.
typedef struct wi_input wi_input;

/// Opens `path` for reading. On failure returns NULL, `failure` tells errno.
/// A directory fails with EISDIR. The bytes of the path are taken as they are.
wi_input *_Nullable wi_input_open_path(const char *path, const wi_memory *memory,
                                       size_t hold_limit, wi_failure *failure);

/// Takes over nothing: `descriptor` stays the caller's to close, after the
/// input. A regular file is read from the descriptor's current position on,
/// which then is offset 0. Of anything else up to `hold_limit` bytes are read
/// and held at once (in blocks of 64 KiB, each reserved).
wi_input *_Nullable wi_input_open_descriptor(int descriptor, const wi_memory *memory,
                                             size_t hold_limit, wi_failure *failure);

/// An input over a copy of `bytes`.
wi_input *_Nullable wi_input_open_bytes(const uint8_t *_Nullable bytes, size_t count,
                                        const wi_memory *memory, wi_failure *failure);

/// Bytes in the input, or -1 when it is a pipe that goes on past what is held.
int64_t wi_input_length(const wi_input *input);

/// True when any offset can be read at any time.
bool wi_input_is_seekable(const wi_input *input);

/// Bytes from offset 0 that can be read at any time: the length of a seekable
/// input, what is held of a pipe.
int64_t wi_input_rereadable_length(const wi_input *input);

/// Holds all of a pipe, so that any offset can be read at any time; nothing past
/// what is held may have been read. A seekable input stays as it is.
wi_status wi_input_hold_all(wi_input *input, wi_failure *failure);

/// Device and inode of a file, for telling one file by several names.
bool wi_input_identity(const wi_input *input, uint64_t *device, uint64_t *inode);

/// Reads up to `count` bytes at `offset`; `*got` is 0 at the end only.
/// Short reads are retried, EINTR too. Beyond what is held a pipe is read
/// strictly forward; another offset there is WI_MISUSE. A seekable input may be
/// read from several threads at once.
wi_status wi_input_read(wi_input *input, uint64_t offset, uint8_t *buffer, size_t count,
                        size_t *got, wi_failure *failure);

/// Total of bytes that `wi_input_read` gave, for tests and reports.
uint64_t wi_input_bytes_read(const wi_input *input);

void wi_input_close(wi_input *_Nullable input);

#pragma clang assume_nonnull end
