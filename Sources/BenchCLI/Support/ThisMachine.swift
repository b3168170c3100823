import BenchAnalysis
import BenchProbes
import BenchResults
import Foundation
import PersistenceBackends

/// The machine and the build that this program runs on.
struct ThisMachine {
  /// What is known of it.
  let machine: Machine

  /// Finds it out; takes some milliseconds, since it measures the clock.
  init() {
    var machine = MachineProbe.describe()
    machine.sqlite = SQLiteLibrary.version
    self.machine = machine
  }

  /// What of a stored run could be compared with one measured here and now, on the file system that
  /// its stores lay on if that folder is there.
  func comparability(with stored: RunRecord) -> Comparability {
    let folder = stored.settings.storage
    let isHere = FileManager.default.fileExists(atPath: folder)
    var settings = stored.settings
    settings.fileSystem = FileSystem(at: isHere ? folder : ".")?.type
    return Comparability(
      candidate: RunRecord(tool: stored.tool, machine: machine, settings: settings),
      baseline: stored)
  }
}
