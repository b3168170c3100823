// A team's own bench is one file over one import: what it conforms to and lists comes along.
@_exported import BenchHarness
@_exported import MenuModel
@_exported import PersistenceBackends
