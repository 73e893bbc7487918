// libjpeg's errors and warnings: what each means for the caller.
#include "jpeg_state.h"

#include <jerror.h>

static wi_jpeg_object *state_of(j_common_ptr object) {
  return (wi_jpeg_object *)((char *)object->err - offsetof(wi_jpeg_object, errors));
}

_Noreturn void wi_jpeg_leave(wi_jpeg_object *state) { _longjmp(state->lane->fence, 1); }

void wi_jpeg_pixels_missing(wi_jpeg_object *state) {
  if (state->reader->allow_truncated) {
    *state->lane->notes |= WI_NOTE_FILLED;
    return;
  }
  wi_fail(state->lane->failure, WI_TRUNCATED, "the JPEG's data ends before its pixels do");
  wi_jpeg_leave(state);
}

static const char *process_name(int marker) {
  switch (marker) {
  case 0xC3: return "lossless JPEG (SOF3)";
  case 0xC5: return "hierarchical JPEG (SOF5)";
  case 0xC6: return "hierarchical progressive JPEG (SOF6)";
  case 0xC7: return "hierarchical lossless JPEG (SOF7)";
  case 0xC8: return "JPEG extensions (JPG)";
  case 0xCB: return "lossless arithmetic JPEG (SOF11)";
  case 0xCD: return "hierarchical arithmetic JPEG (SOF13)";
  case 0xCE: return "hierarchical arithmetic progressive JPEG (SOF14)";
  case 0xCF: return "hierarchical arithmetic lossless JPEG (SOF15)";
  default: return "this JPEG process";
  }
}

static void fail_by_code(wi_jpeg_object *state) {
  wi_failure *failure = state->lane->failure;
  const struct jpeg_error_mgr *errors = &state->errors;
  char text[JMSG_LENGTH_MAX];
  errors->format_message((j_common_ptr)&state->object, text);
  switch (errors->msg_code) {
  case JERR_OUT_OF_MEMORY:
    wi_fail(failure, WI_OUT_OF_MEMORY, "the system has no memory left for the JPEG decoder");
    return;
  case JERR_SOF_UNSUPPORTED:
    wi_fail(failure, WI_UNSUPPORTED, "%s is not supported", process_name(errors->msg_parm.i[0]));
    return;
  case JERR_BAD_PRECISION:
    wi_fail(failure, WI_UNSUPPORTED, "JPEG with %d bits a sample is not supported",
            errors->msg_parm.i[0]);
    return;
  case JERR_EMPTY_IMAGE:
    if (state->object.image_height == 0 && state->object.image_width > 0) {
      wi_fail(failure, WI_UNSUPPORTED, "JPEG whose height comes after its pixels (DNL) is not "
              "supported");
    } else {
      wi_fail(failure, WI_CORRUPT, "the JPEG has no pixels");
    }
    return;
  case JERR_IMAGE_TOO_BIG:
  case JERR_COMPONENT_COUNT:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_CCIR601_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_ARITH_NOTIMPL:
  case JERR_NOT_COMPILED:
  case JERR_NOTIMPL:
    wi_fail(failure, WI_UNSUPPORTED, "JPEG of a kind that is not supported: %s", text);
    return;
  default:
    break;
  }
  // What libjpeg says after a made-up EOI only tells where the file ends.
  if (state->input_ended) {
    wi_fail(failure, WI_TRUNCATED, "the JPEG ends inside its headers");
  } else {
    wi_fail(failure, WI_CORRUPT, "%s", text);
  }
}

static void on_error(j_common_ptr object) {
  wi_jpeg_object *state = state_of(object);
  if (state->lane->failure->status == WI_OK) fail_by_code(state);
  wi_jpeg_leave(state);
}

// Damage that libjpeg gets over. What it says after a made-up EOI is about that
// EOI.
static void note_damage(wi_jpeg_object *state) {
  if (!state->input_ended) *state->lane->notes |= WI_NOTE_DAMAGED;
}

static void on_message(j_common_ptr object, int level) {
  if (level >= 0) return;  // a trace message
  wi_jpeg_object *state = state_of(object);
  state->errors.num_warnings++;
  bool lacks_pixels = false;
  switch (state->errors.msg_code) {
  // Oddities that leave every pixel as it is.
  case JWRN_ADOBE_XFORM:
  case JWRN_BOGUS_PROGRESSION:
  case JWRN_JFIF_MAJOR:
  case JWRN_NOT_SEQUENTIAL:
    return;
  // Bits were wanted and a marker stood there: the end of the image, or damage
  // that ends at the next restart or scan.
  case JWRN_HIT_MARKER:
    lacks_pixels = state->object.unread_marker == JPEG_EOI;
    break;
  // A restart marker was due, so pixels are still to come.
  case JWRN_MUST_RESYNC:
    lacks_pixels = state->errors.msg_parm.i[0] == JPEG_EOI;
    break;
  default:
    break;
  }
  if (lacks_pixels) {
    wi_jpeg_pixels_missing(state);
  } else {
    note_damage(state);
  }
}

static void on_output(j_common_ptr object) { (void)object; }

void wi_jpeg_install_messages(wi_jpeg_object *state) {
  state->object.err = jpeg_std_error(&state->errors);
  state->errors.error_exit = on_error;
  state->errors.emit_message = on_message;
  state->errors.output_message = on_output;
}
