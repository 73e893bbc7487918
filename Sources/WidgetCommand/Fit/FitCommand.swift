import WidgetCore
import WidgetImage

/// `fit`: names all results first, then makes one after the other, or several
/// side by side.
struct FitCommand {
  let request: FitRequest

  init(_ request: FitRequest) {
    self.request = request
  }

  /// A result whose name is known, or why it can't be made.
  enum Step {
    case job(FitJob)
    case failed(RawPath, WidgetImageError)
  }

  func run(in environment: CommandEnvironment) throws(UsageError) -> ExitCode {
    if case .folder(let path) = request.target, environment.facts(path)?.kind != .folder {
      environment.error.write("Error: \(path.printable): there is no such folder\n")
      return .cannotCreate
    }
    let steps = try name(results(for: environment), in: environment)
    if let clash = clash(steps, in: environment) {
      environment.error.write("Error: \(clash)\n")
      return .usage
    }
    let reporter = FitReporter(request.messages, total: steps.count, in: environment)
    let places = request.sharing(of: steps.count, processors: environment.processors).places
    if places > 1, !request.isDryRun {
      return makeSideBySide(steps, places, reporter, in: environment)
    }
    var statuses = [ExitCode]()
    for (index, step) in steps.enumerated() {
      let status = make(step, index, reporter, in: environment)
      statuses.append(status)
      if status == .interrupted || environment.output.failure != nil { break }
    }
    return .combined(statuses)
  }

  private func make(
    _ step: Step, _ index: Int, _ reporter: FitReporter, in environment: CommandEnvironment
  ) -> ExitCode {
    switch step {
    case .failed(let input, let error):
      reporter.report(error, input, isStreamed: request.target(of: input) == .standardOutput)
      return ExitCode(error.code)
    case .job(let job):
      reporter.start(index, job)
      let start = environment.seconds()
      do throws(WidgetImageError) {
        if request.isDryRun {
          let plan = try environment.engine.plan(job.source, options: job.options)
          reporter.report(plan, nil, job, seconds: environment.seconds() - start)
        } else {
          let result = try environment.engine.fit(
            job.source, to: job.destination, options: job.options
          ) { reporter.progress(index, job, $0) }
          reporter.report(result.plan, result, job, seconds: environment.seconds() - start)
        }
        return .success
      } catch {
        reporter.report(error, job)
        return ExitCode(error.code)
      }
    }
  }
}

// MARK: Names

extension FitCommand {
  /// The results, each with the threads that it gets.
  private func results(for environment: CommandEnvironment) -> [FitRequest.Result] {
    var results = request.results
    let threads = request.sharing(of: results.count, processors: environment.processors).threads
    for index in results.indices { results[index].options.threads = threads }
    return results
  }

  private func name(
    _ results: [FitRequest.Result], in environment: CommandEnvironment
  ) throws(UsageError) -> [Step] {
    var steps = [Step]()
    for result in results {
      let folder: RawPath?
      switch request.target(of: result.input) {
      case .file(let path):
        steps.append(.job(job(result, path)))
        continue
      case .standardOutput:
        steps.append(.job(job(result, "-")))
        continue
      case .folder(let path): folder = path
      case .besideInput: folder = nil
      }
      if environment.facts(result.input)?.kind == .other {
        // Reading its header for a name would use it up.
        throw UsageError(
          "Please specify a file with '-o <path>': '\(result.input.printable)' is a pipe or a "
            + "device.")
      }
      steps.append(try name(result, folder, in: environment))
    }
    return steps
  }

  /// The name of a result that is called after its input. The source is asked
  /// only for what the name needs.
  private func name(
    _ result: FitRequest.Result, _ folder: RawPath?, in environment: CommandEnvironment
  ) throws(UsageError) -> Step {
    var format = result.options.format
    var size: PixelSize?
    if format == nil || result.scale == nil {
      do throws(WidgetImageError) {
        let plan = try environment.engine.plan(.file(result.input), options: result.options)
        format = plan.outputFormat
        size = plan.outputSize
      } catch {
        return .failed(result.input, error)
      }
    }
    let name = OutputName.make(
      for: result.input, in: folder, scale: result.scale, size: size, format: format ?? .png)
    return .job(job(result, name))
  }

  private func job(_ result: FitRequest.Result, _ output: RawPath) -> FitJob {
    FitJob(input: result.input, output: output, scale: result.scale, options: result.options)
  }

  private func clash(_ steps: [Step], in environment: CommandEnvironment) -> String? {
    var clashes = OutputClash(inputs: request.inputs, facts: environment.facts)
    for case .job(let job) in steps where !job.isStreamed {
      if let message = clashes.add(job.output, of: job.input) { return message }
    }
    return nil
  }
}
