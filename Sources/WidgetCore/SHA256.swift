/// SHA-256 (FIPS 180-4), fed piece by piece.
package struct SHA256 {
  // The eight words of the state.
  private var h0: UInt32 = 0x6a09_e667
  private var h1: UInt32 = 0xbb67_ae85
  private var h2: UInt32 = 0x3c6e_f372
  private var h3: UInt32 = 0xa54f_f53a
  private var h4: UInt32 = 0x510e_527f
  private var h5: UInt32 = 0x9b05_688c
  private var h6: UInt32 = 0x1f83_d9ab
  private var h7: UInt32 = 0x5be0_cd19
  /// What did not fill a block yet: its first `pendingCount` bytes.
  private var pending: [UInt8]
  private var pendingCount = 0
  private var length: UInt64 = 0

  package init() {
    pending = [UInt8](repeating: 0, count: Self.blockBytes)
  }

  private static let blockBytes = 64

  /// Adds `bytes` to the message. Does not allocate.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var rest = unsafe bytes
    if pendingCount > 0 {
      let taken = min(Self.blockBytes - pendingCount, rest.count)
      for index in 0..<taken {
        pending[pendingCount + index] = unsafe rest[index]
      }
      pendingCount += taken
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      guard pendingCount == Self.blockBytes else { return }
      compressPending()
    }
    let whole = rest.count / Self.blockBytes
    if whole > 0, let base = rest.baseAddress {
      unsafe compress(base, blocks: whole)
    }
    for index in whole * Self.blockBytes..<rest.count {
      pending[pendingCount] = unsafe rest[index]
      pendingCount += 1
    }
  }

  /// Adds `bytes` to the message.
  package mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// The 32 bytes of the digest; ends the message.
  package consuming func finalize() -> [UInt8] {
    let bits = length &* 8
    pending[pendingCount] = 0x80
    for index in pendingCount + 1..<Self.blockBytes {
      pending[index] = 0
    }
    if pendingCount >= Self.blockBytes - 8 {
      compressPending()
      for index in 0..<Self.blockBytes {
        pending[index] = 0
      }
    }
    for index in 0..<8 {
      pending[56 + index] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * index))
    }
    compressPending()
    return [h0, h1, h2, h3, h4, h5, h6, h7].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }

  /// The digest in lower-case hexadecimal; ends the message.
  package consuming func finalizeHexadecimal() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func compressPending() {
    let block = pending
    unsafe block.withUnsafeBytes {
      if let base = $0.baseAddress { unsafe compress(base, blocks: 1) }
    }
    pendingCount = 0
  }

  private mutating func compress(_ base: UnsafeRawPointer, blocks: Int) {
    unsafe roundConstants.withUnsafeBufferPointer { constants in
      guard let constants = constants.baseAddress else { return }
      unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        guard let schedule = schedule.baseAddress else { return }
        for block in 0..<blocks {
          unsafe Self.expand(base + block * Self.blockBytes, constants, into: schedule)
          unsafe mix(schedule)
        }
      }
    }
  }

  /// The 64 words of a block's schedule, each with its round's constant added.
  @inline(__always)
  private static func expand(
    _ block: UnsafeRawPointer, _ constants: UnsafePointer<UInt32>,
    into schedule: UnsafeMutablePointer<UInt32>
  ) {
    for index in 0..<16 {
      let word = unsafe block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
      unsafe schedule[index] = UInt32(bigEndian: word)
    }
    for index in 16..<64 {
      let w15 = unsafe schedule[index &- 15]
      let w2 = unsafe schedule[index &- 2]
      let s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 &>> 3)
      let s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 &>> 10)
      unsafe schedule[index] = schedule[index &- 16] &+ s0 &+ schedule[index &- 7] &+ s1
    }
    for index in 0..<64 {
      unsafe schedule[index] &+= constants[index]
    }
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    (word &>> bits) | (word &<< (32 &- bits))
  }

  /// One round; the caller turns the names round instead of moving the words.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
    _ g: UInt32, _ h: inout UInt32, _ word: UInt32
  ) {
    let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let choice = g ^ (e & (f ^ g))
    let first = h &+ s1 &+ choice &+ word
    let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    let majority = (a & b) | (c & (a | b))
    d = d &+ first
    h = first &+ s0 &+ majority
  }

  @inline(__always)
  private mutating func mix(_ words: UnsafePointer<UInt32>) {
    var (a, b, c, d, e, f, g, h) = (h0, h1, h2, h3, h4, h5, h6, h7)
    var index = 0
    while index < 64 {
      unsafe Self.round(a, b, c, &d, e, f, g, &h, words[index])
      unsafe Self.round(h, a, b, &c, d, e, f, &g, words[index &+ 1])
      unsafe Self.round(g, h, a, &b, c, d, e, &f, words[index &+ 2])
      unsafe Self.round(f, g, h, &a, b, c, d, &e, words[index &+ 3])
      unsafe Self.round(e, f, g, &h, a, b, c, &d, words[index &+ 4])
      unsafe Self.round(d, e, f, &g, h, a, b, &c, words[index &+ 5])
      unsafe Self.round(c, d, e, &f, g, h, a, &b, words[index &+ 6])
      unsafe Self.round(b, c, d, &e, f, g, h, &a, words[index &+ 7])
      index &+= 8
    }
    h0 &+= a
    h1 &+= b
    h2 &+= c
    h3 &+= d
    h4 &+= e
    h5 &+= f
    h6 &+= g
    h7 &+= h
  }
}

private let roundConstants: [UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
  0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
  0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
  0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
  0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
  0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
  0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
  0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
  0xc671_78f2,
]
