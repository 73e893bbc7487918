package import WidgetCore

// Stored and upright coordinates. With a stored picture of w x h:
//
//   1  X = x          Y = y            5  X = y          Y = x
//   2  X = w - 1 - x  Y = y            6  X = h - 1 - y  Y = x
//   3  X = w - 1 - x  Y = h - 1 - y    7  X = h - 1 - y  Y = w - 1 - x
//   4  X = x          Y = h - 1 - y    8  X = y          Y = w - 1 - x
//
// Source: EXIF 2.32, tag 0x0112.
extension Orientation {
  /// The rectangle of the stored picture, `stored` pixels large, that shows as
  /// `upright` when set upright.
  package func storedRect(_ upright: PixelRect, in stored: PixelSize) -> PixelRect {
    let size = self.upright(stored)
    let fromRight = Double(size.width) - (upright.x + upright.width)
    let fromBottom = Double(size.height) - (upright.y + upright.height)
    switch self {
    case .up: return upright
    case .mirrored:
      return PixelRect(x: fromRight, y: upright.y, width: upright.width, height: upright.height)
    case .down:
      return PixelRect(x: fromRight, y: fromBottom, width: upright.width, height: upright.height)
    case .downMirrored:
      return PixelRect(x: upright.x, y: fromBottom, width: upright.width, height: upright.height)
    case .leftMirrored:
      return PixelRect(x: upright.y, y: upright.x, width: upright.height, height: upright.width)
    case .right:
      return PixelRect(x: upright.y, y: fromRight, width: upright.height, height: upright.width)
    case .rightMirrored:
      return PixelRect(x: fromBottom, y: fromRight, width: upright.height, height: upright.width)
    case .left:
      return PixelRect(x: fromBottom, y: upright.x, width: upright.height, height: upright.width)
    }
  }

  /// How a stored row is laid into the upright picture: where its first pixel
  /// goes, and by how many pixels each next one is away.
  ///
  /// - Parameter stored: the size of the stored picture whose row this is.
  package func placement(
    ofRow row: Int, in stored: PixelSize
  ) -> (first: Int, step: Int) {
    let width = stored.width
    let height = stored.height
    switch self {
    case .up: return (row * width, 1)
    case .mirrored: return (row * width + width - 1, -1)
    case .down: return ((height - 1 - row) * width + width - 1, -1)
    case .downMirrored: return ((height - 1 - row) * width, 1)
    // From here on an upright row is `height` pixels long.
    case .leftMirrored: return (row, height)
    case .right: return (height - 1 - row, height)
    case .rightMirrored: return ((width - 1) * height + height - 1 - row, -height)
    case .left: return ((width - 1) * height + row, -height)
    }
  }
}
