// JPEG of several scans: all scans are decoded side by side, a row of MCUs at a
// time, so that only that row's coefficients are in memory.
//
// Stock libjpeg keeps a file's coefficients in virtual arrays and fills them
// scan after scan. Here each scan has an object of its own, which is fed the
// frame header, the tables in force and its own data, and every object is given
// the same window, one row of MCUs high, for these arrays. Before the main
// object reads its row of the last scan, the others have read theirs, in the
// file's order; the row is then complete, and is put out at once.
#include "jpeg_state.h"

#include <string.h>

#include <jerror.h>

static const uint8_t start_of_image[2] = {0xFF, 0xD8};

_Noreturn void wi_jpeg_contradicts(wi_jpeg_object *state) {
  wi_fail(state->lane->failure, WI_CORRUPT, "the JPEG's markers contradict each other");
  wi_jpeg_leave(state);
}

// MARK: Objects

// A new object at the end of the list, from where it is freed whatever happens.
static wi_jpeg_object *add_object(wi_jpeg *jpeg) {
  wi_failure *failure = jpeg->lane.failure;
  wi_jpeg_object *state = wi_allocate_zeroed(
      &jpeg->base.memory, 1, sizeof *state + WI_JPEG_SCAN_BUFFER, failure);
  if (!state) wi_jpeg_leave(&jpeg->main);
  jpeg->scans[jpeg->scan_count++] = state;
  state->reader = jpeg;
  state->lane = &jpeg->lane;
  state->buffer = (uint8_t *)(state + 1);
  state->buffer_bytes = WI_JPEG_SCAN_BUFFER;
  wi_jpeg_install_messages(state);
  jpeg_create_decompress(&state->object);
  state->created = true;
  wi_jpeg_memory_install_small(&state->memory, (j_common_ptr)&state->object,
                               &jpeg->base.memory, failure);
  return state;
}

static void remove_object(wi_jpeg *jpeg, uint32_t index) {
  wi_jpeg_object *state = jpeg->scans[index];
  jpeg->scan_count--;
  for (uint32_t i = index; i < jpeg->scan_count; i++) jpeg->scans[i] = jpeg->scans[i + 1];
  if (state->created) jpeg_destroy_decompress(&state->object);
  wi_free(&jpeg->base.memory, state);
}

static void copy_huffman(j_decompress_ptr to, JHUFF_TBL **target, JHUFF_TBL *const *source) {
  for (int i = 0; i < NUM_HUFF_TBLS; i++) {
    if (!source[i]) continue;
    if (!target[i]) target[i] = jpeg_alloc_huff_table((j_common_ptr)to);
    *target[i] = *source[i];
  }
}

// What a decoder keeps from one scan to the next.
static void inherit(j_decompress_ptr to, const struct jpeg_decompress_struct *from) {
  for (int i = 0; i < NUM_QUANT_TBLS; i++) {
    if (!from->quant_tbl_ptrs[i]) continue;
    if (!to->quant_tbl_ptrs[i]) {
      to->quant_tbl_ptrs[i] = jpeg_alloc_quant_table((j_common_ptr)to);
    }
    *to->quant_tbl_ptrs[i] = *from->quant_tbl_ptrs[i];
  }
  copy_huffman(to, to->dc_huff_tbl_ptrs, from->dc_huff_tbl_ptrs);
  copy_huffman(to, to->ac_huff_tbl_ptrs, from->ac_huff_tbl_ptrs);
  to->restart_interval = from->restart_interval;
  memcpy(to->arith_dc_L, from->arith_dc_L, sizeof to->arith_dc_L);
  memcpy(to->arith_dc_U, from->arith_dc_U, sizeof to->arith_dc_U);
  memcpy(to->arith_ac_K, from->arith_ac_K, sizeof to->arith_ac_K);
}

// Reads from the object's present place up to its frame header's end, then what
// stands before its scan, with the tables of `previous` in between.
static void read_divided_header(wi_jpeg_object *state, uint64_t begin, uint64_t limit,
                                const wi_jpeg_object *previous) {
  if (jpeg_read_header(&state->object, TRUE) != JPEG_SUSPENDED) wi_jpeg_contradicts(state);
  inherit(&state->object, &previous->object);
  wi_jpeg_continue_source(state, begin, limit);
  if (jpeg_read_header(&state->object, TRUE) != JPEG_HEADER_OK) wi_jpeg_contradicts(state);
}

