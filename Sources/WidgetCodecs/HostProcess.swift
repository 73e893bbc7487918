internal import CWidgetCodecs

/// The process and its machine.
package enum HostProcess {
  /// Processors that the process may run on, at least 1; a system call.
  package static var processors: Int { Int(wi_processors()) }

  /// After this, threads share one heap, and what is freed goes back to the
  /// system: on glibc a second thread would take a heap of its own, which is in
  /// no plan. Before there is a second thread. For programs.
  package static func keepOneHeap() {
    wi_keep_one_heap()
  }
}
