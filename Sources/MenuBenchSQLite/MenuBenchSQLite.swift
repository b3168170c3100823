// The storages on SQLite for MenuBenchKit: `.sqlite`, `.sqliteGRDB` and the others.
@_exported import SQLBackends
