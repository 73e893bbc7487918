/// Where the scans of a JPEG stand: 10 bytes a scan.
package struct JPEGScanTable: Hashable, Sendable {
  /// The most scans that are read. In a progressive file of four components no
  /// more than 3,584 can each carry something: 64 coefficients of 14 bits.
  package static let limit = 4096

  /// What decides whether a scan is needed.
  package struct Head: Hashable, Sendable {
    /// Carries DC, alone or with the rest.
    package var isDC: Bool
    /// Bit 0 is the frame's first component.
    package var components: UInt8
  }

  /// The frame header, its marker included.
  package var frameStart: UInt64 = 0
  package var frameEnd: UInt64 = 0
  /// The first SOS marker.
  package var firstScan: UInt64 = 0
  /// Where each scan's data ends: at the next marker, or at the input's end.
  package var ends: [UInt64] = []
  package var heads: [Head] = []
}
