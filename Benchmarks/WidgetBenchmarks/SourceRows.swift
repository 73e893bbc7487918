#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import WidgetCore
import WidgetResample

/// Rows of 8-bit samples in memory. A plan may ask for a taller picture: the
/// rows are given again and again then.
struct SourceRows {
  let width: Int
  let rows: Int
  let channels: PixelLayout.Channels
  private let samples: [UInt8]

  /// Reads raw samples, rows without padding.
  init(
    path: String, width: Int, rows: Int, channels: PixelLayout.Channels
  ) throws(CommandError) {
    self.width = width
    self.rows = rows
    self.channels = channels
    let count = width * rows * channels.rawValue
    guard let file = fopen(path, "rb") else { throw CommandError(message: "can't open \(path)") }
    defer { fclose(file) }
    samples = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = fread(buffer.baseAddress, 1, count, file)
    }
    guard samples.count == count else {
      throw CommandError(message: "\(path) has \(samples.count) of \(count) bytes")
    }
  }

  /// The same noise on every machine.
  init(noise width: Int, rows: Int, channels: PixelLayout.Channels) {
    self.width = width
    self.rows = rows
    self.channels = channels
    var state: UInt32 = 1
    samples = (0..<(width * rows * channels.rawValue)).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }

  struct Pass {
    /// On the wall's clock.
    var nanoseconds: UInt64
    /// Processor time of all threads.
    var processorNanoseconds: UInt64
    /// Of these, what tables and buffers took.
    var setupNanoseconds: UInt64
    var ledgerPeak: Int
  }

  /// Resamples once into `output`, rows without padding.
  ///
  /// - Throws: never more than `.overBudget`.
  func resample(
    _ plan: ResizePlan, kernels: KernelTable, into output: inout [UInt8]
  ) throws(EngineError) -> Pass {
    let ledger = MemoryLedger()
    let rowBytes = plan.layout.bytesPerRow(width: width)
    let outputBytes = plan.outputLayout.bytesPerRow(width: plan.outputSize.width)
    precondition(output.count == outputBytes * plan.outputSize.height)

    let start = now(CLOCK_MONOTONIC)
    let began = now(CLOCK_PROCESS_CPUTIME_ID)
    var resampler = try StreamingResampler(plan: plan, ledger: ledger, kernels: kernels)
    let ready = now(CLOCK_PROCESS_CPUTIME_ID)
    samples.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { target in
        var written = 0
        var row = 0
        var pushed = 0
        while pushed < plan.sourceSize.height {
          let count = min(plan.batchRows, plan.sourceSize.height - pushed)
          // A source that is repeated goes on from its top.
          if row + count > rows { row = 0 }
          resampler.push(
            rows: UnsafeRawBufferPointer(
              rebasing: source[(row * rowBytes)..<((row + count) * rowBytes)]), count: count)
          row += count
          pushed += count
          while written < target.count,
            resampler.pop(
              into: UnsafeMutableRawBufferPointer(
                rebasing: target[written..<(written + outputBytes)]))
          {
            written += outputBytes
          }
        }
        precondition(written == target.count, "output rows are missing")
      }
    }
    let done = now(CLOCK_PROCESS_CPUTIME_ID)
    return Pass(
      nanoseconds: now(CLOCK_MONOTONIC) - start, processorNanoseconds: done - began,
      setupNanoseconds: ready - began, ledgerPeak: ledger.peak)
  }
}

/// Nanoseconds on `clock`.
func now(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func writeFile(_ bytes: [UInt8], to path: String) throws(CommandError) {
  guard let file = fopen(path, "wb") else { throw CommandError(message: "can't create \(path)") }
  let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
  guard fclose(file) == 0, written == bytes.count else {
    throw CommandError(message: "can't write \(path)")
  }
}
