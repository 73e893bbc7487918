import Testing
import WidgetJSON

@Suite("JSON that is read")
struct JSONReaderTests {
  @Test(
    "Values",
    arguments: [
      ("null", .null), (" \t\r\n true ", .bool(true)), ("false", .bool(false)),
      ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("1.0", .number(1)), ("1e3", .number(1000)), ("-1.5E-2", .number(-0.015)),
      ("0.1", .number(0.1)), ("1e-400", .number(0)),
      ("[]", .array([])), ("[1,[2, 3] ]", [1, [2, 3]]),
      ("{}", .object(JSONObject())),
      (#"{"b":1,"a":[null,"x"]}"#, ["b": 1, "a": [nil, "x"]]),
      (#""""#, ""), (#""é\u00e9 \ud83d\ude00 😀""#, "éé 😀 😀"),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\0"),
    ] as [(String, JSONValue)])
  func value(text: String, expected: JSONValue) throws {
    #expect(try JSONReader.read(text) == expected)
  }

  @Test("Faults, with their place and reason", arguments: JSONFault.all)
  func fault(_ fault: JSONFault) {
    #expect {
      try JSONReader.read(fault.bytes)
    } throws: {
      "\($0)" == fault.expected
    }
  }

  @Test("Members keep their order and tell where they stand")
  func positions() throws {
    let value = try JSONReader.read("{\r\n  \"é\": \"ü\", \"b\": 2,\r  \"a\":\n{\"c\":1}}")
    let members = try #require(value.objectValue?.members)
    #expect(members.map(\.key) == ["é", "b", "a"])
    #expect(
      members.map(\.position) == [
        JSONPosition(line: 2, column: 3), JSONPosition(line: 2, column: 13),
        JSONPosition(line: 3, column: 3),
      ])
    #expect(
      value["a"]?.objectValue?.members.first?.position == JSONPosition(line: 4, column: 2))
  }

  @Test("Keys that differ in composition only are two keys")
  func composition() throws {
    let value = try JSONReader.read("{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(value.objectValue?.members.count == 2)
  }

  @Test("Depth is bounded, arrays and objects together")
  func depth() throws {
    let most = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(throws: Never.self) { try JSONReader.read(most) }
    #expect(
      throws: JSONError(
        "arrays and objects are nested deeper than 64", at: .init(line: 1, column: 65))
    ) {
      try JSONReader.read(String(repeating: "[", count: 1_000_000))
    }
    #expect(throws: JSONError.self) {
      try JSONReader.read(String(repeating: #"{"a":["#, count: 33))
    }
    #expect(throws: JSONError.self) {
      try JSONReader.read("[[1]]", limits: .init(depth: 1))
    }
  }

  @Test("Length is bounded")
  func length() {
    #expect(throws: JSONError("the text is longer than 4 bytes", at: .init(line: 1, column: 1))) {
      try JSONReader.read("[1,2]", limits: .init(bytes: 4))
    }
    #expect(throws: Never.self) { try JSONReader.read("[12]", limits: .init(bytes: 4)) }
  }

  @Test("Every text cut short and every byte changed ends in a value or a fault")
  func neverTraps() {
    let text = Array(#"{"a":[1.5e3,"\u00e9\ud83d\ude00é😀",true,null],"b":{"c":-0}}"#.utf8)
    for count in text.indices {
      #expect(throws: JSONError.self) { try JSONReader.read(Array(text[..<count])) }
    }
    for index in text.indices {
      for byte in [0, 0x22, 0x2C, 0x5C, 0x7B, 0x80, 0xC3, 0xED, 0xF4, 0xFF] as [UInt8] {
        var changed = text
        changed[index] = byte
        _ = try? JSONReader.read(changed)
      }
    }
  }
}

/// A text that is no JSON.
struct JSONFault: CustomTestStringConvertible, Sendable {
  var bytes: [UInt8]
  var expected: String

  init(_ text: String, _ expected: String) {
    bytes = Array(text.utf8)
    self.expected = expected
  }

  init(_ bytes: [UInt8], _ expected: String) {
    self.bytes = bytes
    self.expected = expected
  }

  var testDescription: String { String(decoding: bytes, as: UTF8.self) }

