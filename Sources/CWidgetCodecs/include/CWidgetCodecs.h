// The fence round libpng, libjpeg-turbo and libwebp.
//
// Every entry point returns a status; no longjmp leaves this target. After a
// failure a handle is sticky: each later call returns the same status and does
// nothing. No pointer of the caller is kept, the memory hooks' context aside.
#pragma once

#include "wi_cleanup.h"
#include "wi_common.h"
#include "wi_encoders.h"
#include "wi_input.h"
#include "wi_process.h"
#include "wi_readers.h"
