/// The nutrition of a variant.
struct NutritionObject: StoredObject {
  typealias Owner = VariantObject

  var per100g: Key<NutritionFactsObject>
  var whole: Key<NutritionFactsObject>

  static let entity = "nutrition"
  static let columns: [Column] = [.integer("per_100g"), .integer("whole")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.nutrition }
}

extension NutritionObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) {
    visitor.owned(&per100g)
    visitor.owned(&whole)
  }

  func put(into sink: inout some ValueSink) {
    sink.put(per100g)
    sink.put(whole)
  }

  init(from row: inout RowReader) throws {
    per100g = Key(row.int())
    whole = Key(row.int())
  }
}

/// Energy and the rest.
struct NutritionFactsObject: StoredObject {
  typealias Owner = NutritionObject

  var energy: Double
  var proteins: Double
  var fats: Double
  var carbohydrates: Double

  static let entity = "nutrition_facts"
  static let columns: [Column] = [
    .real("energy"), .real("proteins"), .real("fats"), .real("carbohydrates"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.nutritionFacts }
}

extension NutritionFactsObject {
  func put(into sink: inout some ValueSink) {
    sink.put(energy)
    sink.put(proteins)
    sink.put(fats)
    sink.put(carbohydrates)
  }

  init(from row: inout RowReader) throws {
    energy = try row.double()
    proteins = try row.double()
    fats = try row.double()
    carbohydrates = try row.double()
  }
}
