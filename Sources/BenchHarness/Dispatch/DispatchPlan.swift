import MenuModel

/// What happens frame by frame, worked out before: nobody waits for a clock.
public struct DispatchPlan: Sendable {
  /// The frames in which there is something to do.
  var frames: [Frame]

  /// What one frame has to do.
  struct Frame: Hashable, Sendable {
    /// When it is due, from the first action on, in the ticks of ``MainThread``.
    var due: Int
    /// What is reduced in it.
    var action: AppAction?
    /// Whether the state is saved in it.
    var saves: Bool
  }

  /// An action a frame. The state is saved in the same frame, or, debounced, in a frame of its own
  /// once no action has come for so many milliseconds: the last action is always saved.
  init(_ actions: [AppAction], debounce: Int) {
    guard debounce > 0 else {
      frames = actions.enumerated().map { index, action in
        Frame(due: index * MainThread.frame, action: action, saves: true)
      }
      return
    }
    let rest = debounce * 1_000_000 * MainThread.ticks
    frames = actions.enumerated().flatMap { index, action in
      let due = index * MainThread.frame
      let saves = rest <= MainThread.frame || index == actions.count - 1
      return [Frame(due: due, action: action, saves: false)]
        + (saves ? [Frame(due: due + rest, action: nil, saves: true)] : [])
    }
  }

  /// What a customer and a server do, drawn with a seed: of ten actions four show another screen,
  /// four change the cart, one a price, and one what can be ordered.
  ///
  /// - Throws: ``WorkloadFailure`` where the menu has nothing to order.
  static func actions(_ count: Int, on menu: Menu, seed: UInt64) throws -> [AppAction] {
    let products = menu.products.filter { !$0.variants.isEmpty }
    guard !products.isEmpty else { throw WorkloadFailure("the menu has no product to act on") }
    var random = SplitMix64(seed: seed)
    var chosen: [Int] = []
    return (0..<count).map { _ in
      let product = products[random.below(products.count)]
      let variant = product.variants[random.below(product.variants.count)]
      switch random.below(10) {
      case 0, 1: return .open(.product(product.id))
      case 2: return .open(.menu)
      case 3: return .open(.cart)
      case 4, 5, 6:
        chosen.append(variant.id)
        return .add(productID: product.id, variantID: variant.id)
      case 7: return .remove(variantID: chosen.last ?? variant.id)
      case 8: return .reprice(variantID: variant.id, price: random.within(1...1_000) * 100)
      default:
        let all = Product.Availability.allCases
        return .offer(productID: product.id, all[random.below(all.count)])
      }
    }
  }
}
