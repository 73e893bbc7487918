#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The sRGB transfer curve, IEC 61966-2-1:1999.
package enum TransferCurve {
  /// An encoded value, 0 to 1, in linear light.
  package static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }

  /// Linear light, 0 to 1, encoded.
  package static func encoded(_ linear: Double) -> Double {
    linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  /// The 8-bit code of linear light; values outside 0 to 1 are clamped.
  package static func sRGBCode(_ linear: Double) -> UInt8 {
    UInt8((min(1, max(0, encoded(linear))) * 255).rounded())
  }

  /// Fills a table with the 8-bit code of each linear value from 0 to white,
  /// in even steps: `sRGBCode(index / (count - 1))`.
  ///
  /// Takes 255 powers, not one for each entry: a code's first entry is where
  /// the curve passes half a code below it.
  package static func fill(_ table: UnsafeMutableBufferPointer<UInt8>) {
    let white = Double(table.count - 1)
    var next = 0
    for code in 0..<255 {
      let end = Int((linear((Double(code) + 0.5) / 255) * white).rounded(.up))
      while next < end {
        unsafe table[next] = UInt8(code)
        next += 1
      }
    }
    while next < table.count {
      unsafe table[next] = 255
      next += 1
    }
  }
}
