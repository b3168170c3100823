// The storages of MenuBenchKit that use SQLite: `.sqlite`, `.sqliteGRDB` and others.
@_exported import SQLBackends
