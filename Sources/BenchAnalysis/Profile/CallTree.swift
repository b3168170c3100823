import BenchResults

/// A profile as a tree of calls with their costs. A flame graph is drawn from it.
package struct CallTree: Sendable {
  /// A function on one path of calls.
  package struct Node: Sendable {
    /// The function's index among the profile's frames, or nil for the phase itself.
    package var frame: Int?
    /// The cost including all calls from here.
    package var total = 0.0
    package var own = 0.0
    /// The indices of the nodes that it calls, sorted by the names of their functions.
    package var children: [Int] = []
    /// The index of the node that calls it, or nil for the phase itself.
    package var parent: Int?
  }

  /// The nodes. The phase itself is first, and each node comes after its caller.
  package private(set) var nodes = [Node()]

  package init(_ profile: Profile, measure index: Int = 0) {
    // The indices of child nodes, by the node and the frame that it calls.
    var children: [SIMD2<Int>: Int] = [:]
    for stack in profile.stacks {
      let value = stack.total[index]
      guard value > 0 else { continue }
      var node = 0
      nodes[node].total += value
      for frame in stack.frames {
        let edge = SIMD2(node, frame)
        if let known = children[edge] {
          node = known
        } else {
          nodes.append(Node(frame: frame, parent: node))
          nodes[node].children.append(nodes.count - 1)
          node = nodes.count - 1
          children[edge] = node
        }
        nodes[node].total += value
      }
      nodes[node].own += value
    }
    let names = nodes.map { node in node.frame.map { profile.frames[$0].name } ?? "" }
    for node in nodes.indices { nodes[node].children.sort { names[$0] < names[$1] } }
  }
}