static wi_jpeg_object *open_scan(wi_jpeg *jpeg, uint64_t offset, const wi_jpeg_layout *layout,
                                 uint32_t index) {
  const wi_jpeg_object *previous = index > 0 ? jpeg->scans[jpeg->scan_count - 1] : NULL;
  wi_jpeg_object *state = add_object(jpeg);
  // It must see the marker that ends its data, and nothing behind it. At the
  // input's end it is one that is made up.
  state->end = layout->ends[index] + 2;
  if (!previous) {
    state->begin = layout->first_scan;
    wi_jpeg_install_source(state, offset, state->end);
    if (jpeg_read_header(&state->object, TRUE) != JPEG_HEADER_OK) wi_jpeg_contradicts(state);
    return state;
  }
  state->begin = layout->ends[index - 1];
  wi_jpeg_install_source(state, layout->frame_start, layout->frame_end);
  state->source.next_input_byte = start_of_image;
  state->source.bytes_in_buffer = sizeof start_of_image;
  read_divided_header(state, state->begin, state->end, previous);
  return state;
}

static int scaled_size(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
  return component->DCT_h_scaled_size > component->DCT_v_scaled_size
             ? component->DCT_h_scaled_size
             : component->DCT_v_scaled_size;
#else
  return component->DCT_scaled_size;
#endif
}

// Whether a progressive scan takes up where those before it left off: DC comes
// before AC, and refinements one bit at a time. libjpeg's own warning says
// nothing here, since no object sees the scans of the others.
static bool follows(const int8_t *missing, const struct jpeg_decompress_struct *object) {
  if (object->Ss > 0 && missing[0] < 0) return false;
  for (int k = object->Ss; k <= object->Se && k < DCTSIZE2; k++) {
    if (object->Ah != (missing[k] < 0 ? 0 : missing[k])) return false;
  }
  return true;
}

// Takes down what the scan says, and whether the output has use for it: of
// blocks that come out as one sample, DC is all that is looked at.
static void note_scan(wi_jpeg *jpeg, wi_jpeg_object *state) {
  const struct jpeg_decompress_struct *object = &state->object;
  state->is_needed = !object->progressive_mode || object->Ss == 0;
  for (int i = 0; i < object->comps_in_scan; i++) {
    const jpeg_component_info *component = object->cur_comp_info[i];
    const int index = component->component_index, table = component->quant_tbl_no;
    if (index < 0 || index >= MAX_COMPONENTS) continue;
    if (scaled_size(component) > 1) state->is_needed = true;
    if (!jpeg->has_quantiser[index] && table >= 0 && table < NUM_QUANT_TBLS &&
        object->quant_tbl_ptrs[table]) {
      jpeg->quantisers[index] = *object->quant_tbl_ptrs[table];
      jpeg->has_quantiser[index] = true;
    }
    // Sequential scans give all bits of all coefficients, whatever they state.
    const bool progresses = object->progressive_mode;
    const int first = progresses ? object->Ss : 0, bits = progresses ? object->Al : 0;
    const int last = progresses ? object->Se : DCTSIZE2 - 1;
    int8_t *missing = jpeg->missing_bits[index];
    if (progresses && !follows(missing, object)) jpeg->base.notes |= WI_NOTE_DAMAGED;
    for (int k = first; k <= last && k < DCTSIZE2; k++) missing[k] = (int8_t)bits;
  }
}

// MARK: What the reader calls

static void start_object(wi_jpeg_object *state) {
  state->object.buffered_image = TRUE;
  wi_jpeg_share_window(state);
  if (!jpeg_start_decompress(&state->object)) wi_jpeg_contradicts(state);
  state->started = true;
}

// The main object reads the file's own header, for the colours, and then the
// last scan.
static void open_main(wi_jpeg *jpeg, uint64_t offset, const wi_jpeg_layout *layout) {
  wi_jpeg_object *main = &jpeg->main, *last = jpeg->scans[jpeg->scan_count - 1];
  jpeg_create_decompress(&main->object);
  main->created = true;
  wi_jpeg_memory_install(&main->memory, (j_common_ptr)&main->object, &jpeg->base.memory,
                         jpeg->lane.failure);
  wi_jpeg_install_source(main, offset, layout->first_scan);
  read_divided_header(main, last->begin, last->end, last);
  remove_object(jpeg, jpeg->scan_count - 1);
}

