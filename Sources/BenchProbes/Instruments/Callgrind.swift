import Basics
import BenchResults
import CCallgrind

/// The number of user-space instructions that the calling thread executed, counted by Callgrind.
///
/// Works in a process that was started as
/// `valgrind --tool=callgrind --instr-atstart=no --collect-atstart=no --callgrind-out-file=F`, with
/// `F` in the environment variable ``outputVariable``. Until the first phase such a process runs at the
/// speed of valgrind without a tool. After that it is some fifty times slower than without valgrind.
///
/// Leaves out the runtime's metadata lookups by address hash. Their cost depends on where the code
/// is in memory, so it changes with any change of the executable.
///
/// Source: the client requests of callgrind.h, https://valgrind.org/docs/manual/cl-manual.html.
package final class CallgrindInstructions: Instrument {
  /// The environment variable with the path of Callgrind's output file, as the measuring process
  /// sees it: absolute or relative to its working directory.
  package static let outputVariable = "MENUBENCH_CALLGRIND_OUT"

  /// Whether this program was built with valgrind's header, which is needed to control Callgrind.
  package static var isBuiltIn: Bool { callgrind_is_known() }

  package static var isRunning: Bool { callgrind_is_running() }

  private let output: String
  private var dumps = 0
  private var isInstrumented = false

  /// Creates the instrument and checks once that it counts.
  ///
  /// - Throws: ``Unsupported`` outside Callgrind or if its output cannot be read.
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

  /// Makes Callgrind write its count, which resets the count to 0, and reads it.
  package func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = take().map { Double($0) } ?? .nan
  }

  /// Makes Callgrind write the costs since the last dump to a new file.
  ///
  /// - Returns: the file's path. The caller reads and removes the file.
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

/// Reads a Callgrind dump of instruction counts.
///
/// Source: the Callgrind format, https://valgrind.org/docs/manual/cl-format.html.
struct CallgrindDump {
  /// Functions of the Swift runtime that look up a type's metadata by a hash of addresses. The
  /// number of hash collisions depends on where the program and its libraries are in memory. Any
  /// change of the executable therefore changes their cost, by 0.8 % of a JSON decode.
  private static let placeDependent = ["ConcurrentReadableHashMap", "MetadataCacheKey::operator=="]

  private var names: [Substring: Bool] = [:]
  private var isPlaceDependent = false
  private var isCall = false
  private var isJump = false
  /// The instructions to subtract, or nil if one of the numbers cannot be read.
  private var left: UInt64? = 0
  private var counts: UInt64?

  /// Returns the number of instructions in a dump, without those of place-dependent functions.
  /// Returns nil if the text is not a complete dump of instructions alone.
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
      // The line after a jump gives its source position and has no cost.
      isJump = false
    } else if let total = line.after("totals: ") {
      counts = UInt64(total)
    } else if let first = line.utf8.first, "0123456789+-*".utf8.contains(first) {
      if isPlaceDependent, !isCall { leave(line) }
      isCall = false
    }
  }

  /// Subtracts a function's own cost: the last number of a line that is not the cost of a call.
  private mutating func leave(_ line: Substring) {
    guard let cost = line.split(separator: " ").last.flatMap({ UInt64($0) }),
      let sum = left?.addingReportingOverflow(cost), !sum.overflow
    else {
      left = nil
      return
    }
    left = sum.partialValue
  }

  /// Resolves a name. The dump writes it once in full, as `(7) name`, and then only as `(7)`.
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
