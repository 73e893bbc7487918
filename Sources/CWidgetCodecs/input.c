// Inputs: `pread` on regular files, held bytes and forward reading on pipes.
#include "include/wi_input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct wi_input {
  wi_memory memory;
  int descriptor;        // -1 when only held bytes exist
  bool owns_descriptor;
  bool is_regular;       // read with pread at base + offset
  bool ended;            // a pipe whose end was reached
  uint64_t base;         // where offset 0 stands in a regular file
  uint64_t length;       // of a regular file, from base
  // Held bytes, in blocks of one size, so that none is ever copied.
  uint8_t *_Nonnull *_Nullable blocks;
  size_t block_count, block_slots, block_bytes;
  size_t held_count;
  uint64_t position;     // next offset of a pipe, never below held_count
  uint64_t bytes_read;   // counted by readers on several threads
  uint64_t device, inode;
  bool has_identity;
};

static ssize_t retrying_read(int descriptor, uint8_t *buffer, size_t count) {
  ssize_t got;
  do got = read(descriptor, buffer, count);
  while (got < 0 && errno == EINTR);
  return got;
}

static ssize_t retrying_pread(int descriptor, uint8_t *buffer, size_t count, off_t offset) {
  ssize_t got;
  do got = pread(descriptor, buffer, count, offset);
  while (got < 0 && errno == EINTR);
  return got;
}

static wi_status read_failed(wi_failure *failure, int error) {
  if (failure->status == WI_OK) failure->system_error = error;
  return wi_fail(failure, WI_READ_FAILED, "%s", strerror(error));
}

#define PIPE_BLOCK (64 * 1024)

static wi_status add_block(wi_input *input, wi_failure *failure) {
  if (input->block_count == input->block_slots) {
    size_t slots = input->block_slots ? input->block_slots * 2 : 4;
    uint8_t **larger = wi_allocate_zeroed(&input->memory, slots, sizeof *larger, failure);
    if (!larger) return failure->status;
    for (size_t i = 0; i < input->block_count; i++) larger[i] = input->blocks[i];
    wi_free(&input->memory, input->blocks);
    input->blocks = larger;
    input->block_slots = slots;
  }
  uint8_t *block = wi_allocate(&input->memory, input->block_bytes, failure);
  if (!block) return failure->status;
  input->blocks[input->block_count++] = block;
  return WI_OK;
}

// Reads a pipe into memory until `limit` bytes are held.
static wi_status hold(wi_input *input, size_t limit, wi_failure *failure) {
  while (!input->ended && input->held_count < limit) {
    const size_t used = input->held_count % input->block_bytes;
    if (input->held_count / input->block_bytes == input->block_count &&
        add_block(input, failure)) {
      return failure->status;
    }
    size_t wanted = input->block_bytes - used;
    if (wanted > limit - input->held_count) wanted = limit - input->held_count;
    ssize_t got =
        retrying_read(input->descriptor, input->blocks[input->block_count - 1] + used, wanted);
    if (got < 0) return read_failed(failure, errno);
    if (got == 0) input->ended = true;
    input->held_count += (size_t)got;
  }
  // Exactly `limit` bytes may be all there is: one more byte tells, but it
  // would have to be kept, so a pipe of that length is treated as longer.
  input->position = input->held_count;
  return WI_OK;
}

wi_status wi_input_hold_all(wi_input *input, wi_failure *failure) {
  if (wi_input_is_seekable(input)) return WI_OK;
  if (input->position != input->held_count) {
    return wi_fail(failure, WI_MISUSE, "a part of the pipe is gone already");
  }
  return hold(input, SIZE_MAX, failure);
}

static void copy_held(const wi_input *input, uint64_t offset, uint8_t *target, size_t count) {
  while (count > 0) {
    const size_t at = (size_t)offset % input->block_bytes;
    size_t step = input->block_bytes - at;
    if (step > count) step = count;
    memcpy(target, input->blocks[(size_t)offset / input->block_bytes] + at, step);
    offset += step;
    target += step;
    count -= step;
  }
}

static wi_input *_Nullable make(const wi_memory *memory, wi_failure *failure) {
  wi_input *input = wi_allocate_zeroed(memory, 1, sizeof *input, failure);
  if (!input) return NULL;
  input->memory = *memory;
  input->descriptor = -1;
  input->block_bytes = PIPE_BLOCK;
  return input;
}

