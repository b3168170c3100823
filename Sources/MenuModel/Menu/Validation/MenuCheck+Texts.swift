extension MenuCheck {
  mutating func checkStopList() {
    for (position, entry) in menu.stopList.enumerated() where !isFull {
      expectThing(entry.entity, entry.entityID, "stopList[\(position)]")
    }
  }

  mutating func checkTranslations() {
    var seen: Set<TranslationKey> = []
    for (position, translation) in menu.translations.enumerated() where !isFull {
      let key = TranslationKey(translation)
      expectThing(key.entity, key.id, "translations[\(position)]")
      expect(
        seen.insert(key).inserted, "translations[\(position)]",
        "\(key.entity.words) \(key.id) has a translation to \(key.locale) already")
    }
  }

  private mutating func expectThing(
    _ entity: Entity, _ id: Int, _ path: @autoclosure () -> String
  ) {
    expect(index.contains(entity, id), path(), "\(entity.words) \(id) does not exist")
  }
}

/// What there may be one translation for.
private struct TranslationKey: Hashable {
  let locale: String
  let entity: Entity
  let id: Int

  init(_ translation: Translation) {
    locale = translation.locale
    entity = translation.entity
    id = translation.entityID
  }
}

extension Entity {
  fileprivate var words: String {
    self == .modifierGroup ? "modifier group" : rawValue
  }
}
