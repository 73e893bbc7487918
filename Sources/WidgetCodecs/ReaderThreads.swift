internal import CWidgetCodecs
internal import WidgetCore

/// Whether a reader shares its work between two threads. The plan and the
/// reader both ask here.
package enum ReaderThreads {
  /// Below this a thread costs more than it saves.
  static let leastPixels = 100_000

  /// 1 or 2 for the image of this header, decoded at 1/`shrink`.
  ///
  /// Two where there is work for both and a processor for each, and where what
  /// they hold takes no more than half of `limit`, the ledger's.
  package static func count(for header: ImageHeader, shrink: Int, limit: Int) -> Int {
    guard wi_has_second_processor(),
      saturatingProduct(header.size.width, header.size.height) >= leastPixels
    else { return 1 }
    let parts: [MemoryPlan.Part]
    switch header.detail {
    case .png where header.coding == .pngAdam7: parts = PNGMemory.parts(for: header, threads: 2)
    case .jpeg(let detail) where detail.scanTable != nil:
      parts = JPEGMemory.parts(for: header, shrink: shrink, threads: 2)
    default: return 1
    }
    return MemoryPlan.Phase("read", parts).bytes <= limit / 2 ? 2 : 1
  }

  /// What the second thread itself takes: its stack, and its state.
  static let part = MemoryPlan.Part("second thread", 128 * 1024 + 256)
}
