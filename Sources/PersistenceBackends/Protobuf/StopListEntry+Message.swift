import MenuModel

extension PBStopListEntry {
  init(_ entry: StopListEntry) {
    self.init()
    entity = PBEntity(entry.entity)
    entityID = Int64(entry.entityID)
    if let until = entry.until { self.until = until }
  }
}

extension StopListEntry {
  init(_ message: PBStopListEntry) throws {
    try message.refuseUnknownFields()
    self.init(
      entity: try known(
        Entity(message.entity), "the stop list names an entity of kind \(message.entity.rawValue)"),
      entityID: Int(message.entityID), until: message.hasUntil ? message.until : nil)
  }
}

extension PBTranslation {
  init(_ translation: Translation) {
    self.init()
    locale = translation.locale
    entity = PBEntity(translation.entity)
    entityID = Int64(translation.entityID)
    name = translation.name
    if let details = translation.details { self.details = details }
  }
}

extension Translation {
  init(_ message: PBTranslation) throws {
    try message.refuseUnknownFields()
    self.init(
      locale: message.locale,
      entity: try known(
        Entity(message.entity), "a translation names an entity of kind \(message.entity.rawValue)"),
      entityID: Int(message.entityID), name: message.name,
      details: message.hasDetails ? message.details : nil)
  }
}
