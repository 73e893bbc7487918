// What the three readers share: the head of every reader's struct.
#pragma once

#include "include/wi_readers.h"

#pragma clang assume_nonnull begin

/// The calls behind the public ones. `next_row` and `finish` are only called
/// while no failure stands, and set `failure` when they return one.
typedef struct wi_reader_calls {
  wi_status (*next_row)(wi_reader *reader, uint8_t *row);
  wi_status (*finish)(wi_reader *reader);
  void (*close)(wi_reader *reader);
} wi_reader_calls;

/// First member of each format's own struct.
struct wi_reader {
  const wi_reader_calls *calls;
  wi_rows rows;
  uint32_t next;  // row that comes next
  bool finished;
  uint32_t notes;
  wi_failure failure;
  wi_memory memory;
};

#pragma clang assume_nonnull end
