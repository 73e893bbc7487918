import Testing
import WidgetJSON

@Suite("JSON that is written")
struct JSONWriterTests {
  @Test(
    "One line, members in their order",
    arguments: [
      (nil, "null"), (true, "true"), (-7, "-7"), (0.5, "0.5"), (18.0, "18"), (1e300, "1e+300"),
      (.number(-0.0), "-0.0"), (.number(.infinity), "null"), (.number(.nan), "null"),
      ([], "[]"), (["z": 1, "a": [1, "b"], "m": [:]], #"{"z":1,"a":[1,"b"],"m":{}}"#),
      ("é 😀 /", #""é 😀 /""#),
      ("\"\\\n\r\t\u{8}\u{C}\u{1}\u{1F}\u{7F}", #""\"\\\n\r\t\b\f\u0001\u001f\u007f""#),
    ] as [(JSONValue, String)])
  func text(value: JSONValue, expected: String) {
    #expect(value.json == expected)
  }

  @Test(
    "What is written reads back the same",
    arguments: [
      ["a": [1, 2.25, nil, "\u{0}\u{2028}\r\n"], "b": ["c": false], "": .integer(.min)],
      .number(18.333333333333332), .number(.leastNonzeroMagnitude), .number(1.7976931348623157e308),
      "\u{10FFFF}",
    ] as [JSONValue])
  func roundTrip(value: JSONValue) throws {
    #expect(try JSONReader.read(value.json) == value)
  }

  @Test("Accessors give a value of their own kind only")
  func accessors() {
    let value: JSONValue = ["n": 3, "x": 2.5, "w": 4.0, "s": "t", "b": true, "a": [1]]
    #expect(value["n"]?.intValue == 3)
    #expect(value["n"]?.doubleValue == 3)
    #expect(value["x"]?.intValue == nil)
    #expect(value["w"]?.intValue == 4)
    #expect(value["s"]?.stringValue == "t")
    #expect(value["s"]?.intValue == nil)
    #expect(value["b"]?.boolValue == true)
    #expect(value["a"]?.arrayValue == [1])
    #expect(value["none"] == nil)
    #expect(JSONValue.array([])["n"] == nil)
  }
}
