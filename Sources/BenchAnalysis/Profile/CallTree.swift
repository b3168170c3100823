import BenchResults

/// A profile as a tree: whom a function calls, and what each costs there.
package struct CallTree: Sendable {
  /// A function, called in one way.
  package struct Node: Sendable {
    /// The function's index among the profile's frames; nil of the phase itself.
    package var frame: Int?
    /// With all that it calls here.
    package var total = 0.0
    package var own = 0.0
    /// Whom it calls: indices of nodes, by the frames' names.
    package var children: [Int] = []
    /// The node that calls it; nil of the phase itself.
    package var parent: Int?
  }

  /// The nodes, the phase itself first, each behind the one that calls it.
  package private(set) var nodes = [Node()]

  package init(_ profile: Profile, measure index: Int = 0) {
    // By the numbers of a node and of a frame that it calls.
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