static wi_input *_Nullable open_descriptor(int descriptor, bool owns, const wi_memory *memory,
                                           size_t hold_limit, wi_failure *failure) {
  wi_input *input = make(memory, failure);
  if (!input) {
    if (owns) close(descriptor);
    return NULL;
  }
  input->descriptor = descriptor;
  input->owns_descriptor = owns;
  struct stat info;
  if (fstat(descriptor, &info) != 0) {
    read_failed(failure, errno);
  } else if (S_ISDIR(info.st_mode)) {
    read_failed(failure, EISDIR);
  } else {
    input->device = (uint64_t)info.st_dev;
    input->inode = (uint64_t)info.st_ino;
    input->has_identity = true;
    off_t position = S_ISREG(info.st_mode) ? lseek(descriptor, 0, SEEK_CUR) : -1;
    if (position >= 0) {
      input->is_regular = true;
      input->base = (uint64_t)position;
      input->length = info.st_size > position ? (uint64_t)(info.st_size - position) : 0;
    } else {
      hold(input, hold_limit, failure);
    }
  }
  if (failure->status == WI_OK) return input;
  wi_input_close(input);
  return NULL;
}

wi_input *wi_input_open_path(const char *path, const wi_memory *memory, size_t hold_limit,
                             wi_failure *failure) {
  int descriptor;
  do descriptor = open(path, O_RDONLY | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) {
    read_failed(failure, errno);
    return NULL;
  }
  return open_descriptor(descriptor, true, memory, hold_limit, failure);
}

wi_input *wi_input_open_descriptor(int descriptor, const wi_memory *memory, size_t hold_limit,
                                   wi_failure *failure) {
  return open_descriptor(descriptor, false, memory, hold_limit, failure);
}

wi_input *wi_input_open_bytes(const uint8_t *bytes, size_t count, const wi_memory *memory,
                              wi_failure *failure) {
  wi_input *input = make(memory, failure);
  if (!input) return NULL;
  input->ended = true;
  if (count > 0) {
    input->block_bytes = count;
    if (add_block(input, failure)) {
      wi_input_close(input);
      return NULL;
    }
    memcpy(input->blocks[0], bytes, count);
  }
  input->held_count = count;
  return input;
}

int64_t wi_input_length(const wi_input *input) {
  if (input->is_regular) return (int64_t)input->length;
  return input->ended ? (int64_t)input->held_count : -1;
}

bool wi_input_is_seekable(const wi_input *input) { return input->is_regular || input->ended; }

int64_t wi_input_rereadable_length(const wi_input *input) {
  return input->is_regular ? (int64_t)input->length : (int64_t)input->held_count;
}

bool wi_input_identity(const wi_input *input, uint64_t *device, uint64_t *inode) {
  *device = input->device;
  *inode = input->inode;
  return input->has_identity;
}

wi_status wi_input_read(wi_input *input, uint64_t offset, uint8_t *buffer, size_t count,
                        size_t *got, wi_failure *failure) {
  *got = 0;
  if (failure->status) return failure->status;
  if (!input->is_regular && offset < input->held_count) {
    size_t available = input->held_count - (size_t)offset;
    *got = count < available ? count : available;
    copy_held(input, offset, buffer, *got);
    __atomic_fetch_add(&input->bytes_read, *got, __ATOMIC_RELAXED);
    return WI_OK;
  }
  if (!input->is_regular) {
    if (input->ended) return WI_OK;
    if (offset != input->position) {
      return wi_fail(failure, WI_MISUSE, "a pipe can't be read backward");
    }
  }
  while (*got < count) {
    ssize_t step;
    if (input->is_regular) {
      uint64_t at;
      if (__builtin_add_overflow(input->base + offset, (uint64_t)*got, &at) ||
          at > (uint64_t)INT64_MAX) {
        break;
      }
      step = retrying_pread(input->descriptor, buffer + *got, count - *got, (off_t)at);
    } else {
      step = retrying_read(input->descriptor, buffer + *got, count - *got);
    }
    if (step < 0) return read_failed(failure, errno);
    if (step == 0) break;
    *got += (size_t)step;
  }
  if (!input->is_regular) input->position += *got;
  __atomic_fetch_add(&input->bytes_read, *got, __ATOMIC_RELAXED);
  return WI_OK;
}

uint64_t wi_input_bytes_read(const wi_input *input) {
  return __atomic_load_n(&input->bytes_read, __ATOMIC_RELAXED);
}

void wi_input_close(wi_input *input) {
  if (!input) return;
  if (input->owns_descriptor && input->descriptor >= 0) close(input->descriptor);
  wi_memory memory = input->memory;
  for (size_t i = 0; i < input->block_count; i++) wi_free(&memory, input->blocks[i]);
  wi_free(&memory, input->blocks);
  wi_free(&memory, input);
}
