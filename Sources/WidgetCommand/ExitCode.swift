package import WidgetImage

/// The process's exit status, after sysexits.h.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  /// `--max-bytes` not reachable, or failures of differing kinds.
  case failure = 1
  case usage = 64
  /// The input is damaged, unsupported or not an image.
  case data = 65
  case noInput = 66
  /// Would need more than the memory budget.
  case overBudget = 69
  case internalFault = 70
  case cannotCreate = 73
  /// Reading or writing failed part-way.
  case inputOutput = 74
  case interrupted = 130

  /// The status for an error of the engine.
  package init(_ code: WidgetImageError.Code) {
    switch code {
    case .notAnImage, .unsupported, .truncated, .damaged: self = .data
    case .overBudget: self = .overBudget
    case .noSuchInput, .unreadableInput: self = .noInput
    case .cannotCreate: self = .cannotCreate
    case .readFailed, .writeFailed: self = .inputOutput
    case .maxBytesUnreachable: self = .failure
    case .badRequest: self = .usage
    case .interrupted: self = .interrupted
    default: self = .internalFault
    }
  }

  /// One status for several: that of the failures if they are of one kind.
  package static func combined(_ statuses: some Sequence<ExitCode>) -> ExitCode {
    var failures = Set(statuses)
    failures.remove(.success)
    if failures.contains(.interrupted) { return .interrupted }
    guard let first = failures.first else { return .success }
    return failures.count == 1 ? first : .failure
  }
}
