import BenchCLI
import BenchEngine
import MenuWorkloads
import MenuModel
import PersistenceBackends

/// `bench`: the built-in suite, with all of the commands.
@main
enum BenchMain: BenchApp {
  static let suite = Suite(
    backends: BackendRegistry.all, workloads: WorkloadRegistry.all, source: MenuSource())
}
