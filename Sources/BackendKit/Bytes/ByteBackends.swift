import BenchDocuments

// Named pairs of a codec and a place, and the entries of their parts. Entries that need another
// library are in that library's target. `BackendRegistry` lists the entries, and a `Suite` carries
// its codecs and places.

extension BackendEntry {
  /// `json`: the output of `JSONEncoder` in one file.
  public static var json: Self { Self(.json, in: .file, id: "json") }

  /// `plist`: the output of `PropertyListEncoder`, in its binary format, in one file.
  public static var plist: Self { Self(.plist, in: .file, id: "plist") }

  /// `cached-json`: the value in memory, and its JSON in one file.
  public static var cachedJSON: Self { Self(.json, in: .held, id: "cached-json") }

  /// `raw-response`: the network's JSON in one file.
  public static var rawResponse: Self { Self(.json, in: .response, id: "raw-response") }

  /// `userdefaults`: the output of `JSONEncoder` as a value in the preferences store.
  public static var userDefaults: Self {
    let entry = Self(.json, in: .userDefaults, id: "userdefaults")
    #if os(Linux)
      return entry.noted("Linux's preferences (XML, Base64), not those of Apple's systems")
    #else
      return entry
    #endif
  }
}

extension CodecEntry {
  /// `json`: Foundation's JSON.
  public static var json: Self {
    Self(
      id: "json", summary: "JSON by Foundation", library: .foundation,
      fileExtension: "json",
      advice: [
        Advice(
          "one coder for many values, left at its defaults unless a format asks for more",
          source: "https://developer.apple.com/documentation/foundation/jsonencoder")
      ], codec: JSONCodec())
  }

  /// `plist`: Foundation's binary property list.
  public static var plist: Self {
    Self(
      id: "plist", summary: "binary property list by Foundation's PropertyListEncoder",
      caveat:
        "a property list keeps only one of two values that Foundation treats as equal, such as the "
        + "NFC and NFD forms of one text, or 0 and -0",
      library: .foundation, fileExtension: "plist",
      advice: [
        Advice(
          "binary rather than XML, and property lists for less than a few hundred kilobytes",
          source: "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/"
            + "PropertyLists/Introduction/Introduction.html",
          here: "binary, but a menu of `large` is a megabyte, as in some apps")
      ], codec: PropertyListCodec())
  }
}

extension PlaceEntry {
  /// `file`: one file, replaced as a whole.
  public static var file: Self {
    Self(
      id: "file", summary: "in one file", library: .foundation, promises: .durable,
      advice: [
        Advice(
          "write a temporary file and rename it, so that no reader finds half a file",
          source:
            "https://developer.apple.com/documentation/foundation/nsdata/writingoptions/atomic",
          here:
            "followed at atomic and durable by the system's calls, with a flush as in Foundation "
            + "on Linux, but not at none")
      ]
    ) { FilePlace($0, name: $1) }
  }

  /// `memory`: the process's memory, which shows the cost of a codec alone.
  public static var memory: Self {
    Self(
      id: "memory", summary: "in the process's memory",
      caveat:
        "Bytes stay in memory as they are, without a copy, and nothing survives the process",
      library: Library.none, survivesRestart: false,
      belowFloor: [
        "write": "the bytes are kept where they are: no file is written",
        "read": "the bytes are handed out where they are: no file is read",
      ],
      advice: [
        Advice(
          "Data shares its bytes until they change",
          source: "https://developer.apple.com/documentation/foundation/data")
      ]
    ) { _, _ in MemoryPlace() }
  }

  /// `userdefaults`: a value in the preferences store.
  public static var userDefaults: Self {
    Self(
      id: "userdefaults",
      summary: "as Data under one key of UserDefaults, known to be the wrong place",
      caveat: UserDefaultsPlace.caveat, library: .foundation, flushedFrom: .none,
      advice: [
        Advice(
          "preferences, not documents: tvOS warns from 512 kB on and ends the app at 1 MB",
          source: "https://developer.apple.com/documentation/foundation/userdefaults/"
            + "sizelimitexceedednotification",
          here: "not followed, to show the cost"),
        Advice(
          "no call of synchronize, which is no longer needed",
          source: "https://developer.apple.com/documentation/foundation/userdefaults/synchronize()",
          here: "not followed on Linux, where nothing else writes the file"),
      ]
    ) { store, _ in try UserDefaultsPlace(store, name: "preferences") }
  }
}
