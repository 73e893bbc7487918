import CTestCodecs

/// Numbers that are the same in every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: Int) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension ct_jpeg_scan {
  init(_ components: [Int], _ first: Int, _ last: Int, _ high: Int, _ low: Int) {
    self.init(
      components: components.reduce(0) { $0 | 1 << UInt8($1) }, first: UInt8(first),
      last: UInt8(last), high: UInt8(high), low: UInt8(low))
  }
}

/// Scan scripts as libjpeg's encoder takes them.
enum ScanScript {
  /// Progressive, at random within the rules: DC together or apart, AC in bands
  /// of any width, up to seven refinements of each, some of them left out at the
  /// end, all in any order that the rules allow.
  static func progressive(components: Int, seed: Int) -> [ct_jpeg_scan] {
    var numbers = SeededNumbers(seed)
    let all = Array(0..<components)
    // Sequences whose own order counts.
    var chains: [[ct_jpeg_scan]] = []
    var script: [ct_jpeg_scan] = []
    let groups = Bool.random(using: &numbers) ? [all] : all.map { [$0] }
    for group in groups {
      let start = Int.random(in: 0...4, using: &numbers)
      script.append(ct_jpeg_scan(group, 0, 0, 0, start))
      chains.append(refinements(group, 0, 0, from: start, &numbers))
    }
    for component in all {
      var first = 1
      while first <= 63 {
        let last = min(63, first + Int.random(in: 0...62, using: &numbers))
        // A band may be missing.
        if Int.random(in: 0..<6, using: &numbers) > 0 {
          let start = Int.random(in: 0...7, using: &numbers)
          chains.append(
            [ct_jpeg_scan([component], first, last, 0, start)]
              + refinements([component], first, last, from: start, &numbers))
        }
        first = last + 1
      }
    }
    chains.removeAll(where: \.isEmpty)
    while let index = chains.indices.randomElement(using: &numbers) {
      script.append(chains[index].removeFirst())
      if chains[index].isEmpty { chains.remove(at: index) }
    }
    return script
  }

  private static func refinements(
    _ components: [Int], _ first: Int, _ last: Int, from start: Int,
    _ numbers: inout SeededNumbers
  ) -> [ct_jpeg_scan] {
    let stop = Bool.random(using: &numbers) ? 0 : Int.random(in: 0...start, using: &numbers)
    return stride(from: start, to: stop, by: -1).map {
      ct_jpeg_scan(components, first, last, $0, $0 - 1)
    }
  }

  /// Sequential, in the groups given.
  static func sequential(_ groups: [[Int]]) -> [ct_jpeg_scan] {
    groups.map { ct_jpeg_scan($0, 0, 63, 0, 0) }
  }
}
