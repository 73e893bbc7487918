// The public calls: order, row length and stickiness are checked here, once.
#include "reader.h"

wi_rows wi_reader_rows(const wi_reader *reader) { return reader->rows; }

wi_status wi_reader_next_row(wi_reader *reader, uint8_t *row, size_t count) {
  if (reader->failure.status) return reader->failure.status;
  uint64_t expected =
      (uint64_t)reader->rows.width * reader->rows.channels * (reader->rows.bits / 8);
  if (reader->next >= reader->rows.height || count != expected) {
    return wi_fail(&reader->failure, WI_MISUSE, "row %u of %u asked for with %zu of %llu bytes",
                   reader->next, reader->rows.height, count, (unsigned long long)expected);
  }
  wi_status status = reader->calls->next_row(reader, row);
  if (status == WI_OK) reader->next++;
  return status;
}

wi_status wi_reader_finish(wi_reader *reader) {
  if (reader->failure.status) return reader->failure.status;
  if (reader->finished) return WI_OK;
  if (reader->next != reader->rows.height) {
    return wi_fail(&reader->failure, WI_MISUSE, "finish after %u of %u rows", reader->next,
                   reader->rows.height);
  }
  reader->finished = true;
  return reader->calls->finish(reader);
}

wi_notes wi_reader_notes(const wi_reader *reader) { return reader->notes; }

const wi_failure *wi_reader_failure(const wi_reader *reader) { return &reader->failure; }

void wi_reader_close(wi_reader *reader) {
  if (reader) reader->calls->close(reader);
}
