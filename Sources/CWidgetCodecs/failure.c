// Failure records: the first one wins, and nothing from a file reaches a
// terminal unfiltered.
#include "include/wi_common.h"

#include <stdarg.h>
#include <stdio.h>

wi_status wi_fail(wi_failure *failure, wi_status status, const char *format, ...) {
  if (failure->status != WI_OK) return failure->status;
  failure->status = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure->message, sizeof failure->message, format, arguments);
  va_end(arguments);
  // Library messages quote chunk names and markers: keep printable ASCII only.
  for (char *c = failure->message; *c; c++) {
    if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e) *c = '?';
  }
  return status;
}

const char *wi_failure_message(const wi_failure *failure) { return failure->message; }
