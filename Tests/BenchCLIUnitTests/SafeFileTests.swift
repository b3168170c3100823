import Foundation
import Testing

@testable import BenchCLI

@Suite("Files that are replaced together")
struct SafeFileTests {
  @Test("are named if they were replaced before one failed")
  func replaced() throws {
    try inFolder { folder in
      let (file, place) = (folder + "/a.txt", folder + "/b.txt")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      let error = refusal {
        try SafeFile.replace([(path: file, data: Data("new".utf8)), (path: place, data: Data())])
      }
      let words =
        "/b.txt cannot be written: Is a directory. The old file is unchanged. Already"
        + " replaced: \(file)"
      #expect(error?.message.hasSuffix(words) == true, "\(error?.message ?? "nothing")")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "new")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.txt", "b.txt"])
    }
  }

  @Test("are refused with a remedy, such as the option for another place")
  func help() throws {
    try inFolder { folder in
      let path = folder + "/none/a.txt"
      let usual = refusal { try SafeFile.replace(path, with: Data()) }
      #expect(usual?.message == "\(path) cannot be written: No such file or directory")
      #expect(usual?.help == "choose another place with --out")
      let export = refusal { try SafeFile.replace(path, with: Data(), help: "see that") }
      #expect(export?.message == usual?.message)
      #expect(export?.help == "see that")
    }
  }

  @Test("remove only the leftovers of killed writers", arguments: [true, false])
  func leftovers(isFlushed: Bool) throws {
    try inFolder { folder in
      let (dead, locked) = ("a.txt.aaaaaaaaaaaaaaaa.new", "a.txt.bbbbbbbbbbbbbbbb.new")
      let others = ["a.txt.aaaa.new", "a.txt.x.aside", "b.txt.aaaaaaaaaaaaaaaa.new"]
      for name in [dead, locked] + others {
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      let writer = open(folder + "/" + locked, O_RDONLY | O_CLOEXEC)
      defer { close(writer) }
      #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
      try SafeFile.replace(folder + "/a.txt", with: Data("new".utf8), isFlushed: isFlushed)
      #expect(
        try Set(FileManager.default.contentsOfDirectory(atPath: folder))
          == Set(["a.txt", locked] + others))
    }
  }
}
