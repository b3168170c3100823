import Basics
import BenchResults
import CCallgrind

/// Instructions that the calling thread executed in user space, counted one by one by Callgrind.
///
/// Works in a process that was started as
/// `valgrind --tool=callgrind --instr-atstart=no --collect-atstart=no --callgrind-out-file=F`, which
/// finds `F` in the environment under ``outputVariable``. Until the first phase begins such a process
/// runs at valgrind's light speed, from then on some fifty times slower than without it.
///
/// What the Swift runtime spends on finding metadata by the hash of its address is left out: it moves
/// with the place of the code in memory, so with any change of the executable.
///
/// Source: the client requests of callgrind.h, https://valgrind.org/docs/manual/cl-manual.html.
package final class CallgrindInstructions: Instrument {
  /// The environment variable that names Callgrind's output file as the measuring process sees it:
  /// absolute, or from its working directory.
  package static let outputVariable = "MENUBENCH_CALLGRIND_OUT"

  /// Whether this program was built with valgrind's header, without which Callgrind cannot be asked.
  package static var isBuiltIn: Bool { callgrind_is_known() }

  package static var isRunning: Bool { callgrind_is_running() }

  private let output: String
  private var dumps = 0
  private var isInstrumented = false

  /// Makes the instrument, and sees once that it counts.
  ///
  /// - Throws: ``Unsupported`` outside of Callgrind, and where what it writes cannot be read.
  package init() throws(Unsupported) {
    guard Self.isBuiltIn else { throw Unsupported("built without valgrind's header") }
    guard Self.isRunning, let path = getenv(Self.outputVariable) else {
      throw Unsupported("not run under Callgrind")
    }
    output = String(cString: path)
    begin()
    end()
    guard take() != nil else { throw Unsupported("Callgrind wrote no count to \(output)") }
  }

  package var metrics: [Metric] { Probe.instructions.metrics }

  package func begin() {
    if !isInstrumented {
      isInstrumented = true
      callgrind_start_instrumentation()
    }
    callgrind_toggle_collection()
  }

  package func end() { callgrind_toggle_collection() }

  /// Has Callgrind write what it collected, which sets it to 0, and reads that.
  package func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = take().map { Double($0) } ?? .nan
  }

  /// Has Callgrind write what it collected since it did so last into a file of its own.
  ///
  /// - Returns: the file's path, for who reads and removes it.
  package func dump() -> String {
    callgrind_dump("phase")
    dumps += 1
    return "\(output).\(dumps)"
  }

  private func take() -> UInt64? {
    let path = dump()
    defer { unlink(path) }
    return TextFile.read(path).flatMap(CallgrindDump.instructions)
  }
}

/// What Callgrind writes about the instructions that it collected.
///
/// Source: the Callgrind format, https://valgrind.org/docs/manual/cl-format.html.
struct CallgrindDump {
  /// Functions of the Swift runtime that find a type's metadata by the hash of addresses. How often
  /// their probes collide depends on where the program and its libraries lie in memory, so any change
  /// of an executable, however far from what is measured, moves them: by 0.8 % of a JSON decode.
  private static let placeDependent = ["ConcurrentReadableHashMap", "MetadataCacheKey::operator=="]

  private var names: [Substring: Bool] = [:]
  private var isPlaceDependent = false
  private var isCall = false
  private var isJump = false
  /// Nil where one of them cannot be read: that is no count, and not one of 0.
  private var left: UInt64? = 0
  private var counts: UInt64?

  /// The number of instructions in a dump, less those of functions whose number depends on where the
  /// program lies in memory; nil where the text is no whole dump of instructions alone.
  static func instructions(in text: String) -> UInt64? {
    var dump = CallgrindDump()
    var isOfInstructions = false
    for line in text.split(separator: "\n") {
      if line == "events: Ir" { isOfInstructions = true }
      dump.read(line)
    }
    guard isOfInstructions, let total = dump.counts, let left = dump.left, total >= left
    else { return nil }
    return total - left
  }

  private mutating func read(_ line: Substring) {
    if let name = line.after("fn=") {
      isPlaceDependent = learn(name)
    } else if let name = line.after("cfn=") {
      _ = learn(name)
    } else if line.hasPrefix("calls=") {
      isCall = true
    } else if line.hasPrefix("jump=") || line.hasPrefix("jcnd=") {
      isJump = true
    } else if isJump {
      // Where it jumps from: a line of a place without a cost.
      isJump = false
    } else if let total = line.after("totals: ") {
      counts = UInt64(total)
    } else if let first = line.utf8.first, "0123456789+-*".utf8.contains(first) {
      if isPlaceDependent, !isCall { leave(line) }
      isCall = false
    }
  }

  /// A function's own cost: the last number of a line that is not the cost of a call.
  private mutating func leave(_ line: Substring) {
    guard let cost = line.split(separator: " ").last.flatMap({ UInt64($0) }),
      let sum = left?.addingReportingOverflow(cost), !sum.overflow
    else {
      left = nil
      return
    }
    left = sum.partialValue
  }

  /// Names are written once, as `(7) name`, and then meant by `(7)`.
  private mutating func learn(_ name: Substring) -> Bool {
    let parts = name.split(separator: " ", maxSplits: 1)
    guard let id = parts.first else { return false }
    if parts.count == 2 { names[id] = Self.placeDependent.contains { parts[1].contains($0) } }
    return names[id] ?? false
  }
}

extension Substring {
  fileprivate func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
