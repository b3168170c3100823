import BackendKit
import BenchDocuments
import Foundation

/// The fresh process's side: one request, one message on standard output.
///
/// As in ``WorkerProcess``, a backend that prints disturbs nothing. The process ends with whoever
/// started it.
package struct ColdProcess<Document: BenchDocument> {
  private let suite: Suite<Document>
  private let messages: FileHandle

  /// Takes over standard output.
  package init(_ suite: Suite<Document>) {
    self.suite = suite
    messages = .takingStandardOutput()
    Lifeline.watch(messages.fileDescriptor)
  }

  /// Does what is asked and reports; a failure is a message, not an error. Of an order that it dies after
  /// it does not return.
  package func serve(_ request: ColdRequest) {
    do {
      let reply = try suite.reply(to: request, in: "./store")
      let dies = try suite.coldWorkload(request.workload).dies(after: request.order)
      try messages.send(.found(reply))
      if dies { kill(getpid(), SIGKILL) }
    } catch {
      try? messages.send(.failure(reason: failureReason(error)))
    }
  }
}

extension Suite {
  /// Does what a fresh process is asked to, on the store in a folder.
  package func reply(to request: ColdRequest, in folder: String) throws -> ColdReply {
    let workload = try coldWorkload(request.workload)
    let entry = try backend(request.backend)
    let store = try StoreContext(folder: folder, durability: request.durability)
    return try reply(of: workload, request.order, ColdSite(entry: entry, store: store))
  }

  fileprivate func coldWorkload(_ name: String) throws -> any ColdWorkload<Document> {
    guard let workload = try workload(name) as? any ColdWorkload<Document> else {
      throw WorkloadFailure("\(name) has no work for fresh processes")
    }
    return workload
  }

  private func reply<W: ColdWorkload<Document>>(
    of workload: W, _ order: [Int], _ site: ColdSite<Document>
  ) throws -> ColdReply {
    let finding = try workload.work(order, on: site)
    return ColdReply(began: site.began, finding: try JSONEncoder().encode(finding))
  }
}

/// Ends this process when whoever reads its messages is gone, however that one ended: no signal and
/// no time limit of a dead parent reaches its children.
enum Lifeline {
  /// Watches the writing end of a pipe, on a thread of its own that sleeps meanwhile.
  ///
  /// poll(2) reports a pipe without readers whether or not it was asked for.
  static func watch(_ descriptor: Int32) {
    Thread.detachNewThread {
      var pipe = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&pipe, 1, -1) < 1 {}
      _exit(1)
    }
  }
}
