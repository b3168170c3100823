import BenchEngine
import MenuModel

/// The workloads that come with the package.
public enum WorkloadRegistry {
  /// Every workload for menus, in the order in which reports show them.
  public static let all: [any Workload<Menu>] = [
    RoundTripWorkload(),
    FirstMenuWorkload(),
    LaunchFlowWorkload(),
    ProductWorkload(),
    ComboWorkload(),
    PatchWorkload(),
    ReplaceWorkload(),
    SearchWorkload(),
    ContentionWorkload(),
    UpgradeWorkload(),
    OfflineWorkload(),
    DualWriteWorkload(),
    DispatchWorkload(),
  ]
}
