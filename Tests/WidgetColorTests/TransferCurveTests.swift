import Testing
import WidgetColor

@Suite("The sRGB transfer curve")
struct TransferCurveTests {
  @Test("values of IEC 61966-2-1")
  func known() {
    // The ends, the knee, and middle grey: code 188 is half the light.
    #expect(TransferCurve.linear(0) == 0)
    #expect(abs(TransferCurve.linear(1) - 1) < 1e-12)
    #expect(abs(TransferCurve.linear(0.04045) - 0.003_130_8) < 1e-7)
    #expect(abs(TransferCurve.linear(188.0 / 255) - 0.5029) < 1e-4)
    #expect(abs(TransferCurve.encoded(0.5) - 0.735_357) < 1e-6)
  }

  @Test("every code survives there and back", arguments: 0...255)
  func roundTrip(_ code: Int) {
    #expect(TransferCurve.sRGBCode(TransferCurve.linear(Double(code) / 255)) == UInt8(code))
  }

  @Test("codes change where the rounded curve does")
  func rounding() {
    for code in 0..<255 {
      let border = TransferCurve.linear((Double(code) + 0.5) / 255)
      #expect(TransferCurve.sRGBCode(border * (1 - 1e-9)) == UInt8(code))
      #expect(TransferCurve.sRGBCode(border * (1 + 1e-9)) == UInt8(code + 1))
    }
  }

  @Test("values outside 0 to 1 are clamped", arguments: [(-0.5, 0), (-1e-9, 0), (1.5, 255)])
  func clamped(_ linear: Double, _ code: UInt8) {
    #expect(TransferCurve.sRGBCode(linear) == code)
  }

  @Test(
    "a table filled by thresholds has the code of each of its entries", arguments: [2, 100, 16_129])
  func table(_ count: Int) {
    var table = [UInt8](repeating: 7, count: count)
    table.withUnsafeMutableBufferPointer { TransferCurve.fill($0) }
    for index in 0..<count {
      #expect(table[index] == TransferCurve.sRGBCode(Double(index) / Double(count - 1)))
    }
  }

  @Test("no threshold is so near an entry that a system's power could move it")
  func thresholds() {
    for code in 0..<255 {
      let place = TransferCurve.linear((Double(code) + 0.5) / 255) * 16_128
      #expect((place - place.rounded()).magnitude > 1e-6)
    }
  }
}
