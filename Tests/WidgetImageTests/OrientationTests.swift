import Testing
import WidgetCore
import WidgetImage

@Suite("Orientation")
struct OrientationTests {
  /// Where the stored pixel (x, y) of a w x h picture shows, by the EXIF
  /// specification's words: which side the 0th row and the 0th column are at.
  static func upright(_ orientation: Int, x: Int, y: Int, w: Int, h: Int) -> (x: Int, y: Int) {
    switch orientation {
    case 1: (x, y)  // row 0 top, column 0 left
    case 2: (w - 1 - x, y)  // top, right
    case 3: (w - 1 - x, h - 1 - y)  // bottom, right
    case 4: (x, h - 1 - y)  // bottom, left
    case 5: (y, x)  // left, top
    case 6: (h - 1 - y, x)  // right, top
    case 7: (h - 1 - y, w - 1 - x)  // right, bottom
    default: (y, w - 1 - x)  // left, bottom
    }
  }

  @Test("every pixel of a row lands where EXIF says", arguments: Orientation.allCases)
  func placement(_ orientation: Orientation) {
    for stored in [PixelSize(width: 5, height: 3), PixelSize(width: 1, height: 4)] {
      let width = orientation.upright(stored).width
      for y in 0..<stored.height {
        let (first, step) = orientation.placement(ofRow: y, in: stored)
        for x in 0..<stored.width {
          let expected = Self.upright(
            orientation.rawValue, x: x, y: y, w: stored.width, h: stored.height)
          #expect(first + x * step == expected.y * width + expected.x)
        }
      }
    }
  }

  @Test("a crop names the stored pixels that it shows", arguments: Orientation.allCases)
  func crop(_ orientation: Orientation) {
    let stored = PixelSize(width: 9, height: 6)
    // A stored block of 3 x 2 pixels at (2, 1) and where its corners show.
    let corners = [(2, 1), (4, 2)].map {
      Self.upright(orientation.rawValue, x: $0.0, y: $0.1, w: 9, h: 6)
    }
    let left = corners.map(\.x).min() ?? 0
    let top = corners.map(\.y).min() ?? 0
    let right = corners.map(\.x).max() ?? 0
    let bottom = corners.map(\.y).max() ?? 0
    let upright = PixelRect(
      x: Double(left), y: Double(top), width: Double(right - left + 1),
      height: Double(bottom - top + 1))
    #expect(
      orientation.storedRect(upright, in: stored) == PixelRect(x: 2, y: 1, width: 3, height: 2))
  }

  @Test("only 1 and 2 keep the row order; 5 to 8 swap the sides")
  func properties() {
    #expect(Orientation.allCases.filter(\.keepsRowOrder) == [.up, .mirrored])
    #expect(Orientation.allCases.filter(\.swapsSides).map(\.rawValue) == [5, 6, 7, 8])
  }
}
