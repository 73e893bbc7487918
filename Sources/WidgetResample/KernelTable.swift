import CWidgetKernels

/// An instruction set that the row kernels are written for. Every tier gives
/// the same bytes for every input.
package enum KernelTier: String, Hashable, Sendable, CaseIterable {
  case scalar
  case sse2
  case avx2
  case neon

  var raw: wk_tier {
    switch self {
    case .scalar: WK_TIER_SCALAR
    case .sse2: WK_TIER_SSE2
    case .avx2: WK_TIER_AVX2
    case .neon: WK_TIER_NEON
    }
  }

  /// The best one that this processor has.
  package static var best: KernelTier {
    let raw = wk_best_tier()
    return allCases.first { $0.raw == raw } ?? .scalar
  }

  /// Whether this processor, and this build, have it.
  package var isSupported: Bool { unsafe wk_kernels_for(raw) != nil }
}

/// The row kernels of one tier, chosen once a plan.
@safe
package struct KernelTable: Sendable {
  package let tier: KernelTier
  let kernels: wk_kernels

  /// Rows that the kernels take at once.
  static let rows = 16
  /// Columns of slack behind a block.
  static let blockSlack = 16
  /// White in 14-bit linear light, and entries of the table to sRGB codes.
  static let white = 16_128
  static let encodeEntries = 16_129

  /// The kernels of `tier`, or nil where it is not supported.
  package init?(_ tier: KernelTier) {
    guard let kernels = unsafe wk_kernels_for(tier.raw) else { return nil }
    self.tier = tier
    unsafe self.kernels = kernels.pointee
  }

  /// The kernels of the best tier; scalar ones are always there.
  package static var best: KernelTable {
    for tier in [KernelTier.best, .scalar] {
      if let table = KernelTable(tier) { return table }
    }
    preconditionFailure("no scalar kernels")
  }
}
