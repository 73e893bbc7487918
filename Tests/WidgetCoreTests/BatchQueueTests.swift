import Testing
import WidgetCore

/// What one thread writes and another reads after the first has ended.
private final class Shared<Value>: @unchecked Sendable {
  // Under `monitor` only.
  private let monitor = Monitor()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    monitor.withLock { body(&value) }
  }
}

private func thread(_ body: @escaping @Sendable () -> Void) throws -> Thread {
  Thread(try WorkerThread(stackBytes: 256 << 10, body))
}

/// A `WorkerThread` that a test can keep.
private final class Thread {
  private var worker: WorkerThread?
  init(_ worker: consuming WorkerThread) { self.worker = consume worker }
  func join() { worker = nil }
}

@Suite("A queue of batches between two threads")
struct BatchQueueTests {
  @Test("every batch comes once, in order, in the slot where it was put", arguments: 1...4)
  func order(slots: Int) throws {
    let queue = BatchQueue(slots: slots)
    let ring = Shared(Array(repeating: -1, count: slots))
    let producer = try thread {
      for number in 0..<1000 {
        guard let slot = queue.freeSlot() else { return }
        ring.change { $0[slot] = number }
        queue.publish(count: number % 7)
      }
      queue.end()
    }
    var got = [Int]()
    while let batch = try queue.next() {
      let number = ring.change { $0[batch.slot] }
      #expect(batch.count == number % 7)
      got.append(number)
      queue.release()
    }
    producer.join()
    #expect(got == Array(0..<1000))
    #expect(try queue.next() == nil)
  }

  @Test("a side never is more than the slots ahead", arguments: 1...3)
  func bounded(slots: Int) throws {
    let queue = BatchQueue(slots: slots)
    let published = Shared(0)
    let producer = try thread {
      while queue.freeSlot() != nil {
        published.change { $0 += 1 }
        queue.publish(count: 1)
      }
    }
    for taken in 0..<200 {
      #expect(try queue.next() != nil)
      #expect(published.change { $0 } <= taken + slots)
      queue.release()
    }
    queue.cancel()
    producer.join()
    #expect(published.change { $0 } <= 200 + slots)
  }

  @Test("an error comes after everything before it", arguments: 1...3)
  func errorLast(slots: Int) throws {
    let queue = BatchQueue(slots: slots)
    let producer = try thread {
      for _ in 0..<10 {
        guard queue.freeSlot() != nil else { return }
        queue.publish(count: 1)
      }
      queue.end(EngineError(.damaged, "row 10"))
    }
    var taken = 0
    #expect(throws: EngineError(.damaged, "row 10")) {
      while try queue.next() != nil {
        taken += 1
        queue.release()
      }
    }
    producer.join()
    #expect(taken == 10)
  }

  @Test("cancelling ends a side that waits for a slot, and one that comes later")
  func cancelled() throws {
    let queue = BatchQueue(slots: 2)
    let producer = try thread {
      while queue.freeSlot() != nil { queue.publish(count: 1) }
    }
    #expect(try queue.next() != nil)
    queue.cancel()
    producer.join()
    #expect(queue.freeSlot() == nil)
  }

  @Test("an end without batches wakes a side that waits")
  func empty() throws {
    let queue = BatchQueue(slots: 3)
    let producer = try thread { queue.end() }
    #expect(try queue.next() == nil)
    producer.join()
  }
}

@Suite("A worker thread")
struct WorkerThreadTests {
  /// Tells when it is gone.
  private final class Token: Sendable {
    let ended: Shared<Bool>
    init(_ ended: Shared<Bool>) { self.ended = ended }
    deinit { ended.change { $0 = true } }
  }

  @Test("what it did can be seen after its end, and it keeps nothing alive")
  func joined() throws {
    let sum = Shared(0)
    let ended = Shared(false)
    do {
      let token = Token(ended)
      let worker = try WorkerThread(stackBytes: 128 << 10) {
        for number in 1...1000 { sum.change { $0 += number } }
        _ = token
      }
      worker.join()
    }
    #expect(sum.change { $0 } == 500_500)
    #expect(ended.change { $0 })
  }

  @Test("a stack that no system gives is an error, and the body goes")
  func refused() {
    let ended = Shared(false)
    var code: EngineError.Code?
    do throws(EngineError) {
      let token = Token(ended)
      let worker = try WorkerThread(stackBytes: 1) { _ = token }
      worker.join()
    } catch {
      code = error.code
    }
    #expect(code == .internalFault)
    #expect(ended.change { $0 })
  }
}
