package import WidgetCore

/// Finds results that would overwrite an input or each other, before any work.
package struct OutputClash {
  private let facts: (RawPath) -> FileFacts?
  private var inputs: [FileFacts.Identity: RawPath] = [:]
  private var outputs: [Place: (input: RawPath, output: RawPath)] = [:]
  private var folders: [RawPath: FileFacts.Identity?] = [:]

  /// A name in a folder, the folder by identity and the name without regard to
  /// case, since many file systems have none.
  private enum Place: Hashable {
    case known(FileFacts.Identity, Name)
    /// Of a folder that is not there.
    case unknown(Name, Name)
  }

  /// `String` compares differently composed letters as equal, as Apple's file
  /// systems do; bytes that are no text are compared as they are.
  private enum Name: Hashable {
    case text(String)
    case bytes([UInt8])

    init(_ bytes: ArraySlice<UInt8>) {
      let text = String(decoding: bytes, as: UTF8.self)
      self = text.utf8.elementsEqual(bytes) ? .text(text.lowercased()) : .bytes(Array(bytes))
    }
  }

  package init(inputs: [RawPath], facts: @escaping (RawPath) -> FileFacts?) {
    self.facts = facts
    for input in inputs where !FitRequest.isStandardInput(input) {
      guard let identity = facts(input)?.identity, self.inputs[identity] == nil else { continue }
      self.inputs[identity] = input
    }
  }

  /// Takes note of one result.
  ///
  /// - Returns: What is wrong with it, in one sentence; nil for nothing.
  package mutating func add(_ output: RawPath, of input: RawPath) -> String? {
    if let identity = facts(output)?.identity, let victim = inputs[identity] {
      return "'\(input.printable)' would be written to '\(output.printable)', which is the input "
        + "'\(victim.printable)'; an input is never overwritten"
    }
    let place = place(of: output)
    if let earlier = outputs[place] {
      let names =
        earlier.output == output
        ? "'\(output.printable)'"
        : "one file, '\(earlier.output.printable)' and '\(output.printable)'"
      return "'\(earlier.input.printable)' and '\(input.printable)' would both be written to "
        + names
    }
    outputs[place] = (input, output)
    return nil
  }

  private mutating func place(of output: RawPath) -> Place {
    let folder = OutputName.folder(of: output)
    let identity: FileFacts.Identity?
    if let known = folders[folder] {
      identity = known
    } else {
      identity = facts(folder)?.identity
      folders[folder] = .some(identity)
    }
    let name = Name(OutputName.name(of: output))
    guard let identity else { return .unknown(Name(folder.bytes[...]), name) }
    return .known(identity, name)
  }
}
