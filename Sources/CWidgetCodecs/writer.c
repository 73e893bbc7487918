// The public calls: order, row length and stickiness are checked here, once.
#include "writer.h"

wi_status wi_writer_row(wi_writer *writer, const uint8_t *row, size_t count) {
  if (writer->failure.status) return writer->failure.status;
  if (writer->next >= writer->height || count != writer->row_bytes) {
    return wi_fail(&writer->failure, WI_MISUSE, "row %u of %u given with %zu of %zu bytes",
                   writer->next, writer->height, count, writer->row_bytes);
  }
  wi_status status = writer->calls->row(writer, row);
  if (status == WI_OK) writer->next++;
  return status;
}

wi_status wi_writer_finish(wi_writer *writer) {
  if (writer->failure.status) return writer->failure.status;
  if (writer->finished) return WI_OK;
  if (writer->next != writer->height) {
    return wi_fail(&writer->failure, WI_MISUSE, "finish after %u of %u rows", writer->next,
                   writer->height);
  }
  writer->finished = true;
  return writer->calls->finish(writer);
}

const wi_failure *wi_writer_failure(const wi_writer *writer) { return &writer->failure; }

void wi_writer_close(wi_writer *writer) {
  if (writer) writer->calls->close(writer);
}

bool wi_writer_emit(wi_writer *writer, const uint8_t *bytes, size_t count) {
  if (count == 0 || writer->sink.write(writer->sink.context, bytes, count)) return true;
  wi_fail(&writer->failure, WI_WRITE_FAILED, "the output refused %zu bytes", count);
  return false;
}
