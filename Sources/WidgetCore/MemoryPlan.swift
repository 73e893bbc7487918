/// What a job will reserve, by name, before anything is decoded.
///
/// A job runs through phases, one after the other (reading while resampling,
/// then encoding what was held). Within a phase all parts exist together; the
/// plan's peak is that of its largest phase.
package struct MemoryPlan: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var name: String
    package var bytes: Int

    package init(_ name: String, _ bytes: Int) {
      self.name = name
      self.bytes = bytes
    }
  }

  package struct Phase: Hashable, Sendable {
    package var name: String
    package var parts: [Part]

    package init(_ name: String, _ parts: [Part]) {
      self.name = name
      self.parts = parts
    }

    /// Bytes of all parts; saturates.
    package var bytes: Int { parts.reduce(0) { saturatingSum($0, $1.bytes) } }
  }

  package var phases: [Phase]

  package init(_ phases: [Phase] = []) {
    self.phases = phases
  }

  /// The largest phase, in bytes.
  package var peak: Int { phases.map(\.bytes).max() ?? 0 }

  /// The part that weighs most in the largest phase, to name in a refusal.
  package var heaviestPart: Part? {
    phases.max { $0.bytes < $1.bytes }?.parts.max { $0.bytes < $1.bytes }
  }
}
