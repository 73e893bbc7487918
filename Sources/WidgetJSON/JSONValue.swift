/// A JSON value. Objects keep the order of their members.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits an `Int`.
  case integer(Int)
  /// Any other number; never infinite, never NaN when it was read.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// The members of an object, in the order they were read or given.
package struct JSONObject: Hashable, Sendable {
  package var members: [JSONMember]

  package init(_ members: [JSONMember] = []) {
    self.members = members
  }

  /// The value of the member `key`, nil where there is none.
  package subscript(key: String) -> JSONValue? {
    members.first { $0.key == key }?.value
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { JSONMember($0.0, $0.1) }
  }
}

/// One key and its value.
package struct JSONMember: Sendable {
  package var key: String
  package var value: JSONValue
  /// Where the key stands in the text that was read, for messages; nil for a
  /// member that was made. Takes no part in comparisons.
  package var position: JSONPosition?

  package init(_ key: String, _ value: JSONValue, at position: JSONPosition? = nil) {
    self.key = key
    self.value = value
    self.position = position
  }
}

extension JSONMember: Hashable {
  package static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.value == right.value
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(value)
  }
}

/// A place in a text. Lines and columns count from 1, columns in Unicode scalars.
package struct JSONPosition: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension JSONPosition: CustomStringConvertible {
  package var description: String { "line \(line), column \(column)" }
}

// MARK: Looking inside

extension JSONValue {
  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number where it is whole and fits an `Int`, also when it was written
  /// `1.0` or `1e3`.
  package var intValue: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  package var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  package var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member `key` of an object; nil for anything else.
  package subscript(key: String) -> JSONValue? { objectValue?[key] }
}

// MARK: Literals

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONMember($0.0, $0.1) }))
  }
}
