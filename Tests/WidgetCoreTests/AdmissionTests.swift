import Testing
import WidgetCore

@Suite("Jobs side by side under one ceiling")
struct AdmissionTests {
  @Test("there is room while the sum fits and a place is free")
  func room() {
    var admission = Admission(limit: 100, places: 3)
    #expect(admission.hasRoom(for: 100))
    #expect(!admission.hasRoom(for: 101))
    admission.enter(60)
    #expect(admission.hasRoom(for: 40))
    #expect(!admission.hasRoom(for: 41))
    #expect(!admission.hasRoom(for: .max))
    admission.enter(10)
    admission.enter(10)
    #expect(admission.running == 3)
    #expect(!admission.hasRoom(for: 0))
    admission.leave(60)
    #expect(admission.taken == 20)
    #expect(admission.hasRoom(for: 80))
    #expect(!admission.hasRoom(for: 81))
  }

  @Test("below no ceiling there is no room, not even for nothing")
  func none() {
    #expect(!Admission(limit: -1, places: 1).hasRoom(for: 0))
  }
}

@Suite("Ledgers on one account")
struct SharedLedgerTests {
  @Test("the account has the sum, what was reserved before included")
  func sum() {
    let account = MemoryLedger(limit: 100)
    let one = MemoryLedger(limit: 80)
    let other = MemoryLedger(limit: 80)
    #expect(one.reserve(30))
    #expect(one.share(account))
    #expect(other.share(account))
    #expect(account.reserved == 30)
    #expect(other.reserve(60))
    #expect(account.reserved == 90)
    // It would fit its own ledger.
    #expect(!one.reserve(11))
    #expect(one.refusedTotal == 101)
    #expect(one.reserved == 30)
    #expect(one.reserve(10))
    one.release(40)
    other.release(60)
    #expect(account.reserved == 0)
    #expect(account.peak == 100)
  }

  @Test("what its own ledger refuses does not reach the account")
  func ownLimit() {
    let account = MemoryLedger(limit: 100)
    let ledger = MemoryLedger(limit: 10)
    #expect(ledger.share(account))
    #expect(!ledger.reserve(11))
    #expect(account.peak == 0)
  }

  @Test("a full account takes no more ledgers")
  func full() {
    let account = MemoryLedger(limit: 10)
    #expect(account.reserve(8))
    let ledger = MemoryLedger()
    #expect(ledger.reserve(3))
    #expect(!ledger.share(account))
    #expect(account.reserved == 8)
    ledger.release(1)
    #expect(ledger.share(account))
    #expect(account.reserved == 10)
  }
}
