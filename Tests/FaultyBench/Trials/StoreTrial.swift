import Basics
import Foundation
import MenuModel
import PersistenceBackends

/// A trial of a store. During a save of another menu, its writer is killed, its calls fail, or a
/// second writer writes.
///
/// Each trial begins with a copy of a store that has the first of three menus. A fresh process then
/// reads the result, and must save and read once more.
struct StoreTrial {
  /// The menu that a trial left, the old one or one of the new ones, with the error of a failed
  /// save, or a description of what is wrong instead.
  enum Outcome: Hashable {
    case menu(Int, error: String? = nil)
    case broken(String)
  }

  let entry: BackendEntry<Menu>
  let durability: Durability
  /// The one stored first, then those that are saved.
  let menus: [Menu]
  /// How often one trial saves.
  let saves: Int
  private let calls: FaultyCalls
  private let folder: String
  private var template: String { folder + "/template" }
  private var store: StoreContext {
    StoreContext(folder: folder + "/store", durability: durability)
  }

  /// Makes the store that trials begin with.
  ///
  /// - Parameter folder: An existing folder of its own, by an absolute path without links.
  init(
    _ entry: BackendEntry<Menu>, _ durability: Durability, _ menu: Menu, saves: Int,
    in folder: String, _ calls: FaultyCalls
  ) throws {
    self.entry = entry
    self.durability = durability
    menus = [menu, menu.revised(1), menu.revised(2)]
    self.saves = saves
    self.folder = folder
    self.calls = calls
    try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
    let ending = try child {
      let backend = try entry.open(StoreContext(folder: template, durability: durability))
      try backend.save(menus[0])
      try backend.close()
      return ""
    }.wait()
    guard ending == .gave("") else { throw TrialFailure("the first menu: \(ending)") }
  }

  /// The calls of an undisturbed save and close, one on each line, with `opened` and `saved`
  /// between, and their number.
  func log() throws -> (lines: [String], count: Int) {
    try restore()
    let path = folder + "/log"
    let ending = try child {
      let log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      calls.begin(below: store.folder, log: log)
      try save(0)
      return "\(calls.end())"
    }.wait()
    guard case .gave(let text) = ending, let count = Int(text) else {
      throw TrialFailure("an undisturbed save: \(ending)")
    }
    let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    return (lines.split(separator: "\n").map(String.init), count)
  }

  /// Saves while something happens at one call.
  func outcome(of fault: FaultyCalls.Fault, at call: Int) throws -> Outcome {
    try restore()
    let ending = try child {
      calls.begin(below: store.folder, fault, at: call)
      defer { calls.end() }
      try save(0)
      return ""
    }.wait()
    let outcome = try look()
    switch (fault, ending) {
    case (.killBefore, .signalled(SIGKILL)), (.killAfter, .signalled(SIGKILL)): return outcome
    case (.killBefore, _), (.killAfter, _): return .broken("it was not killed: \(ending)")
    case (_, .threw(let error)): return outcome.after(error)
    case (_, .gave):
      let last = Outcome.menu(lastSaved)
      return outcome == .menu(0)
        ? .broken("the save succeeded, and the old menu is there")
        : outcome == last || outcome.isBroken ? outcome : .broken("an earlier save is there")
    default: return .broken("\(ending)")
    }
  }

