import BenchProbes
import Foundation
import MenuModel
import PersistenceBackends

/// Where a workload works: an open store, what to put into it, what measures, and what is around.
public struct WorkSite<B: Backend, Clock: WallClock> {
  /// The open store.
  public let backend: B
  /// The document whose turn it is; the one that is stored, where the workload begins stored.
  public let fixture: Fixture<B.Document>
  /// How carefully to check.
  public let care: Care
  /// What measures the phases.
  public let recorder: PhaseRecorder<Clock>
  /// What is around the store.
  public let surroundings: Surroundings<B.Document>

  /// Makes a site.
  public init(
    _ backend: B, _ fixture: Fixture<B.Document>, _ care: Care,
    recording recorder: PhaseRecorder<Clock>, in surroundings: Surroundings<B.Document>
  ) {
    self.backend = backend
    self.fixture = fixture
    self.care = care
    self.recorder = recorder
    self.surroundings = surroundings
  }

  /// Does the work of one phase and records what it cost.
  @inlinable
  public func measure<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try recorder.measure(phase, work) }

  /// Goes on with the phase that was measured last, after work that belongs to no phase.
  public func resume<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try recorder.resume(phase, work) }
}

/// What is around a workload's store: the store's place, other backends, other revisions.
public struct Surroundings<Document: BenchDocument> {
  /// Where the store is.
  public let store: StoreContext
  /// The backend that keeps it.
  public let entry: BackendEntry<Document>
  /// Every backend of the suite.
  public let backends: [BackendEntry<Document>]
  /// The two revisions that are stored in turn.
  public let revisions: [Fixture<Document>]
  /// Tells the parent now and then that the worker is alive; for between the parts of long work.
  public let beat: () -> Void

  /// Describes surroundings.
  public init(
    store: StoreContext, entry: BackendEntry<Document>, backends: [BackendEntry<Document>] = [],
    revisions: [Fixture<Document>], beat: @escaping () -> Void = {}
  ) {
    self.store = store
    self.entry = entry
    self.backends = backends
    self.revisions = revisions
    self.beat = beat
  }

  /// Opens the store once more, as another screen or the next start of the app would.
  public func open() throws -> any Backend<Document> { try entry.open(store) }

  /// An empty store beside this one, of the same durability: what an earlier pass left is removed.
  ///
  /// - Throws: the file system's error where the folder cannot be made or emptied.
  public func neighbour(_ name: String) throws -> StoreContext {
    let folder = store.path(name)
    if FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder)
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return StoreContext(folder: folder, durability: store.durability)
  }
}
