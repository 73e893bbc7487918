// Times the resampler alone, over rows in memory. Driven by Benchmarks/run and
// Benchmarks/gate; by hand:
//
//   WidgetBenchmarks 'noise 4032 3024 4' 'plan 1024 768' 'run 5'
//
// Each argument is one command; without arguments commands come from standard
// input, a line each. Every command answers with one line of JSON.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Obeys all commands; false when one failed.
func serve() -> Bool {
  var session = Session()
  var good = true
  func obey(_ line: String) {
    do {
      print(try session.obey(line))
    } catch {
      print("{\"error\":\(quoted(error.message))}")
      good = false
    }
    fflush(nil)
  }
  if CommandLine.arguments.count > 1 {
    for line in CommandLine.arguments.dropFirst() where good { obey(line) }
  } else {
    while let line = readLine() { obey(line) }
  }
  return good
}

exit(serve() ? 0 : 1)
