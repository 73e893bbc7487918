import Testing
import WidgetCore

@Suite("SHA-256")
struct SHA256Tests {
  struct Vector: CustomTestStringConvertible, Sendable {
    var name: String
    var message: [UInt8]
    var digest: String
    var testDescription: String { name }
  }

  // FIPS 180-4 examples and NIST's CAVP short messages; the lengths round the
  // padding's edges were computed with sha256sum.
  static let vectors = [
    Vector(
      name: "empty", message: [],
      digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    Vector(
      name: "abc", message: Array("abc".utf8),
      digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    Vector(
      name: "two blocks",
      message: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    Vector(
      name: "112 bytes",
      message: Array(
        ("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu").utf8),
      digest: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    Vector(
      name: "one byte bd", message: [0xbd],
      digest: "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"),
    Vector(
      name: "a million a", message: [UInt8](repeating: 0x61, count: 1_000_000),
      digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    Vector(
      name: "55 zeros", message: [UInt8](repeating: 0, count: 55),
      digest: "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
    Vector(
      name: "56 zeros", message: [UInt8](repeating: 0, count: 56),
      digest: "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
    Vector(
      name: "64 zeros", message: [UInt8](repeating: 0, count: 64),
      digest: "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
  ]

  @Test("known messages", arguments: vectors)
  func known(_ vector: Vector) {
    var hash = SHA256()
    hash.update(vector.message)
    #expect(hash.finalizeHexadecimal() == vector.digest)
  }

  @Test("pieces of any length give the same digest", arguments: [1, 3, 63, 64, 65, 127, 1000])
  func pieces(of length: Int) {
    let message = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var whole = SHA256()
    whole.update(message)
    var parts = SHA256()
    var start = 0
    while start < message.count {
      parts.update(Array(message[start..<min(start + length, message.count)]))
      start += length
    }
    #expect(parts.finalize() == whole.finalize())
  }
}
