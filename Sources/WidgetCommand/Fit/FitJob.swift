package import WidgetCore
package import WidgetImage

/// One result to make, with the name it gets.
package struct FitJob: Hashable, Sendable {
  package var input: RawPath
  /// As given or made; `-` for standard output.
  package var output: RawPath
  package var scale: Int?
  package var options: FitOptions

  package var source: ImageInput {
    FitRequest.isStandardInput(input) ? .standardInput : .file(input)
  }

  package var destination: ImageDestination { isStreamed ? .standardOutput : .file(output) }

  /// Whether the image itself goes to standard output.
  package var isStreamed: Bool { output == "-" }
}

extension RawPath {
  /// The input for messages.
  var inputName: String {
    if FitRequest.isStandardInput(self) { return "standard input" }
    return bytes.isEmpty ? "''" : printable
  }
}
