// What the parts of the JPEG reader share.
#pragma once

#include <setjmp.h>

#include "jpeg_memory.h"
#include "reader.h"

#pragma clang assume_nonnull begin

#define WI_JPEG_BUFFER (32 * 1024)

typedef struct wi_jpeg {
  wi_reader base;
  struct jpeg_decompress_struct object;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  wi_jpeg_memory memory;
  /// Where libjpeg's errors land. Set before each group of libjpeg calls.
  jmp_buf fence;

  wi_input *input;
  uint64_t position;  // in the input, of what comes after the buffer
  bool input_ended;   // the input's end was met, and an EOI was made up
  uint32_t max_scans;
  bool allow_truncated;
  bool created, started;
  bool gave_up;  // the rest of the scans, since the input ended between them
  bool is_inverted;  // CMYK as Adobe writes it
  /// Scans met so far of each component, and the scan counted last.
  uint32_t component_scans[MAX_COMPONENTS];
  int counted_scan;
  /// One row of CMYK, NULL for the other colour spaces.
  uint8_t *_Nullable cmyk;
  uint8_t buffer[WI_JPEG_BUFFER];
  uint8_t made_up_end[2];
} wi_jpeg;

/// Sets up the error manager: errors fill the failure and jump to `fence`,
/// warnings become notes or, where pixels are missing, a failure.
void wi_jpeg_install_messages(wi_jpeg *jpeg);

/// Sets up the source manager; the object must exist.
void wi_jpeg_install_source(wi_jpeg *jpeg, uint64_t offset);

/// Pixels are missing since the data ends: fails and jumps, or, when cut
/// sources are allowed, notes it and returns.
void wi_jpeg_pixels_missing(wi_jpeg *jpeg);

/// Jumps to the fence; a failure must stand.
_Noreturn void wi_jpeg_leave(wi_jpeg *jpeg);

#pragma clang assume_nonnull end
