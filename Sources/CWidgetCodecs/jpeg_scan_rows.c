// The window of coefficients that the scans of a JPEG share, and how its rows
// are filled: by one thread, or by two of which one is some rows ahead.
#include "jpeg_state.h"

#include <string.h>

static wi_jpeg_object *state_of(j_common_ptr object) {
  return (wi_jpeg_object *)((char *)object - offsetof(wi_jpeg_object, object));
}

// MARK: The window

void wi_jpeg_make_window(wi_jpeg *jpeg, const struct jpeg_decompress_struct *object) {
  size_t blocks = 0;
  for (int i = 0; i < object->num_components; i++) {
    const jpeg_component_info *component = &object->comp_info[i];
    const JDIMENSION factor = (JDIMENSION)component->h_samp_factor;
    wi_jpeg_plane *plane = &jpeg->planes[i];
    plane->blocks = (component->width_in_blocks + factor - 1) / factor * factor;
    plane->height = (JDIMENSION)component->v_samp_factor;
    blocks += (size_t)plane->blocks * plane->height;
  }
  jpeg->window_bytes = blocks * sizeof(JBLOCK);
  if (jpeg->window_bytes > WI_JPEG_WIDE_WINDOW && jpeg->windows > 2) jpeg->windows = 2;
  // 64 more: the inverse DCT wants its blocks aligned.
  jpeg->window = wi_allocate_zeroed(&jpeg->base.memory, 1,
                                    jpeg->windows * jpeg->window_bytes + 64, jpeg->lane.failure);
  if (!jpeg->window) wi_jpeg_leave(&jpeg->main);
  uint8_t *next = jpeg->window + (64 - (uintptr_t)jpeg->window % 64);
  for (uint32_t window = 0; window < jpeg->windows; window++) {
    for (int i = 0; i < object->num_components; i++) {
      wi_jpeg_plane *plane = &jpeg->planes[i];
      for (JDIMENSION row = 0; row < plane->height; row++) {
        plane->rows[window * plane->height + row] = (JBLOCKROW)(void *)next;
        next += plane->blocks * sizeof(JBLOCK);
      }
    }
  }
}

static void clear_window(wi_jpeg *jpeg, uint32_t row) {
  for (int i = 0; i < jpeg->main.object.num_components; i++) {
    wi_jpeg_plane *plane = &jpeg->planes[i];
    JBLOCKROW _Nullable *rows = plane->rows + row % jpeg->windows * plane->height;
    memset(rows[0], 0, (size_t)plane->height * plane->blocks * sizeof(JBLOCK));
  }
}

// One row of MCUs of one scan.
static void read_scan_row(wi_jpeg_object *state) {
  int result = jpeg_consume_input(&state->object);
  if (result == JPEG_ROW_COMPLETED) return;
  // The data was needed and stands behind a marker that does not end a scan.
  if (result != JPEG_SCAN_COMPLETED) wi_jpeg_contradicts(state);
  // Up to the next marker: what is left of the data is noted.
  jpeg_consume_input(&state->object);
}

// On the worker's thread: what the first scans have of a row.
static bool make_row(void *context, uint64_t row) {
  wi_jpeg *jpeg = context;
  if (_setjmp(jpeg->worker_lane.fence)) return false;
  clear_window(jpeg, (uint32_t)row);
  for (uint32_t i = 0; i < jpeg->worker_scans; i++) read_scan_row(jpeg->scans[i]);
  return true;
}

// All of a row but the main object's scan. The row before it was put out.
static void bring_row(wi_jpeg *jpeg, uint32_t row) {
  if (row < jpeg->rows_brought) return;
  if (jpeg->worker) {
    wi_worker_take(jpeg->worker, row);
    if (!wi_worker_wait(jpeg->worker, row)) {
      *jpeg->lane.failure = jpeg->worker_failure;
      wi_jpeg_leave(&jpeg->main);
    }
  } else {
    clear_window(jpeg, row);
  }
  for (uint32_t i = jpeg->worker_scans; i < jpeg->scan_count; i++) {
    read_scan_row(jpeg->scans[i]);
  }
  jpeg->rows_brought = row + 1;
}

