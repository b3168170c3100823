/// The storages on SQLite, for ``MenuBenchKit/MenuBench``: `.sqlite`, `.sqliteGRDB` and the others.
@_exported import SQLBackends
