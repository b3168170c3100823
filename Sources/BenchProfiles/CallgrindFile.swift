import BenchResults

/// What Callgrind writes of a phase: each function's own instructions, and each call's.
///
/// Source: the Callgrind format, https://valgrind.org/docs/manual/cl-format.html.
package struct CallgrindFile {
  /// A function, by its index.
  private struct Function {
    var name: String
    var object: String
    var own = 0.0
    /// What is called from here, with all that it calls: by the callee's index.
    var calls: [Int: Double] = [:]
  }

  private struct Key: Hashable {
    var object: String
    var name: String
  }

  private var functions: [Function] = []
  private var places: [Key: Int] = [:]
  private var objects: [Substring: String] = [:]
  private var names: [Substring: String] = [:]

  /// Reads dumps as one; nil where one of them is none of instructions alone, or has a cost that is no number.
  package init?(_ texts: [String]) {
    for text in texts {
      guard read(text) else { return nil }
    }
  }

  private mutating func read(_ text: String) -> Bool {
    (objects, names) = ([:], [:])
    var (object, calledObject): (String, String?) = ("", nil)
    var (current, called): (Int?, Int?) = (nil, nil)
    var (isCall, isJump) = (false, false)
    var isOfInstructions = false
    for line in text.split(separator: "\n") {
      if line == "events: Ir" {
        isOfInstructions = true
      } else if let rest = line.after("ob=") {
        object = Self.learn(rest, &objects)
      } else if let rest = line.after("cob=") {
        calledObject = Self.learn(rest, &objects)
      } else if let rest = line.after("fn=") {
        current = place(Self.learn(rest, &names), object)
      } else if let rest = line.after("cfn=") {
        called = place(Self.learn(rest, &names), calledObject ?? object)
        calledObject = nil
      } else if line.hasPrefix("calls=") {
        isCall = true
      } else if line.hasPrefix("jump=") || line.hasPrefix("jcnd=") {
        isJump = true
      } else if isJump {
        // Where it jumps from: a line of a place without a cost.
        isJump = false
      } else if let first = line.utf8.first, "0123456789+-*".utf8.contains(first), let current {
        guard let cost = line.split(separator: " ").last.flatMap({ Double($0) }),
          (0...1e15).contains(cost)
        else { return false }
        if isCall, let called {
          functions[current].calls[called, default: 0] += cost
        } else {
          functions[current].own += cost
        }
        isCall = false
      }
    }
    return isOfInstructions
  }

  private mutating func place(_ name: String, _ object: String) -> Int {
    let key = Key(object: object, name: name)
    if let known = places[key] { return known }
    places[key] = functions.count
    functions.append(Function(name: name, object: object))
    return functions.count - 1
  }

  /// Names are written once, as `(7) name`, and then meant by `(7)`.
  private static func learn(_ text: Substring, _ names: inout [Substring: String]) -> String {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let id = parts.first else { return "" }
    if parts.count == 2 { names[id] = String(parts[1]) }
    return names[id] ?? ""
  }

  /// The profile of what was counted.
  ///
  /// What each function cost by itself is exact. Callgrind keeps who calls whom, not whole stacks: where
  /// several call one function, its cost below each is shared out by what each call cost.
  ///
  /// - Parameters:
  ///   - executable: the file's name of the measured program.
  ///   - root: what the name of the function has in it under which the phase's work begins.
  package func profile(
    cell: Cell, phase: String, executable: String, root: String? = nil, facts: Profile.Facts
  ) -> Profile {
    let frames = functions.map { function -> Profile.Frame in
      let file = function.object.split(separator: "/").last.map(String.init) ?? "unknown"
      let isNamed = !function.name.hasPrefix("0x")
      let readable = FunctionNames.readable(function.name)
      return AddressMap.frame(
        name: isNamed ? readable.name : "\(file)+\(function.name)", module: readable.module,
        file: file, isProgram: file == executable, isNamed: isNamed)
    }
    var whole = functions.map { $0.own + $0.calls.values.reduce(0, +) }
    for (index, function) in functions.enumerated() {
      // A call of itself is in the cost of the outer one already.
      if let again = function.calls[index] { whole[index] -= again }
    }
    var called = [Double](repeating: 0, count: functions.count)
    for (index, function) in functions.enumerated() {
      for (callee, cost) in function.calls where callee != index { called[callee] += cost }
    }
    let all = functions.reduce(0) { $0 + $1.own }
    var stacks: [Profile.Stack] = []
    for start in functions.indices where whole[start] - called[start] > 0 {
      expand([start], whole[start] - called[start], whole, least: all * 2e-5, into: &stacks)
    }
    scaleToOwn(&stacks)
    if let root {
      for index in stacks.indices {
        let path = stacks[index].frames
        guard let start = path.lastIndex(where: { frames[$0].name.contains(root) }) else {
          continue
        }
        stacks[index].frames.removeFirst(start + 1)
      }
    }
    var facts = facts
    facts.notes.append(
      "Callgrind keeps who calls whom, not whole stacks: what is below a function that several call is "
        + "shared out among them")
    return Profile(
      what: .instructions, cell: cell, phase: phase,
      measures: [Profile.Measure(id: "instructions", unit: .count)], frames: frames,
      stacks: stacks, facts: facts)
  }

  /// Makes what ends in each function come to its own instructions, exactly.
  ///
  /// What is shared out does not, where functions call each other in a circle: each turn of it is in the
  /// cost of the call before. A function that is in no stack, since it costs too little or is only reached
  /// through such a circle, gets one of its own.
  private func scaleToOwn(_ stacks: inout [Profile.Stack]) {
    var ends = [Double](repeating: 0, count: functions.count)
    for stack in stacks { ends[stack.frames[stack.frames.count - 1]] += stack.values[0][0] }
    for index in stacks.indices {
      let last = stacks[index].frames[stacks[index].frames.count - 1]
      stacks[index].values[0][0] *= functions[last].own / ends[last]
    }
    stacks.removeAll { $0.values[0][0] == 0 }
    for index in functions.indices where ends[index] == 0 && functions[index].own > 0 {
      stacks.append(Profile.Stack(frames: [index], values: [[functions[index].own]]))
    }
  }

  private func expand(
    _ path: [Int], _ cost: Double, _ whole: [Double], least: Double,
    into stacks: inout [Profile.Stack]
  ) {
    guard let last = path.last, whole[last] > 0 else { return }
    let share = min(cost / whole[last], 1)
    var left = cost
    if path.count < 200 {
      for (callee, called) in functions[last].calls
      where callee != last && called * share >= least && !path.contains(callee) {
        expand(path + [callee], called * share, whole, least: least, into: &stacks)
        left -= called * share
      }
    }
    // Its own, and what is too little to be drawn or goes round in a circle.
    if left > 0 { stacks.append(Profile.Stack(frames: path, values: [[left]])) }
  }
}