// How many scans make half of the work, by their compressed bytes. Putting a
// pixel out costs as much as decoding a tenth of a byte.
static uint32_t half_of_scans(const wi_jpeg *jpeg) {
  const struct jpeg_decompress_struct *object = &jpeg->main.object;
  uint64_t work = (uint64_t)object->output_width * object->output_height / 10;
  for (uint32_t i = 0; i < jpeg->scan_count; i++) {
    work += jpeg->scans[i]->end - jpeg->scans[i]->begin;
  }
  work += jpeg->main.end - jpeg->main.begin;
  uint64_t done = 0;
  uint32_t count = 0;
  while (count < jpeg->scan_count) {
    uint64_t next = jpeg->scans[count]->end - jpeg->scans[count]->begin;
    // Past the half only where that is nearer to it.
    if (2 * done + next > work) break;
    done += next;
    count++;
  }
  return count;
}

void wi_jpeg_start_worker(wi_jpeg *jpeg) {
  jpeg->worker_scans = half_of_scans(jpeg);
  if (jpeg->worker_scans == 0) return;
  jpeg->worker_lane.failure = &jpeg->worker_failure;
  jpeg->worker_lane.notes = &jpeg->worker_notes;
  for (uint32_t i = 0; i < jpeg->worker_scans; i++) {
    jpeg->scans[i]->lane = &jpeg->worker_lane;
    jpeg->scans[i]->memory.failure = &jpeg->worker_failure;
  }
  jpeg->worker = wi_worker_start(&jpeg->base.memory, jpeg->windows,
                                 jpeg->main.object.total_iMCU_rows, make_row, jpeg,
                                 jpeg->lane.failure);
  if (!jpeg->worker) wi_jpeg_stop_worker(jpeg);
  if (jpeg->lane.failure->status) wi_jpeg_leave(&jpeg->main);
}

void wi_jpeg_stop_worker(wi_jpeg *jpeg) {
  wi_worker_stop(jpeg->worker);
  jpeg->worker = NULL;
  jpeg->base.notes |= jpeg->worker_notes;
  for (uint32_t i = 0; i < jpeg->worker_scans && i < jpeg->scan_count; i++) {
    jpeg->scans[i]->lane = &jpeg->lane;
    jpeg->scans[i]->memory.failure = jpeg->lane.failure;
  }
  jpeg->worker_scans = 0;
}

// libjpeg asks for one array a component, in their order.
static jvirt_barray_ptr request_plane(j_common_ptr object, int pool, boolean zeroed,
                                      JDIMENSION blocks, JDIMENSION rows, JDIMENSION at_once) {
  (void)pool, (void)zeroed, (void)rows, (void)at_once;
  wi_jpeg_object *state = state_of(object);
  int index = state->requested++;
  if (index >= MAX_COMPONENTS || state->reader->planes[index].blocks != blocks) {
    wi_jpeg_contradicts(state);
  }
  return (jvirt_barray_ptr)(void *)&state->reader->planes[index];
}

// Rows of MCUs are asked for one at a time, for writing by the input side, then
// for reading by the main object's output side.
static JBLOCKARRAY access_plane(j_common_ptr object, jvirt_barray_ptr array, JDIMENSION first,
                                JDIMENSION count, boolean writable) {
  (void)count;
  wi_jpeg_object *state = state_of(object);
  wi_jpeg *jpeg = state->reader;
  wi_jpeg_plane *plane = (wi_jpeg_plane *)(void *)array;
  const uint32_t row = first / plane->height;
  if (state == &jpeg->main && writable) bring_row(jpeg, row);
  return (JBLOCKARRAY)(plane->rows + row % jpeg->windows * plane->height);
}

void wi_jpeg_share_window(wi_jpeg_object *state) {
  state->object.mem->request_virt_barray = request_plane;
  state->object.mem->access_virt_barray = access_plane;
}
