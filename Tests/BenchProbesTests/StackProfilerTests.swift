import BenchProbes
import BenchResults
import Foundation
import Testing

#if os(Linux)
  /// A process has one profiler, so each test runs in a process of its own.
  @Suite("Stacks of a phase")
  struct StackProfilerTests {
    @Test("are taken during its work, up to its own frame, and at no other time")
    func samples() async {
      await #expect(processExitsWith: .success) {
        let profiler = try StackProfiler(.every(nanoseconds: 1_000_000))
        while profiler.samples(of: nil) ?? 20 < 20 {
          profiler.perform("work") { work(rounds: 100_000) }
          work(rounds: 100_000)
        }
        let profile = try #require(profiler.profiles().first)
        #expect(profile.phase == "work" && profile.facts.runs == profiler.runs)
        #expect(profile.facts.taken == profiler.samples(of: "work"))
        #expect(profile.facts.lost == 0 && profile.facts.cut == 0)
        #expect(profile.stacks.allSatisfy { $0.addresses.count < 12 })
        profiler.forget()
        #expect(profiler.samples(of: nil) == 0 && profiler.profiles().isEmpty)
      }
    }

    @Test("belong to one run if the phase has parts")
    func parts() async {
      await #expect(processExitsWith: .success) {
        let profiler = try StackProfiler(.every(nanoseconds: 1_000_000))
        profiler.perform("work") { work(rounds: 1_000) }
        profiler.perform("other") { work(rounds: 1_000) }
        profiler.perform("work") { work(rounds: 1_000) }
        profiler.perform("work", goingOn: true) { work(rounds: 1_000) }
        #expect(profiler.runs == 3)
        #expect(profiler.profiles().map(\.facts.runs) == [2, 1])
      }
    }

    @Test("are cut and counted if they are too deep")
    func deep() async {
      await #expect(processExitsWith: .success) {
        let profiler = try StackProfiler(.every(nanoseconds: 1_000_000))
        while profiler.samples(of: "work") ?? 5 < 5 { profiler.perform("work") { dive(600) } }
        let profile = try #require(profiler.profiles().first)
        #expect(profile.facts.cut > 0)
        #expect(profile.stacks.allSatisfy { $0.addresses.count <= 512 })
      }
    }

    #if arch(x86_64)
      @Test("are taken at each system call, with its bytes and its error")
      func calls() async {
        await #expect(processExitsWith: .success) {
          let path = NSTemporaryDirectory() + "/bench-\(UUID())"
          let profiler = try StackProfiler(.call)
          profiler.perform("work") {
            let file = open(path, O_RDWR | O_CREAT, 0o600)
            _ = write(file, "abc", 3)
            var status = stat()
            _ = fstat(file, &status)
            _ = fsync(file)
            _ = fchmod(file, 0o600)
            _ = link(path, path + ".twin")
            close(file)
            unlink(path + ".twin")
            unlink(path)
            _ = open("/no/such/file", O_RDONLY)
          }
          let profile = try #require(profiler.profiles().first)
          let name = try #require(path.split(separator: "/").last)
          let calls = profile.stacks.compactMap(\.kernel)
          for call in ["openat", "write", "fsync", "fchmod", "link", "close", "unlink"] {
            #expect(calls.contains { $0.hasPrefix(call + " bench-") }, "\(call) \(name): \(calls)")
          }
          // glibc's fstat is the one or the other.
          let statuses = ["fstat bench-", "newfstatat bench-"]
          #expect(calls.contains { call in statuses.contains { call.hasPrefix($0) } }, "\(calls)")
          #expect(calls.contains { $0.hasPrefix("openat") && $0.hasSuffix("(failed: errno 2)") })
          let writing = profile.stacks.first { $0.kernel?.hasPrefix("write ") ?? false }
          #expect(writing.map { Array($0.values.dropFirst()) } == [1, 0, 3, 0, 1])
          #expect(profile.facts.lost == 0)
        }
      }

      @Test("are taken until the work starts a thread, and again in the next run")
      func thread() async {
        await #expect(processExitsWith: .success) {
          let profiler = try StackProfiler(.call)
          profiler.perform("work") {
            _ = open("/no/such/file", O_RDONLY)
            Thread.detachNewThread {}
          }
          profiler.perform("other") { _ = open("/no/such/file", O_RDONLY) }
          let profiles = profiler.profiles()
          let note =
            "calls are missing after the work started a thread or a process, or received a signal"
          #expect(profiles.map(\.facts.notes) == [[note], []])
          for profile in profiles {
            #expect(profile.stacks.contains { $0.kernel?.hasPrefix("openat") ?? false })
          }
        }
      }
    #endif
  }

  /// Work that the optimiser cannot omit.
  @inline(never)
  private func work(rounds: Int) {
    var value: UInt64 = 1
    for round in 0..<rounds { value = (value &* 6_364_136_223_846_793_005) &+ UInt64(round) }
    blackHole(value)
  }

  @inline(never)
  private func dive(_ depth: Int) {
    if depth > 0 { dive(depth - 1) } else { work(rounds: 1_000_000) }
    blackHole(depth)
  }
#endif
