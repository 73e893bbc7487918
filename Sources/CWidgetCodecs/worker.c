// A worker: one thread, one lock, one condition. Items are rows of MCUs or of
// pixels, so that the lock is taken some thousand times a picture.
#include "worker.h"

#include <pthread.h>
#include <signal.h>

struct wi_worker {
  wi_memory memory;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t depth, count;
  wi_worker_make make;
  void *context;
  // Under the lock.
  uint64_t made, taken;
  bool failed, stopped;
};

static void *run(void *argument) {
  wi_worker *worker = argument;
  pthread_mutex_lock(&worker->lock);
  while (worker->made < worker->count && !worker->stopped && !worker->failed) {
    if (worker->made >= worker->taken + worker->depth) {
      pthread_cond_wait(&worker->changed, &worker->lock);
      continue;
    }
    uint64_t item = worker->made;
    pthread_mutex_unlock(&worker->lock);
    bool succeeded = worker->make(worker->context, item);
    pthread_mutex_lock(&worker->lock);
    if (succeeded) {
      worker->made++;
    } else {
      worker->failed = true;
    }
    pthread_cond_signal(&worker->changed);
  }
  pthread_mutex_unlock(&worker->lock);
  return NULL;
}

static bool start_thread(wi_worker *worker) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  // Signals are for the threads that were there before.
  sigset_t all, before;
  sigfillset(&all);
  bool started = pthread_attr_setstacksize(&attributes, WI_WORKER_STACK) == 0 &&
                 pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
  if (started) {
    started = pthread_create(&worker->thread, &attributes, run, worker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  pthread_attr_destroy(&attributes);
  return started;
}

static void discard(wi_worker *worker) {
  pthread_cond_destroy(&worker->changed);
  pthread_mutex_destroy(&worker->lock);
  wi_memory memory = worker->memory;
  wi_free(&memory, worker);
  wi_release(&memory, WI_WORKER_STACK);
}

wi_worker *wi_worker_start(const wi_memory *memory, uint64_t depth, uint64_t count,
                           wi_worker_make make, void *context, wi_failure *failure) {
  if (wi_reserve(memory, WI_WORKER_STACK, failure)) return NULL;
  wi_worker *worker = wi_allocate_zeroed(memory, 1, sizeof *worker, failure);
  if (!worker) {
    wi_release(memory, WI_WORKER_STACK);
    return NULL;
  }
  worker->memory = *memory;
  worker->depth = depth;
  worker->count = count;
  worker->make = make;
  worker->context = context;
  pthread_mutex_init(&worker->lock, NULL);
  pthread_cond_init(&worker->changed, NULL);
  if (start_thread(worker)) return worker;
  discard(worker);
  return NULL;
}

bool wi_worker_wait(wi_worker *worker, uint64_t item) {
  pthread_mutex_lock(&worker->lock);
  while (worker->made <= item && !worker->failed) {
    pthread_cond_wait(&worker->changed, &worker->lock);
  }
  bool is_made = worker->made > item;
  pthread_mutex_unlock(&worker->lock);
  return is_made;
}

void wi_worker_take(wi_worker *worker, uint64_t count) {
  pthread_mutex_lock(&worker->lock);
  if (count > worker->taken) worker->taken = count;
  pthread_cond_signal(&worker->changed);
  pthread_mutex_unlock(&worker->lock);
}

void wi_worker_stop(wi_worker *worker) {
  if (!worker) return;
  pthread_mutex_lock(&worker->lock);
  worker->stopped = true;
  pthread_cond_signal(&worker->changed);
  pthread_mutex_unlock(&worker->lock);
  pthread_join(worker->thread, NULL);
  discard(worker);
}
