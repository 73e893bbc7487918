import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

/// What the tool tells of a job's memory.
struct ToldMemory {
  var planned = 0
  /// Of a `fit` alone.
  var ledgerPeak: Int?
  /// Bytes of parts by name; of an `inspect --verbose` alone.
  var parts: [String: Int] = [:]

  /// - Parameter line: the JSON of a `fit` or an `inspect`.
  init?(_ line: [UInt8]) {
    guard let memory = object(line)?["memory"].flatMap(object),
      case .integer(let planned)? = memory["planned"]
    else { return nil }
    self.planned = planned
    if case .integer(let peak)? = memory["ledgerPeak"] { ledgerPeak = peak }
    if case .array(let parts)? = memory["parts"] {
      for part in parts.compactMap(object) {
        guard case .string(let name)? = part["name"], case .integer(let bytes)? = part["bytes"]
        else { return nil }
        self.parts[name] = bytes
      }
    }
  }
}

private func object(_ line: [UInt8]) -> JSONObject? {
  guard let value = try? JSONReader.read(line) else { return nil }
  return object(value)
}

private func object(_ value: JSONValue) -> JSONObject? {
  if case .object(let object) = value { object } else { nil }
}

/// Runs of the tool whose dirty memory the kernel bounds, or at least tells.
enum Jail {
  struct Outcome {
    var status: Int?
    var wasKilled: Bool
    /// The most dirty bytes that were seen.
    var dirtyBytes: Int
    var text: String
  }

  /// Why the kernel can't be the judge here; nil where it can.
  static let unavailable: String? = {
    #if os(Linux)
      guard let outcome = try? run(30_000_000, ["true"]) else {
        return "Scripts/jail does not run here"
      }
      return outcome.text.contains("jail: enforced")
        ? nil : "no memory cgroup can be made here (it needs root)"
    #else
      return "memory cgroups are Linux's"
    #endif
  }()

  /// - Throws: where the jail does not start or tells nothing.
  static func run(_ bytes: Int, _ command: [RawPath]) throws -> Outcome {
    let jail = RawPath(PackageFolder.path + "/Scripts/jail")
    let outcome = try Subprocess(jail, [RawPath(String(bytes))] + command).run()
    let line = try #require(
      outcome.errorText.split(separator: "\n").last { $0.hasPrefix("jail: ") },
      "\(outcome.errorText)")
    let words = line.split(separator: " ")
    let at = try #require(words.firstIndex(of: "RssAnon"))
    let kilobytes = try #require(Int(words[at + 1]))
    return Outcome(
      status: outcome.status, wasKilled: line.contains("killed yes"),
      dirtyBytes: kilobytes * 1024, text: outcome.errorText)
  }
}

extension MemorySource {
  /// The same as a path's bytes.
  func rawPath() throws -> RawPath { RawPath(try path()) }
}
