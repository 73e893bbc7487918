// The table of temporary files. Who exchanges a path out of its slot owns it,
// so that the handler never reads memory that another thread frees.
#include "include/wi_cleanup.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 128

// Lock-free on every platform here, as signal handlers need it.
static _Atomic(char *) paths[SLOTS];
static atomic_uint number;

int32_t wi_cleanup_register(const char *path) {
  char *copy = strdup(path);
  if (!copy) return -1;
  for (int32_t slot = 0; slot < SLOTS; slot++) {
    char *empty = NULL;
    if (atomic_compare_exchange_strong(&paths[slot], &empty, copy)) return slot;
  }
  free(copy);
  return -1;
}

void wi_cleanup_unregister(int32_t slot) {
  if (slot < 0 || slot >= SLOTS) return;
  free(atomic_exchange(&paths[slot], NULL));
}

static void handle(int signal) {
  for (int slot = 0; slot < SLOTS; slot++) {
    char *path = atomic_exchange(&paths[slot], NULL);
    if (path) unlink(path);
  }
  _exit(128 + signal);
}

void wi_cleanup_install(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  enum { COUNT = sizeof signals / sizeof signals[0] };
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < COUNT; i++) sigaddset(&action.sa_mask, signals[i]);
  for (int i = 0; i < COUNT; i++) {
    struct sigaction current;
    if (sigaction(signals[i], NULL, &current) == 0 && current.sa_handler != SIG_IGN) {
      sigaction(signals[i], &action, NULL);
    }
  }
}

uint32_t wi_cleanup_next_number(void) { return atomic_fetch_add(&number, 1); }
