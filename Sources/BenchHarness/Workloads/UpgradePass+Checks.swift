import MenuModel
import PersistenceBackends

extension UpgradePass {
  /// Sees that a store was opened as its schema asks for, and closes it.
  ///
  /// - Parameter again: opens it once more: it is then of that schema, and nothing may change.
  func check(
    _ step: Step, _ opened: any Backend<Menu>, _ menu: Menu, _ expected: Fixture<Menu>,
    again: () throws -> any Backend<Menu>
  ) throws {
    try check(step.schema, of: opened)
    try opened.close()
    let phase = phases[step.rawValue].id
    let subject = "what a program of schema \(step.schema) reads (phase \(phase))"
    try expected.check(menu, site.care, subject)
    guard site.care == .thorough else { return }
    let reopened = try again()
    try expected.check(try reopened.whole(), site.care, subject + ", opened again,")
    try reopened.close()
  }

  private func check(_ schema: Int, of backend: any Backend<Menu>) throws {
    guard let changing = backend as? any SchemaChanging<Menu> else { return }
    let found = try changing.schema
    guard found != schema else { return }
    throw WorkloadFailure("a program of schema \(schema) leaves a store of schema \(found)")
  }

  /// What a program of schema 2 says to a store of schema 3.
  func refusal<S: SchemaChanging>(by open: () throws -> S) throws -> StorageError {
    do { _ = try open() } catch let error as StorageError { return error }
    throw WorkloadFailure("a program of schema 2 opened a store of schema 3 as if it were its own")
  }

  /// A refusal must say which schema it met and which it knows.
  func check(_ refusal: StorageError?) throws {
    guard let refusal else { return }
    let numbers = refusal.reason.split { !$0.isNumber }.compactMap { Int($0) }
    guard !numbers.contains(3) || !numbers.contains(2) else { return }
    throw WorkloadFailure(
      "a program of schema 2 met a store of schema 3 and said: \(refusal); it must name both")
  }
}
