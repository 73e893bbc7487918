// What the row writers share: the head of every writer's struct.
#pragma once

#include "include/wi_encoders.h"

#pragma clang assume_nonnull begin

/// The calls behind the public ones. `row` and `finish` are only called while
/// no failure stands, and set `failure` when they return one.
typedef struct wi_writer_calls {
  wi_status (*row)(wi_writer *writer, const uint8_t *row);
  wi_status (*finish)(wi_writer *writer);
  void (*close)(wi_writer *writer);
} wi_writer_calls;

/// First member of each format's own struct.
struct wi_writer {
  const wi_writer_calls *calls;
  uint32_t height;
  uint32_t next;  // row that comes next
  size_t row_bytes;
  bool finished;
  wi_failure failure;
  wi_memory memory;
  wi_sink sink;
};

/// Gives bytes to the sink; false, with WI_WRITE_FAILED set, when it refuses.
bool wi_writer_emit(wi_writer *writer, const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end
