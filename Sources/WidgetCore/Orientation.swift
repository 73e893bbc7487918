/// EXIF orientation: what must be done to the stored picture to set it upright.
package enum Orientation: Int, Sendable, CaseIterable {
  case up = 1
  case mirrored = 2
  case down = 3
  case downMirrored = 4
  /// Transposed: mirrored along the main diagonal.
  case leftMirrored = 5
  /// Stored lying on its left side: turn clockwise by 90 degrees.
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// Whether width and height change places.
  package var swapsSides: Bool { rawValue >= 5 }

  /// The upright size of a picture stored as `size`.
  package func upright(_ size: PixelSize) -> PixelSize {
    swapsSides ? size.transposed : size
  }

  /// Whether an upright row is a stored row, perhaps mirrored, in stored order:
  /// if so, rows can be oriented one by one.
  package var keepsRowOrder: Bool { self == .up || self == .mirrored }
}
