import Foundation
import Testing

@testable import BenchCLI

@Suite("Files that are replaced together")
struct SafeFileTests {
  @Test("are named where they were replaced before one could not be")
  func replaced() throws {
    try inFolder { folder in
      let (file, place) = (folder + "/a.txt", folder + "/b.txt")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      let error = refusal {
        try SafeFile.replace([(path: file, data: Data("new".utf8)), (path: place, data: Data())])
      }
      let words =
        "/b.txt cannot be written: Is a directory; what was there before is unharmed; replaced by"
        + " then: \(file)"
      #expect(error?.message.hasSuffix(words) == true, "\(error?.message ?? "nothing")")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "new")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.txt", "b.txt"])
    }
  }

  @Test("have the option named by which another place is chosen")
  func option() throws {
    try inFolder { folder in
      let path = folder + "/none/a.txt"
      let usual = refusal { try SafeFile.replace(path, with: Data()) }
      #expect(usual?.message == "\(path) cannot be written: No such file or directory")
      #expect(usual?.help == "choose another place with --out")
      let export = refusal { try SafeFile.replace(path, with: Data(), option: "--export") }
      #expect(export?.message == usual?.message)
      #expect(export?.help == "choose another place with --export")
    }
  }

  @Test(
    "take along what writers that were killed left beside them an hour ago, and no more",
    arguments: [true, false])
  func leftovers(isFlushed: Bool) throws {
    try inFolder { folder in
      // No system has processes of such numbers.
      let (dead, young) = ("a.txt.99999999.aside", "a.txt.99999998.aside")
      let others = ["a.txt.\(getppid()).aside", "a.txt.x.aside", "b.txt.99999999.aside"]
      for name in [dead, young] + others {
        let path = folder + "/" + name
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        guard name != young else { continue }
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: path)
      }
      try SafeFile.replace(folder + "/a.txt", with: Data("new".utf8), isFlushed: isFlushed)
      #expect(
        try Set(FileManager.default.contentsOfDirectory(atPath: folder))
          == Set(["a.txt", young] + others))
    }
  }
}
