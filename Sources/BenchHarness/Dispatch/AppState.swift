import MenuModel

/// The one state of an app that has a single store: the menu, what is in the cart, and the screen.
struct AppState: Hashable, Sendable {
  /// The menu; its revision grows with every action, as the state's own version.
  var menu: Menu
  /// What the customer chose, in that order.
  var cart: [CartLine] = []
  /// What is shown.
  var screen = Screen.menu

  /// What is saved of it beside the menu.
  var session: Session { Session(cart: cart, screen: screen) }

  /// What the customer left open.
  struct Session: Codable, Hashable, Sendable {
    /// What was in the cart.
    var cart: [CartLine]
    /// What was shown.
    var screen: Screen
  }

  /// One variant in the cart.
  struct CartLine: Codable, Hashable, Sendable {
    var productID: Int
    var variantID: Int
    var count: Int
  }

  /// What can be shown.
  enum Screen: Codable, Hashable, Sendable {
    case menu
    case product(Int)
    case cart
  }
}

/// Everything that can happen.
enum AppAction: Hashable, Sendable {
  /// The customer goes to a screen.
  case open(AppState.Screen)
  /// The customer puts one more into the cart.
  case add(productID: Int, variantID: Int)
  /// The customer takes one out of the cart, if there is one.
  case remove(variantID: Int)
  /// The server changes a price.
  case reprice(variantID: Int, price: Int)
  /// The server changes whether a product can be ordered; one that can't leaves the cart.
  case offer(productID: Int, Product.Availability)
}

extension AppState {
  /// The state after an action: of the same state and action always the same.
  ///
  /// - Throws: `UnknownPatchTarget` where the action names what the menu does not have; the state is
  ///   then as it was.
  mutating func reduce(_ action: AppAction) throws(UnknownPatchTarget) {
    var patch = MenuPatch(revision: menu.revision &+ 1)
    switch action {
    case .open, .add, .remove: break
    case .reprice(let id, let price): patch.prices = [.init(variantID: id, price: price)]
    case .offer(let id, let availability):
      patch.availability = [.init(productID: id, availability: availability)]
    }
    if patch.prices.isEmpty && patch.availability.isEmpty {
      menu.revision = patch.revision
    } else {
      try menu.apply(patch)
    }
    reduceRest(action)
  }

  private mutating func reduceRest(_ action: AppAction) {
    switch action {
    case .open(let next): screen = next
    case .add(let product, let variant):
      if let line = cart.firstIndex(where: { $0.variantID == variant }) {
        cart[line].count += 1
      } else {
        cart.append(CartLine(productID: product, variantID: variant, count: 1))
      }
    case .remove(let variant):
      guard let line = cart.firstIndex(where: { $0.variantID == variant }) else { return }
      cart[line].count -= 1
      if cart[line].count == 0 { cart.remove(at: line) }
    case .offer(let product, let availability):
      if availability != .available { cart.removeAll { $0.productID == product } }
    case .reprice: break
    }
  }
}
