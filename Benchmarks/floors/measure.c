// Runs a command and prints what it took, as one line of JSON on standard
// output; the command's own output goes to /dev/null, its errors pass.
//
//   measure [-s] COMMAND [ARGUMENT ...]
//
// A small program of its own, since a child of a large one (the Python that
// drives the benchmarks) inherits that one's peak as its own `ru_maxrss`.
// With -s the child's anonymous pages are read from /proc as fast as they come:
// a lower bound of their peak, and it disturbs the timing.

#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// RssAnon of the open status file in kB, or 0.
static long anonymous(int file) {
  char text[4096];
  ssize_t length = file < 0 ? -1 : pread(file, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = 0;
  const char *line = strstr(text, "RssAnon:");
  return line ? strtol(line + 8, NULL, 10) : 0;
}

int main(int argc, char **argv) {
  int sample = argc > 1 && strcmp(argv[1], "-s") == 0;
  char **command = argv + 1 + sample;
  if (!command[0]) {
    fprintf(stderr, "usage: measure [-s] COMMAND [ARGUMENT ...]\n");
    return 64;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);

  pid_t child;
  long long start = now();
  int problem = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
  if (problem) {
    fprintf(stderr, "measure: %s: %s\n", command[0], strerror(problem));
    return 127;
  }
  long most = 0;
  int status = 0;
  struct rusage usage;
  if (sample) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", child);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    while (wait4(child, &status, WNOHANG, &usage) == 0) {
      long pages = anonymous(file);
      if (pages > most) most = pages;
      usleep(100);
    }
  } else {
    wait4(child, &status, 0, &usage);
  }
  long long wall = now() - start;
  long long cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
                  usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
#ifdef __APPLE__
  long resident = usage.ru_maxrss;
#else
  long resident = usage.ru_maxrss * 1024;
#endif
  printf("{\"ns\":%lld,\"cpu_us\":%lld,\"resident\":%ld,\"anonymous\":%ld,\"status\":%d}\n", wall,
         cpu, resident, most * 1024,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
