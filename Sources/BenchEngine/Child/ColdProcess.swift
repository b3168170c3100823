import BackendKit
import BenchDocuments
import Foundation

/// Serves one request in a fresh process and sends one message to standard output.
///
/// As with ``WorkerProcess``, a backend may print. The process ends when the process that started it ends.
package struct ColdProcess<Document: BenchDocument> {
  private let suite: Suite<Document>
  private let messages: FileHandle

  /// Takes over standard output for messages.
  package init(_ suite: Suite<Document>) {
    self.suite = suite
    messages = .takingStandardOutput()
    ParentWatch.watch(messages.fileDescriptor)
  }

  /// Does the requested work and reports it. A failure is sent as a message. If the workload dies
  /// after this order, the call does not return.
  package func serve(_ request: ColdRequest) {
    do {
      let reply = try suite.reply(to: request, in: "./store")
      let isKilled = try suite.coldWorkload(request.workload).isKilled(after: request.order)
      try messages.send(.found(reply))
      if isKilled { kill(getpid(), SIGKILL) }
    } catch {
      try? messages.send(.failure(reason: failureReason(error)))
    }
  }
}

extension Suite {
  /// Does the work of a request on the store in a folder.
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

/// Ends this process when the reader of its messages is gone. A dead parent can no longer send
/// signals to its children or enforce time limits.
enum ParentWatch {
  /// Watches the writing end of a pipe on a separate thread that sleeps meanwhile.
  ///
  /// poll(2) always reports a pipe without readers, even if it is not asked to.
  static func watch(_ descriptor: Int32) {
    Thread.detachNewThread {
      var pipe = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&pipe, 1, -1) < 1 {}
      _exit(1)
    }
  }
}
