import MenuModel

/// The nutrition of a variant, where it is known.
struct NutritionRow: TableRow, ChildRow {
  var variantID: Int
  var per100g: NutritionFacts
  var whole: NutritionFacts

  var parent: Int { variantID }

  static let table = Table(
    "nutrition",
    columns: [
      .integer("variant_id").references("variant"),
      .real("energy_per_100g"), .real("proteins_per_100g"), .real("fats_per_100g"),
      .real("carbohydrates_per_100g"),
      .real("energy"), .real("proteins"), .real("fats"), .real("carbohydrates"),
    ], key: ["variant_id"])
}

extension NutritionRow {
  func put(into sink: inout some ValueSink) {
    sink.put(variantID)
    per100g.put(into: &sink)
    whole.put(into: &sink)
  }

  init(from row: inout RowReader) throws {
    variantID = row.int()
    per100g = try NutritionFacts(from: &row)
    whole = try NutritionFacts(from: &row)
  }
}

extension NutritionFacts {
  fileprivate func put(into sink: inout some ValueSink) {
    sink.put(energy)
    sink.put(proteins)
    sink.put(fats)
    sink.put(carbohydrates)
  }

  fileprivate init(from row: inout RowReader) throws {
    self.init(
      energy: try row.double(), proteins: try row.double(), fats: try row.double(),
      carbohydrates: try row.double())
  }
}
