package import WidgetCore
package import WidgetResample

/// How rows come from the decoder to the resampler: one slot that is filled and
/// emptied in turn, or a ring of slots between two threads.
package struct RowTransport: Hashable, Sendable {
  /// 1, or 2 where decoding has a thread of its own.
  package let threads: Int
  package let slots: Int
  /// Rows of a slot: a multiple of `batchRows`.
  package let slotRows: Int
  /// Rows that the resampler takes at once.
  package let batchRows: Int
  package let rowBytes: Int

  /// A ring takes this many slots. With two a side waits for the other at each
  /// turn that takes longer than usual; four were no faster than three.
  private static let ringSlots = 3
  /// A slot of a ring holds so many bytes where one batch is less: what one
  /// wake-up costs is little against them.
  private static let slotBytes = 64 << 10
  /// Sources of fewer decoded bytes are done before a thread has started.
  package static let leastBytes = 256 << 10
  /// The stack of a decoder's thread. The codecs use under 24 KiB of it.
  static let stackBytes = 128 << 10

  /// - Parameter threads: 1 or 2.
  package init(resize: ResizePlan, threads: Int) {
    self.threads = threads
    batchRows = resize.batchRows
    rowBytes = resize.layout.bytesPerRow(width: resize.sourceSize.width)
    if threads == 1 {
      slots = 1
      slotRows = batchRows
    } else {
      slots = Self.ringSlots
      let batchBytes = max(1, saturatingProduct(batchRows, rowBytes))
      slotRows = batchRows * max(1, Self.slotBytes / batchBytes)
    }
  }

  /// Threads that pay for `resize`, at most `most`.
  package static func threads(for resize: ResizePlan, most: Int) -> Int {
    let row = resize.layout.bytesPerRow(width: resize.sourceSize.width)
    let bytes = saturatingProduct(row, resize.sourceSize.height)
    return most > 1 && bytes >= leastBytes ? 2 : 1
  }

  /// Bytes of all slots; saturates.
  var ringBytes: Int { saturatingProduct(slots, slotRows, rowBytes) }

  /// What it allocates, by the same formulas.
  package var parts: [MemoryPlan.Part] {
    let rows = MemoryPlan.Part(
      "source rows", RowBuffer<UInt8>.reservedBytes(count: ringBytes))
    return threads == 1 ? [rows] : [rows, MemoryPlan.Part("decoder thread", Self.stackBytes)]
  }
}
