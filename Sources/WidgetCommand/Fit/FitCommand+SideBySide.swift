import WidgetCore
import WidgetImage

extension FitCommand {
  /// Makes all steps, up to `places` at one time, and reports them in their
  /// order. When nobody takes the reports any more, what runs is finished and
  /// nothing more begun.
  func makeSideBySide(
    _ steps: [Step], _ places: Int, _ reporter: FitReporter, in environment: CommandEnvironment
  ) -> ExitCode {
    let batch = FitBatch(
      engine: environment.engine, budget: request.options.budget, places: places,
      reportsProgress: reporter.showsProgress)
    var statuses = [ExitCode]()
    // Reports what is known, up to the first that is not.
    func reportKnown(upTo end: Int) {
      while statuses.count < end, environment.output.failure == nil {
        switch steps[statuses.count] {
        case .failed(let input, let error):
          reporter.report(error, input, isStreamed: request.target(of: input) == .standardOutput)
          statuses.append(ExitCode(error.code))
        case .job(let job):
          guard let outcome = batch.takeOutcome(statuses.count) else { return }
          statuses.append(report(outcome, of: job, reporter))
        }
      }
    }
    func showProgress() {
      guard reporter.showsProgress, statuses.count < steps.count else { return }
      reporter.progress(
        statuses.count, steps[statuses.count].input,
        done: Double(statuses.count) + batch.shares)
    }
    for (index, step) in steps.enumerated() {
      if case .job(let job) = step {
        if job.isStreamed {
          // The image comes between the lines of what stands before and after it.
          batch.drain(waiting: showProgress)
          reportKnown(upTo: index)
        }
        showProgress()
        batch.start(index, job) {
          reportKnown(upTo: index)
          showProgress()
        }
      }
      reportKnown(upTo: index + 1)
      if environment.output.failure != nil || statuses.contains(.interrupted) { break }
    }
    batch.drain {
      reportKnown(upTo: steps.count)
      showProgress()
    }
    reportKnown(upTo: steps.count)
    return .combined(statuses)
  }

  private func report(
    _ outcome: FitOutcome, of job: FitJob, _ reporter: FitReporter
  ) -> ExitCode {
    switch outcome.result {
    case .success(let result):
      reporter.report(result.plan, result, job, seconds: outcome.seconds)
      return .success
    case .failure(let error):
      reporter.report(error, job)
      return ExitCode(error.code)
    }
  }
}

extension FitCommand.Step {
  fileprivate var input: RawPath {
    switch self {
    case .failed(let input, _): input
    case .job(let job): job.input
    }
  }
}