  static let all: [JSONFault] = [
    JSONFault("", "line 1, column 1: the text ends where a value is expected"),
    JSONFault(" \n ", "line 2, column 2: the text ends where a value is expected"),
    JSONFault("nul", "line 1, column 1: 'n' stands where a value is expected"),
    JSONFault("NaN", "line 1, column 1: 'N' stands where a value is expected"),
    JSONFault("'a'", "line 1, column 1: ''' stands where a value is expected"),
    JSONFault("// no", "line 1, column 1: '/' stands where a value is expected"),
    JSONFault("1 2", "line 1, column 3: more text follows the value"),
    JSONFault("truex", "line 1, column 5: more text follows the value"),
    JSONFault("01", "line 1, column 1: a number starts with a needless 0"),
    JSONFault("-", "line 1, column 2: the text ends where a digit is expected"),
    JSONFault("+1", "line 1, column 1: '+' stands where a value is expected"),
    JSONFault(".5", "line 1, column 1: '.' stands where a value is expected"),
    JSONFault("1.", "line 1, column 3: the text ends where a digit is expected"),
    JSONFault("[1.e3]", "line 1, column 4: 'e' stands where a digit is expected"),
    JSONFault("1e", "line 1, column 3: the text ends where a digit is expected"),
    JSONFault("[1, 1e999]", "line 1, column 5: a number is too large"),
    JSONFault("[1,]", "line 1, column 4: ']' stands where a value is expected"),
    JSONFault("[1", "line 1, column 3: the text ends where ',' or ']' is expected"),
    JSONFault("[1}", "line 1, column 3: '}' stands where ',' or ']' is expected"),
    JSONFault("{a:1}", "line 1, column 2: 'a' stands where a key is expected"),
    JSONFault(#"{"a" 1}"#, "line 1, column 6: '1' stands where ':' is expected"),
    JSONFault(#"{"a":1,}"#, "line 1, column 8: '}' stands where a key is expected"),
    JSONFault(#"{"a":1]"#, "line 1, column 7: ']' stands where ',' or '}' is expected"),
    JSONFault(
      "{\"a\":1,\n\"b\":2,\n \"a\":3}", "line 3, column 2: the key \"a\" stands twice in one object"
    ),
    JSONFault(
      #"{"\u0061":1,"a":2}"#, "line 1, column 13: the key \"a\" stands twice in one object"),
    JSONFault("[\"é😀", "line 1, column 2: a string has no end"),
    JSONFault(
      "\"a\nb\"", "line 1, column 3: a control character stands in a string; it must be escaped"),
    JSONFault(#""\x41""#, "line 1, column 2: an escape of this kind does not exist"),
    JSONFault(#""é\u12g4""#, "line 1, column 3: '\\u' must be followed by four hexadecimal digits"),
    JSONFault(#""\ud800""#, "line 1, column 2: half of a surrogate pair stands alone"),
    JSONFault(#""\udc00""#, "line 1, column 2: half of a surrogate pair stands alone"),
    JSONFault(#""\ud800\u0041""#, "line 1, column 2: half of a surrogate pair stands alone"),
    JSONFault(
      [0xEF, 0xBB, 0xBF, 0x31],
      "line 1, column 1: the text starts with a byte order mark, which JSON does not allow"),
    JSONFault([0x22, 0xFF, 0x22], "line 1, column 2: a string is not valid UTF-8"),
    JSONFault([0x22, 0xC0, 0x80, 0x22], "line 1, column 2: a string is not valid UTF-8"),
    JSONFault([0x22, 0xE0, 0x80, 0x80, 0x22], "line 1, column 2: a string is not valid UTF-8"),
    JSONFault([0x22, 0xED, 0xA0, 0x80, 0x22], "line 1, column 2: a string is not valid UTF-8"),
    JSONFault(
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "line 1, column 2: a string is not valid UTF-8"),
    JSONFault([0x22, 0xE2, 0x82, 0x22], "line 1, column 2: a string is not valid UTF-8"),
    JSONFault([0x22, 0xE2], "line 1, column 2: a string is not valid UTF-8"),
    JSONFault([0x31, 0xA0], "line 1, column 2: more text follows the value"),
    JSONFault(
      [0xC3, 0xA9], "line 1, column 1: a character outside ASCII stands where a value is expected"),
  ]
}
