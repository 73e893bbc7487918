import Testing
import WidgetCommand
import WidgetCore

@Suite("Sizes, points and amounts")
struct AmountsTests {
  @Test(
    "Sizes that are read",
    arguments: [
      ("500000", 500_000), ("30MB", 30_000_000), ("30MiB", 31_457_280), ("2MB", 2_000_000),
      ("500KB", 500_000), ("1.5MB", 1_500_000), ("0.5KiB", 512), ("1GB", 1_000_000_000),
      ("1GiB", 1_073_741_824), ("30mb", 30_000_000), ("7B", 7), ("1.0000019MB", nil),
      ("1.000001MB", 1_000_001), ("0.0001KB", nil), ("9223372036854775807", Int.max),
      ("9223372036854775808", nil), ("9223372036854775807KB", nil), ("9999999999GB", nil),
      ("", nil), ("MB", nil), ("0", nil), ("0MB", nil), ("-1MB", nil), ("+1MB", nil), (".5MB", nil),
      ("1.MB", nil), ("1.5", nil), ("1e6", nil), ("30M", nil), ("30 MB", nil), ("1,5MB", nil),
      ("٣MB", nil), ("0x10", nil), ("1.2.3MB", nil),
    ] as [(String, Int?)])
  func size(text: String, bytes: Int?) {
    #expect(ByteSize.parse(text) == bytes)
  }

  @Test(
    "Points become pixels by round half up, exactly",
    arguments: [
      ("18", 3, 54), ("36.67", 3, 110), ("36.67", 1, 37), ("0.5", 1, 1), ("0.5", 3, 2),
      ("0.1", 1, 0), ("1.5", 1, 2), ("2.5", 1, 3), ("0.499999", 1, 0), ("1.005", 2, 2),
      ("4.35", 2, 9), ("16.5", 3, 50), ("8.166667", 3, 25), ("1.166666", 3, 3), ("1.166667", 3, 4),
      ("9223372036854775807", 3, Int.max / 2),
    ])
  func points(text: String, scale: Int, pixels: Int) throws {
    #expect(try #require(ExactDecimal(text)).rounded(times: scale) == pixels)
  }

  @Test(
    "No decimals",
    arguments: [
      "", ".", "1.", ".1", "-1", "1e3", "1.1234567", "1 ", "٣", "99999999999999999999", "1..2",
    ])
  func noDecimal(text: String) {
    #expect(ExactDecimal(text) == nil)
  }

  @Test(
    "Amounts that are shown",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (3124, "3.1 KB"), (11_664, "11.7 KB"),
      (999_949, "999.9 KB"), (999_950, "1.0 MB"), (999_949_999, "999.9 MB"),
      (999_950_000, "1.0 GB"), (.max, "9223372036.8 GB"),
    ])
  func amount(bytes: Int, text: String) {
    #expect(Amounts.bytes(bytes) == text)
  }

  @Test(
    "Points that are shown",
    arguments: [
      (54, 3, "18"), (55, 3, "18.33"), (1, 3, "0.33"), (3, 2, "1.5"), (110, 3, "36.67"),
      (7, 1, "7"), (50, 3, "16.67"),
    ])
  func shownPoints(pixels: Int, scale: Int, text: String) {
    #expect(Amounts.points(pixels, scale: scale) == text)
  }

  @Test(
    "Digits in groups",
    arguments: [(7, "7"), (999, "999"), (1000, "1,000"), (16_257_024, "16,257,024")])
  func groups(value: Int, text: String) {
    #expect(Amounts.grouped(value) == text)
  }
}
