// Temporary files that must not outlive the process, even when it is
// interrupted.
#pragma once

#include "wi_common.h"

#pragma clang assume_nonnull begin

/// Remembers `path` (copied) until `wi_cleanup_unregister`. Returns a slot, or
/// -1 when all are taken: the file is then left behind by an interruption.
/// Thread-safe.
int32_t wi_cleanup_register(const char *path);

/// Forgets a slot. -1 is fine.
void wi_cleanup_unregister(int32_t slot);

/// On SIGINT, SIGTERM and SIGHUP: unlinks every registered path, then ends the
/// process with status 130, 143 or 129. A signal that is ignored stays ignored
/// (nohup). For programs only: a library never installs handlers.
void wi_cleanup_install(void);

/// A number that no other call in this process returned.
uint32_t wi_cleanup_next_number(void);

#pragma clang assume_nonnull end
