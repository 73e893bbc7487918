import WidgetCodecs
import WidgetResample

extension ImageFitter {
  /// Names of the kernel tiers that this processor has, slowest first.
  package static var kernelNames: [String] {
    KernelTier.allCases.filter(\.isSupported).map(\.rawValue)
  }

  /// A fitter that uses the kernels of that name, or nil where this processor
  /// has them not.
  package init?(kernelsNamed name: String) {
    guard let tier = KernelTier(rawValue: name), let kernels = KernelTable(tier) else { return nil }
    self.init(kernels: kernels)
  }

  /// After this an interruption (SIGINT, SIGTERM, SIGHUP) removes all temporary
  /// files before it ends the process. For programs.
  package static func removeTemporaryFilesOnSignals() {
    AtomicFile.removeOnSignals()
  }

  /// Processors that the process may run on, at least 1.
  package static var processors: Int { HostProcess.processors }

  /// After this threads share one heap, and what is freed goes back to the
  /// system, so that the plan stays true with several threads. Before there is a
  /// second one. For programs.
  package static func keepOneHeap() { HostProcess.keepOneHeap() }
}
