// What the parts of the PNG reader share.
#pragma once

#include <setjmp.h>

#include <png.h>

#include "reader.h"
#include "worker.h"

#pragma clang assume_nonnull begin

#define WI_PNG_BUFFER (32 * 1024)
/// Of each pass but the last.
#define WI_PNG_PASS_BUFFER (16 * 1024)
/// Rows of the last pass that a second thread decodes ahead, by their bytes and
/// at least and at most by their number.
#define WI_PNG_AHEAD_BYTES (128 * 1024)
#define WI_PNG_LEAST_AHEAD 2
#define WI_PNG_MOST_AHEAD 64

typedef struct wi_png wi_png;

/// One libpng object, and where its bytes come from.
typedef struct wi_png_stream {
  png_structp _Nullable png;
  png_infop _Nullable info;
  jmp_buf fence;
  wi_png *reader;
  /// The reader's own, or those of the thread that reads this stream.
  wi_failure *failure;
  uint32_t *notes;
  uint64_t position;    // in the input, of what comes after the buffer
  size_t next, count;   // of the buffer
  size_t block;         // of pixel data that libpng reads at once
  uint64_t chunk_left;  // of the current chunk, its checksum included
  bool past_signature, in_header, is_palette;
  bool has_rows;  // so that a cut source may go on
  bool cut;       // what is missing is given as zeros
  bool ended;     // the input ended after the last pixel
  size_t buffer_bytes;
  uint8_t buffer[];
} wi_png_stream;

struct wi_png {
  wi_reader base;
  wi_input *input;
  bool allow_truncated, is_interlaced;
  size_t row_bytes, pixel_bytes;
  /// The only one, or that of the last pass.
  wi_png_stream *_Nullable main;
  /// Adam7: a stream for each pass that has pixels, the main one among them.
  wi_png_stream *_Nullable passes[PNG_INTERLACE_ADAM7_PASSES];
  bool has_skipped[PNG_INTERLACE_ADAM7_PASSES];
  /// Adam7: a row of a pass, as wide as the picture.
  uint8_t *_Nullable pass_row;
  /// Adam7 on two threads: reads the seventh pass, into a ring of rows.
  wi_worker *_Nullable worker;
  wi_failure worker_failure;
  uint32_t worker_notes;
  uint64_t ahead;
  uint8_t *_Nullable ring;
};

/// Opens a stream and reads its header. NULL with the reader's failure set.
wi_png_stream *_Nullable wi_png_stream_open(wi_png *reader, uint64_t position,
                                            size_t buffer_bytes);
void wi_png_stream_close(wi_png_stream *_Nullable stream);

/// Reads rows that nobody wants. False with the stream's failure set.
bool wi_png_stream_skip(wi_png_stream *stream, uint64_t rows);

/// Reads a row of `row_bytes`; of an interlaced image the pass's own pixels, at
/// the row's beginning. False with the stream's failure set.
bool wi_png_stream_row(wi_png_stream *stream, uint8_t *row);

/// Reads what follows the pixels.
void wi_png_stream_finish(wi_png_stream *stream);

/// Fills the buffer; false at the input's end.
bool wi_png_refill(wi_png_stream *stream);

/// Opens the streams of the passes, the main one being open.
wi_status wi_png_open_passes(wi_png *reader, uint64_t offset, bool on_two_threads);

/// Ends the second thread, and takes over what it noticed.
void wi_png_stop_worker(wi_png *reader);

/// The next row of an interlaced image.
wi_status wi_png_interlaced_row(wi_png *reader, uint8_t *row);

#pragma clang assume_nonnull end
