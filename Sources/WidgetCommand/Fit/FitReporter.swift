import WidgetCore
import WidgetImage

/// Prints what `fit` did: data to standard output, messages to standard error.
final class FitReporter {
  private let messages: FitRequest.Messages
  private let environment: CommandEnvironment
  private let progressLine: ProgressLine?
  /// What was said last of which input: several scales fail for one reason.
  private var lastSaid: (input: RawPath, text: String)?

  init(_ messages: FitRequest.Messages, total: Int, in environment: CommandEnvironment) {
    self.messages = messages
    self.environment = environment
    let isShown = messages.showsProgress && environment.canDrawProgress
    progressLine =
      isShown
      ? ProgressLine(
        total: total, columns: environment.terminalColumns ?? 80, output: environment.error,
        seconds: environment.seconds)
      : nil
  }

  func start(_ index: Int, _ job: FitJob) { progress(index, job, 0) }

  func progress(_ index: Int, _ job: FitJob, _ fraction: Double) {
    progressLine?.show(index, job.input.inputName, fraction: fraction)
  }

  var showsProgress: Bool { progressLine != nil }

  /// Of several at one time, the first that is not reported yet, and how many
  /// are done in all, in whole ones and parts.
  func progress(_ index: Int, _ input: RawPath, done: Double) {
    progressLine?.show(index, input.inputName, done: done)
  }

  /// A result; one of a dry run where `result` is nil.
  func report(_ plan: FitPlan, _ result: FitResult?, _ job: FitJob, seconds: Double) {
    progressLine?.clear()
    // The image has standard output for itself.
    let output = job.isStreamed ? environment.error : environment.output
    if messages.isJSON {
      output.write(
        ResultJSON.line(
          plan, result, job, residentPeak: environment.residentPeak(), seconds: seconds))
      return
    }
    if messages.isQuiet { return }
    output.write(result.map { ResultText.line($0, job) } ?? ResultText.line(plan, job))
    for note in result?.notes ?? plan.notes {
      say("note: \(job.input.inputName): \(note.message.printable)\n", of: job.input)
    }
    if messages.isVerbose { environment.error.write(ResultText.details(plan)) }
  }

  /// A failure before there was a job.
  func report(_ failure: WidgetImageError, _ input: RawPath, isStreamed: Bool) {
    report(failure, failure.message, input, isStreamed: isStreamed)
  }

  /// A job's failure. Where the output is to blame, it is named.
  func report(_ failure: WidgetImageError, _ job: FitJob) {
    let isOutput = failure.code == .cannotCreate || failure.code == .writeFailed
    let message =
      isOutput && !job.isStreamed ? "\(failure.message): '\(job.output)'" : failure.message
    report(failure, message, job.input, isStreamed: job.isStreamed)
  }

  private func report(
    _ failure: WidgetImageError, _ message: String, _ input: RawPath, isStreamed: Bool
  ) {
    progressLine?.clear()
    say("Error: \(input.inputName): \(message.printable)\n", of: input)
    if messages.isJSON {
      let output = isStreamed ? environment.error : environment.output
      output.write(ResultJSON.line(failure, message, input))
    }
  }

  /// Says it unless it was the last thing said, of the same input.
  private func say(_ text: String, of input: RawPath) {
    if let lastSaid, lastSaid == (input, text) { return }
    lastSaid = (input, text)
    environment.error.write(text)
  }
}
