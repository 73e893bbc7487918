// What the parts of the JPEG reader share.
#pragma once

#include <setjmp.h>

#include "jpeg_memory.h"
#include "reader.h"
#include "worker.h"

#pragma clang assume_nonnull begin

#define WI_JPEG_BUFFER (32 * 1024)
/// Of each scan that is read beside others.
#define WI_JPEG_SCAN_BUFFER (4 * 1024)
#define WI_JPEG_MOST_SCANS 4096
/// Rows of MCUs of which coefficients are kept where two threads share the work.
#define WI_JPEG_WINDOWS 3
/// Bytes of one from which on there are two of them.
#define WI_JPEG_WIDE_WINDOW (512 * 1024)

/// What one thread's calls of libjpeg share.
typedef struct wi_jpeg_lane {
  /// Where libjpeg's errors land. Set before each group of libjpeg calls.
  jmp_buf fence;
  wi_failure *failure;
  /// A set of `wi_notes`.
  uint32_t *notes;
} wi_jpeg_lane;

/// One libjpeg object, and where its bytes come from.
typedef struct wi_jpeg_object {
  struct jpeg_decompress_struct object;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  wi_jpeg_memory memory;
  struct wi_jpeg *reader;
  wi_jpeg_lane *lane;
  uint64_t position;  // in the input, of what comes after the buffer
  uint64_t limit;     // of the positions that it may read
  bool created, started;
  bool input_ended;  // the input's end was met, and an EOI was made up
  bool is_needed;    // in lockstep: its scan has something for the output
  int requested;     // in lockstep: virtual arrays handed out
  /// In lockstep: where the segments in front of its scan begin, and the end of
  /// the marker behind its data.
  uint64_t begin, end;
  uint8_t made_up_end[2];
  size_t buffer_bytes;
  uint8_t *buffer;
} wi_jpeg_object;

/// A component's part of the coefficient windows: stands for a virtual array.
typedef struct wi_jpeg_plane {
  JDIMENSION blocks;  // in a row of blocks
  JDIMENSION height;  // rows of blocks in a row of MCUs
  /// All windows' rows of blocks, window after window.
  JBLOCKROW _Nullable rows[MAX_SAMP_FACTOR * WI_JPEG_WINDOWS];
} wi_jpeg_plane;

typedef struct wi_jpeg {
  wi_reader base;
  /// Gives the rows. In lockstep it reads the last scan, else the only one.
  wi_jpeg_object main;
  wi_jpeg_lane lane;
  wi_input *input;
  bool allow_truncated;
  bool is_inverted;  // CMYK as Adobe writes it
  /// One row of CMYK, NULL for the other colour spaces.
  uint8_t *_Nullable cmyk;

  /// Several scans, side by side: all but the last, in the file's order.
  bool in_lockstep;
  wi_jpeg_object *_Nullable *_Nullable scans;
  uint32_t scan_count;
  /// Window after window of coefficients, each a row of MCUs high.
  uint8_t *_Nullable window;
  size_t window_bytes;
  uint32_t windows;
  wi_jpeg_plane planes[MAX_COMPONENTS];
  /// Rows of MCUs that the scans before the last have written.
  uint32_t rows_brought;
  /// On two threads: reads the first of the scans.
  wi_worker *_Nullable worker;
  uint32_t worker_scans;
  wi_jpeg_lane worker_lane;
  wi_failure worker_failure;
  uint32_t worker_notes;
  /// Each component's quantisation, from the scan where it first stands.
  JQUANT_TBL quantisers[MAX_COMPONENTS];
  bool has_quantiser[MAX_COMPONENTS];
  /// Bits of each coefficient that no scan gives, -1 where none gives any.
  int8_t missing_bits[MAX_COMPONENTS][DCTSIZE2];
  bool lacks_end;     // no EOI follows the last scan
  bool has_trailing;  // something follows the EOI
  uint8_t buffer[WI_JPEG_BUFFER];
} wi_jpeg;

/// Sets up the error manager: errors fill the lane's failure and jump to its
/// fence, warnings become notes or, where pixels are missing, a failure.
void wi_jpeg_install_messages(wi_jpeg_object *object);

/// Sets up the source manager; the libjpeg object must exist. Bytes come from
/// `position` to `limit`, where libjpeg is suspended; past the input's end an
/// EOI is made up.
void wi_jpeg_install_source(wi_jpeg_object *object, uint64_t position, uint64_t limit);

/// Goes on at another place once the source is suspended.
void wi_jpeg_continue_source(wi_jpeg_object *object, uint64_t position, uint64_t limit);

/// Pixels are missing since the data ends: fails and jumps, or, when cut
/// sources are allowed, notes it and returns.
void wi_jpeg_pixels_missing(wi_jpeg_object *object);

/// Jumps to the fence; a failure must stand.
_Noreturn void wi_jpeg_leave(wi_jpeg_object *object);

/// Says how rows are to come from `object`, whose header was read.
void wi_jpeg_set_output(struct jpeg_decompress_struct *object, uint32_t shrink);

/// Reads the headers of all scans, opens an object for each that is needed, and
/// reads the main object's header. Inside the main lane's fence.
void wi_jpeg_open_scans(wi_jpeg *jpeg, uint64_t offset, const wi_jpeg_layout *layout,
                        uint32_t shrink, bool on_two_threads);

/// Looks at what follows the last scan, from `position` on. Sets the main lane's
/// fence, and fails as it does.
void wi_jpeg_check_tail(wi_jpeg *jpeg, uint64_t position);

/// Begins the output of the main object. Inside the main lane's fence.
void wi_jpeg_start_scans(wi_jpeg *jpeg);

/// Fails since the file does not go together, and jumps.
_Noreturn void wi_jpeg_contradicts(wi_jpeg_object *object);

/// Allocates the windows for the frame of `object`. Inside the main lane's fence.
void wi_jpeg_make_window(wi_jpeg *jpeg, const struct jpeg_decompress_struct *object);

/// Lets the object use the windows for its coefficients. Before it is started.
void wi_jpeg_share_window(wi_jpeg_object *object);

/// Starts the second thread, where the system has one and the scans can be
/// parted. Inside the main lane's fence.
void wi_jpeg_start_worker(wi_jpeg *jpeg);

/// Ends the second thread, and takes over what it noticed.
void wi_jpeg_stop_worker(wi_jpeg *jpeg);

/// Frees what `wi_jpeg_open_scans` made.
void wi_jpeg_close_scans(wi_jpeg *jpeg);

/// Frees a libjpeg object's own memory; it may be created or not.
void wi_jpeg_destroy(wi_jpeg_object *object);

#pragma clang assume_nonnull end