  /// Saves again and again, and kills the writer a part of a save's duration after some saves.
  func outcome(ofKillingAfter saves: Int, and part: Double) throws -> Outcome {
    try restore()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw StoreError.system("pipe", folder) }
    defer { for end in ends { close(end) } }
    let writer = try child {
      let backend = try entry.open(store)
      return try writeForever(to: backend, signalling: ends[1])
    }
    var byte: UInt8 = 0
    var last = ContinuousClock.now
    var duration = Duration.zero
    for _ in 0..<saves {
      guard read(ends[0], &byte, 1) == 1 else { break }
      let now = ContinuousClock.now
      (last, duration) = (now, now - last)
    }
    usleep(UInt32(duration / .microseconds(1) * part))
    writer.send(SIGKILL)
    let ending = try writer.wait()
    guard ending == .signalled(SIGKILL) else { return .broken("it was not killed: \(ending)") }
    let outcome = try look()
    return durability == .durable && outcome == .menu(0)
      ? .broken("a save that had returned is lost") : outcome
  }

  /// Stops a writer before a call, lets a second one save, and lets the first continue.
  func outcome(ofAnotherWriterAt call: Int) throws -> Outcome {
    try restore()
    let first = try child {
      calls.begin(below: store.folder, .stopBefore, at: call)
      defer { calls.end() }
      try save(0)
      return ""
    }
    var endings = [try first.wait()]
    guard endings == [.stopped] else { return .broken("it was not stopped: \(endings[0])") }
    let second = try child("second") {
      try save(1)
      return ""
    }
    // One that waits for the first does so until that goes on.
    let early = try second.wait(unlessAsleep: 200)
    first.send(SIGCONT)
    endings = [try first.wait(), try early ?? second.wait()]
    let outcome = try look()
    guard endings == [.gave(""), .gave("")] else { return .broken("writers: \(endings)") }
    return outcome == .menu(0) ? .broken("two saves succeeded, and the old menu is there") : outcome
  }

  /// The menu that is there after all saves of a trial.
  private var lastSaved: Int { 1 + (saves - 1) % 2 }

  /// Opens the store, saves the menus one after another, and closes it.
  private func save(_ writer: Int) throws {
    let backend = try entry.open(store)
    calls.note("opened")
    for turn in 0..<saves {
      try backend.save(menus[1 + (turn + writer) % 2])
      calls.note("saved")
    }
    try backend.close()
  }

  private func writeForever(
    to backend: some Backend<Menu>, signalling end: Int32
  ) throws -> String {
    let payloads = try menus.dropFirst().map { menu in
      try backend.prepare(menu)
      return try backend.encode(menu)
    }
    var byte: UInt8 = 0
    while true {
      for payload in payloads {
        try backend.write(payload)
        write(end, &byte, 1)
      }
    }
  }

  /// The content of the store, read by a fresh process: one of the whole menus, a writable store,
  /// and no leftovers of a writer.
  private func look() throws -> Outcome {
    let ending = try child {
      let backend = try entry.open(store)
      let found = try backend.fingerprint()
      guard let index = menus.firstIndex(where: { $0.fingerprint == found }) else {
        throw TrialFailure("the store holds none of the menus, or a part of one")
      }
      try backend.save(menus[0])
      guard try backend.fingerprint() == menus[0].fingerprint else {
        throw TrialFailure("afterwards it holds a different menu than the saved one")
      }
      try backend.close()
      let left = try FileManager.default.contentsOfDirectory(atPath: store.folder)
        .filter { $0.hasSuffix(".new") }
      guard left.isEmpty else { throw TrialFailure("left behind: \(left.joined(separator: ", "))") }
      return "\(index)"
    }.wait()
    guard case .gave(let text) = ending, let index = Int(text) else { return .broken("\(ending)") }
    return .menu(index)
  }

  private func restore() throws {
    let files = FileManager.default
    if files.fileExists(atPath: store.folder) { try files.removeItem(atPath: store.folder) }
    try files.copyItem(atPath: template, toPath: store.folder)
  }

  private func child(
    _ name: String = "answer", _ body: () throws -> String
  ) throws -> Child {
    try Child(answer: folder + "/" + name, body)
  }
}

extension StoreTrial.Outcome {
  /// Whether it is not a menu.
  fileprivate var isBroken: Bool { if case .broken = self { true } else { false } }

  /// It with the error of the save before.
  fileprivate func after(_ error: String) -> Self {
    if case .menu(let index, _) = self { .menu(index, error: error) } else { self }
  }
}

extension Backend where Document == Menu {
  /// The fingerprint of the stored menu.
  fileprivate func fingerprint() throws -> Checksum { try decode(read()).fingerprint }
}

/// An error in a trial, with its description.
struct TrialFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
