internal import WidgetCore

/// When a reader shares its own work between two threads.
package enum ReaderThreads {
  /// Below this a thread costs more than it saves.
  package static let leastPixels = 100_000

  /// Whether the image of this header has work for two.
  package static func pay(for header: ImageHeader) -> Bool {
    guard saturatingProduct(header.size.width, header.size.height) >= leastPixels else {
      return false
    }
    return switch header.detail {
    case .png: header.coding == .pngAdam7
    case .jpeg(let detail): (detail.scanTable?.ends.count ?? 0) > 1
    default: false
    }
  }

  /// What the second thread itself takes: its stack, and its state.
  static let part = MemoryPlan.Part("second thread", 128 * 1024 + 256)
}
