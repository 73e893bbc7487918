/// How much of one ceiling is given to jobs that run side by side.
///
/// A job that is refused waits; who asks in the order of the jobs, and lets none
/// pass, starves none. A value without a lock: one thread keeps it.
package struct Admission: Hashable, Sendable {
  /// Bytes for all together.
  package let limit: Int
  /// Jobs at one time, at most.
  package let places: Int
  /// Bytes that running jobs may take.
  package private(set) var taken = 0
  package private(set) var running = 0

  /// - Parameter places: at least 1.
  package init(limit: Int, places: Int) {
    precondition(places > 0, "no place for a job")
    self.limit = limit
    self.places = places
  }

  /// Whether a job that plans `bytes` may start beside those that run.
  package func hasRoom(for bytes: Int) -> Bool {
    running < places && saturatingSum(taken, bytes) <= limit
  }

  /// Counts a job in. The caller has asked `hasRoom`.
  package mutating func enter(_ bytes: Int) {
    precondition(hasRoom(for: bytes), "a job without room")
    taken += bytes
    running += 1
  }

  /// Counts a job out.
  package mutating func leave(_ bytes: Int) {
    taken -= bytes
    running -= 1
    precondition(taken >= 0 && running >= 0, "a job left that never came")
  }
}
