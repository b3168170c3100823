import BenchCLI
import BenchEngine
import MenuModel
import MenuWorkloads
import PersistenceBackends

/// The `bench` program: the built-in suite with all commands.
@main
enum BenchMain: BenchApp {
  static let suite = Suite(
    backends: BackendRegistry.all, codecs: BackendRegistry.codecs, places: BackendRegistry.places,
    workloads: WorkloadRegistry.all, source: MenuSource())
}
