/// The kinds of entities that a menu is taken apart into, in the order in which they are kept.
///
/// The numbers stand in stored keys: a change of them is a new format.
enum EntityKind: UInt8, CaseIterable, Sendable {
  /// The menu's own fields and its stop list.
  case head = 1
  /// A shelf.
  case category
  /// An ingredient.
  case ingredient
  /// A modifier group with its options.
  case modifierGroup
  /// A product with its variants.
  case product
  /// A list of options that slots share.
  case optionList
  /// A combo with its slots and their own options.
  case combo
  /// Up to ``MenuEntities/translationsInChunk`` translations that follow each other.
  case translations
}
