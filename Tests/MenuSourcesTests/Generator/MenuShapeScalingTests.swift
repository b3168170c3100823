import MenuSources
import Testing

@Suite("A shape can be had in another size, of the same proportions")
struct MenuShapeScalingTests {
  @Test(
    "Products and combos grow, slots of a combo and options of a slot stay",
    arguments: [
      ("medium", 0.25, "products=75,combos=10,slots=4,options=19,seed=300"),
      ("medium", 4, "products=1200,combos=160,slots=4,options=19,seed=300"),
      (
        "small:lists=repeated", 4,
        "products=324,combos=32,slots=4,options=18,seed=81,lists=repeated"
      ),
      (
        "products=8,combos=4,slots=2,options=8,seed=3", 0.5,
        "products=4,combos=2,slots=2,options=4,seed=3"
      ),
    ])
  func scaled(_ shape: String, _ factor: Double, _ expected: String) throws {
    #expect(try MenuShape(parsing: shape).scaled(by: factor)?.description == expected)
  }

  @Test("Beyond huge, and below one product, there is none")
  func none() throws {
    #expect(MenuShape(.huge).scaled(by: 4) == nil)
    #expect(try MenuShape(parsing: "products=1,combos=1,slots=1,options=1").scaled(by: 0.25) == nil)
  }
}
