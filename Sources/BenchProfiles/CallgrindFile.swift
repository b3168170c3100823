import BenchResults

/// The instructions that Callgrind counted in a phase, for each function and each call.
///
/// Source: the Callgrind format, https://valgrind.org/docs/manual/cl-format.html.
package struct CallgrindFile {
  private struct Function {
    var frame: Profile.Frame
    var own = 0.0
    /// The cost of each callee from here, including all calls, by the callee's index.
    var calls: [Int: Double] = [:]

    var whole: Double { own + calls.values.reduce(0, +) }
  }

  private let executable: String
  private var functions: [Function] = []
  /// The indices of functions, by object and name.
  private var places: [[String]: Int] = [:]

  /// Reads dumps as one. Returns nil if one counts anything but instructions or has an invalid cost.
  ///
  /// - Parameter executable: the file name of the measured program.
  package init?(_ texts: [String], executable: String) {
    self.executable = executable
    for text in texts {
      guard read(text) else { return nil }
    }
  }

  private mutating func read(_ text: String) -> Bool {
    var known: [String: String] = [:]
    // Names are written once, as `(7) name`, and then referenced as `(7)`.
    func name(_ text: Substring, of kind: String) -> String {
      let parts = text.split(separator: " ", maxSplits: 1)
      guard let id = parts.first else { return "" }
      if parts.count == 2 { known[kind + id] = String(parts[1]) }
      return known[kind + id] ?? ""
    }
    var (object, calledObject): (String, String?) = ("", nil)
    var (current, called): (Int?, Int?) = (nil, nil)
    var (isOfInstructions, isCall) = (false, false)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      switch (parts.first, parts.last ?? "") {
      case ("events: Ir", _): isOfInstructions = true
      case ("ob", let text): object = name(text, of: "object")
      case ("cob", let text): calledObject = name(text, of: "object")
      case ("fn", let text): current = place(name(text, of: "function"), object)
      case ("cfn", let text):
        called = place(name(text, of: "function"), calledObject ?? object)
        calledObject = nil
      case ("calls", _): isCall = true
      default:
        guard let first = line.utf8.first, "0123456789+-*".utf8.contains(first), let current else {
          continue
        }
        guard let cost = line.split(separator: " ").last.flatMap({ Double($0) }),
          (0...1e15).contains(cost)
        else { return false }
        if !isCall {
          functions[current].own += cost
        } else if let called, called != current {
          // A recursive call is already in the cost of the outer call.
          functions[current].calls[called, default: 0] += cost
        }
        isCall = false
      }
    }
    return isOfInstructions
  }

  private mutating func place(_ name: String, _ object: String) -> Int {
    if let known = places[[object, name]] { return known }
    places[[object, name]] = functions.count
    let file = object.split(separator: "/").last.map(String.init) ?? "unknown"
    let isNamed = !name.hasPrefix("0x")
    let readable = FunctionNames.readable(name)
    let frame = AddressMap.frame(
      name: isNamed ? readable.name : "\(file)+\(name)", module: readable.module, file: file,
      isProgram: file == executable, isNamed: isNamed)
    functions.append(Function(frame: frame))
    return functions.count - 1
  }

  /// Returns the profile of the counted instructions.
  ///
  /// The cost of each function by itself is exact. Callgrind keeps callers and callees, not whole stacks.
  /// If several functions call one, its cost is divided in proportion to the costs of the calls.
  ///
  /// - Parameter raws: what the workers reported about the dumps.
  package func profile(_ raws: [RawProfile], cell: Cell, phase: String) -> Profile {
    var called = [Double](repeating: 0, count: functions.count)
    for (callee, cost) in functions.flatMap(\.calls) { called[callee] += cost }
    let least = functions.reduce(0) { $0 + $1.own } * 2e-5
    var stacks: [Profile.Stack] = []
    for (start, function) in functions.enumerated() where function.whole > called[start] {
      expand([start], function.whole - called[start], least: least, into: &stacks)
    }
    scaleToOwn(&stacks)
    if let root = raws.first?.root {
      for index in stacks.indices {
        let start = stacks[index].frames.lastIndex { functions[$0].frame.name.contains(root) }
        if let start { stacks[index].frames.removeFirst(start + 1) }
      }
    }
    var facts = raws.map(\.facts).reduce(into: Profile.Facts()) { $0.add($1) }
    facts.notes.append(
      "Callgrind keeps who calls whom, not whole stacks. The cost below a function with several "
        + "callers is divided among them")
    return Profile(
      what: .instructions, cell: cell, phase: phase,
      measures: [Profile.Measure(id: "instructions", unit: .count)],
      frames: functions.map(\.frame), stacks: stacks, facts: facts)
  }

  /// Adds the stacks that begin with a path. `cost` is the number of instructions at the path's end.
  private func expand(
    _ path: [Int], _ cost: Double, least: Double, into stacks: inout [Profile.Stack]
  ) {
    let function = functions[path[path.count - 1]]
    let share = min(cost / function.whole, 1)
    if function.own > 0 {
      stacks.append(Profile.Stack(frames: path, values: [[function.own * share]]))
    }
    guard path.count < 200 else { return }
    for (callee, called) in function.calls
    where called > 0 && called * share >= least && !path.contains(callee) {
      expand(path + [callee], called * share, least: least, into: &stacks)
    }
  }

  /// Scales the stacks that end in each function to its own instructions, exactly.
  ///
  /// Dividing costs does not do that if functions call each other in a circle, because each turn is
  /// in the cost of the call before. A function without a stack, because it costs too little or is
  /// only reached through such a circle, gets a stack of its own.
  private func scaleToOwn(_ stacks: inout [Profile.Stack]) {
    var ends = [Double](repeating: 0, count: functions.count)
    for stack in stacks { ends[stack.frames[stack.frames.count - 1]] += stack.values[0][0] }
    for index in stacks.indices {
      let last = stacks[index].frames[stacks[index].frames.count - 1]
      stacks[index].values[0][0] *= functions[last].own / ends[last]
    }
    for index in functions.indices where ends[index] == 0 && functions[index].own > 0 {
      stacks.append(Profile.Stack(frames: [index], values: [[functions[index].own]]))
    }
  }
}
