/// Why a text is not JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
  package var position: JSONPosition
  /// One sentence without a full stop.
  package var message: String

  package init(_ message: String, at position: JSONPosition) {
    self.message = message
    self.position = position
  }
}

extension JSONError: CustomStringConvertible {
  /// `line 3, column 7: a comma or '}' is missing`.
  package var description: String { "\(position): \(message)" }
}