void wi_jpeg_open_scans(wi_jpeg *jpeg, uint64_t offset, const wi_jpeg_layout *layout,
                        uint32_t shrink, bool on_two_threads) {
  jpeg->in_lockstep = true;
  jpeg->windows = on_two_threads ? WI_JPEG_WINDOWS : 1;
  memset(jpeg->missing_bits, -1, sizeof jpeg->missing_bits);
  // One more for a moment, for what follows the scans.
  jpeg->scans = wi_allocate_zeroed(&jpeg->base.memory, (size_t)layout->count + 1,
                                   sizeof *jpeg->scans, jpeg->lane.failure);
  if (!jpeg->scans) wi_jpeg_leave(&jpeg->main);
  for (uint32_t index = 0; index < layout->count; index++) {
    wi_jpeg_object *state = open_scan(jpeg, offset, layout, index);
    wi_jpeg_set_output(&state->object, shrink);
    note_scan(jpeg, state);
    // A scan that is not needed has handed on its tables by now.
    if (jpeg->scan_count > 1 && !jpeg->scans[jpeg->scan_count - 2]->is_needed) {
      remove_object(jpeg, jpeg->scan_count - 2);
    }
  }
  if (jpeg->scan_count > 1 && !jpeg->scans[jpeg->scan_count - 1]->is_needed) {
    remove_object(jpeg, jpeg->scan_count - 1);
  }
  open_main(jpeg, offset, layout);
  wi_jpeg_make_window(jpeg, &jpeg->main.object);
  for (uint32_t index = 0; index < jpeg->scan_count; index++) {
    // No rows come from these: no buffers for them either.
    jpeg->scans[index]->object.raw_data_out = TRUE;
    start_object(jpeg->scans[index]);
  }
}

// True when each coefficient came with all its bits.
static bool is_complete(const wi_jpeg *jpeg) {
  for (int i = 0; i < jpeg->main.object.num_components; i++) {
    for (int k = 0; k < DCTSIZE2; k++) {
      if (jpeg->missing_bits[i][k] != 0) return false;
    }
  }
  return true;
}

static void read_tail(wi_jpeg *jpeg, uint64_t position) {
  wi_jpeg_object *state = add_object(jpeg);
  wi_jpeg_install_source(state, position, UINT64_MAX);
  state->source.next_input_byte = start_of_image;
  state->source.bytes_in_buffer = sizeof start_of_image;
  jpeg_read_header(&state->object, FALSE);
  jpeg->lacks_end = state->input_ended;
  if (jpeg->lacks_end) {
    if (!is_complete(jpeg)) wi_jpeg_pixels_missing(state);
    return;
  }
  size_t got = state->source.bytes_in_buffer;
  if (got == 0) {
    wi_input_read(jpeg->input, state->position, state->buffer, 1, &got, jpeg->lane.failure);
  }
  jpeg->has_trailing = got > 0;
}

void wi_jpeg_check_tail(wi_jpeg *jpeg, uint64_t position) {
  wi_failure *failure = jpeg->lane.failure;
  const uint32_t count = jpeg->scan_count;
  if (!_setjmp(jpeg->lane.fence)) {
    read_tail(jpeg, position);
  } else {
    const bool met_scan = jpeg->scan_count > count &&
                          jpeg->scans[count]->errors.msg_code == JERR_SOS_NO_SOF;
    // The walk left out a scan whose own header is cut.
    if (met_scan) {
      memset(failure, 0, sizeof *failure);
      wi_fail(failure, WI_TRUNCATED, "the JPEG ends inside its headers");
    }
    if (failure->status == WI_TRUNCATED && jpeg->allow_truncated) {
      // Between scans: those that are whole are taken.
      memset(failure, 0, sizeof *failure);
      jpeg->base.notes |= WI_NOTE_FILLED;
      jpeg->lacks_end = true;
    }
  }
  while (jpeg->scan_count > count) remove_object(jpeg, jpeg->scan_count - 1);
}

void wi_jpeg_start_scans(wi_jpeg *jpeg) {
  struct jpeg_decompress_struct *object = &jpeg->main.object;
  start_object(&jpeg->main);
  for (int i = 0; i < object->num_components; i++) {
    object->comp_info[i].quant_table = jpeg->has_quantiser[i] ? &jpeg->quantisers[i] : NULL;
  }
  if (!jpeg_start_output(object, 1)) wi_jpeg_contradicts(&jpeg->main);
  if (jpeg->windows > 1) wi_jpeg_start_worker(jpeg);
}

void wi_jpeg_close_scans(wi_jpeg *jpeg) {
  wi_jpeg_stop_worker(jpeg);
  while (jpeg->scan_count > 0) {
    uint32_t last = jpeg->scan_count - 1;
    wi_jpeg_destroy(jpeg->scans[last]);
    remove_object(jpeg, last);
  }
  wi_free(&jpeg->base.memory, jpeg->scans);
  wi_free(&jpeg->base.memory, jpeg->window);
}
