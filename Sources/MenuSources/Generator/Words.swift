/// One text in the menu's language and in the language it is translated to.
struct Word: Sendable {
  let russian: String
  let english: String

  init(_ russian: String, _ english: String) {
    self.russian = russian
    self.english = english
  }
}

/// The words that generated menus are written with; all of them are this project's own choice.
///
/// Heads have at most 17 letters and additions at most 9, so that a name with two additions has at
/// most 40. Additions are nouns in the instrumental case that follow "с".
enum Words {
  static let pizzas = [
    Word("Пепперони", "Pepperoni"), Word("Маргарита", "Margherita"),
    Word("Четыре сыра", "Four Cheeses"), Word("Гавайская", "Hawaiian"),
    Word("Деревенская", "Country"), Word("Мясная", "Meat"), Word("Карбонара", "Carbonara"),
    Word("Диабло", "Diablo"), Word("Охотничья", "Hunter's"), Word("Капричоза", "Capricciosa"),
    Word("Вегетарианская", "Vegetarian"), Word("Цыплёнок ранч", "Ranch Chicken"),
    Word("Цыплёнок барбекю", "Barbecue Chicken"), Word("Ветчина и грибы", "Ham and Mushrooms"),
    Word("Сырная", "Cheese"), Word("Итальянская", "Italian"), Word("Греческая", "Greek"),
    Word("Мексиканская", "Mexican"), Word("Бургер-пицца", "Burger Pizza"),
    Word("Чизбургер", "Cheeseburger"), Word("Домашняя", "Homemade"), Word("Терияки", "Teriyaki"),
    Word("Песто", "Pesto"), Word("Жюльен", "Julienne"), Word("Сицилийская", "Sicilian"),
    Word("Неаполитанская", "Neapolitan"),
  ]

  static let snacks = [
    Word("Печёный картофель", "Baked Potatoes"), Word("Куриные крылья", "Chicken Wings"),
    Word("Сырные палочки", "Cheese Sticks"), Word("Наггетсы", "Nuggets"),
    Word("Салат «Цезарь»", "Caesar Salad"), Word("Греческий салат", "Greek Salad"),
    Word("Паста в сливках", "Creamy Pasta"), Word("Лазанья", "Lasagne"),
    Word("Куриный ролл", "Chicken Roll"), Word("Сэндвич", "Sandwich"),
    Word("Суп-пюре", "Cream Soup"), Word("Омлет", "Omelette"), Word("Картофель фри", "Fries"),
    Word("Кесадилья", "Quesadilla"), Word("Чесночный хлеб", "Garlic Bread"),
    Word("Брускетта", "Bruschetta"),
  ]

  static let drinks = [
    Word("Клюквенный морс", "Cranberry Mors"), Word("Чёрный чай", "Black Tea"),
    Word("Зелёный чай", "Green Tea"), Word("Капучино", "Cappuccino"),
    Word("Американо", "Americano"), Word("Кофе латте", "Caffè Latte"), Word("Какао", "Cocoa"),
    Word("Лимонад", "Lemonade"), Word("Милкшейк", "Milkshake"),
    Word("Апельсиновый сок", "Orange Juice"), Word("Яблочный сок", "Apple Juice"),
    Word("Вишнёвый морс", "Cherry Mors"), Word("Айс-латте", "Iced Latte"),
    Word("Раф-кофе", "Raf Coffee"), Word("Горячий шоколад", "Hot Chocolate"),
    Word("Минеральная вода", "Mineral Water"), Word("Хлебный квас", "Bread Kvass"),
    Word("Смузи", "Smoothie"), Word("Компот", "Kompot"),
    Word("Облепиховый чай", "Sea Buckthorn Tea"), Word("Холодный чай", "Iced Tea"),
    Word("Кола без сахара", "Sugar-Free Cola"),
  ]

  static let desserts = [
    Word("Чизкейк", "Cheesecake"), Word("Эклер", "Éclair"), Word("Тирамису", "Tiramisu"),
    Word("Маффин", "Muffin"), Word("Брауни", "Brownie"), Word("Сырники", "Syrniki"),
    Word("Пончик", "Doughnut"), Word("Круассан", "Croissant"), Word("Медовик", "Honey Cake"),
    Word("Штрудель", "Strudel"), Word("Наполеон", "Napoleon"), Word("Рулетики", "Sweet Rolls"),
    Word("Панкейки", "Pancakes"), Word("Вафли", "Waffles"), Word("Мороженое", "Ice Cream"),
    Word("Фондан", "Fondant"), Word("Пирожное", "Pastry"), Word("Слойка", "Puff"),
  ]

  static let savoury = [
    Word("грибами", "mushrooms"), Word("томатами", "tomatoes"), Word("ветчиной", "ham"),
    Word("беконом", "bacon"), Word("оливками", "olives"), Word("базиликом", "basil"),
    Word("ананасом", "pineapple"), Word("курицей", "chicken"), Word("луком", "onion"),
    Word("чесноком", "garlic"), Word("перцем", "peppers"), Word("халапеньо", "jalapeño"),
    Word("кукурузой", "sweetcorn"), Word("говядиной", "beef"), Word("индейкой", "turkey"),
    Word("тунцом", "tuna"), Word("рукколой", "rocket"), Word("фетой", "feta"),
    Word("чоризо", "chorizo"), Word("огурцами", "pickles"), Word("маслинами", "black olives"),
    Word("орегано", "oregano"), Word("яйцом", "egg"), Word("брокколи", "broccoli"),
    Word("трюфелем", "truffle"),
  ]

  static let sweet = [
    Word("лимоном", "lemon"), Word("мятой", "mint"), Word("имбирём", "ginger"),
    Word("мёдом", "honey"), Word("корицей", "cinnamon"), Word("ванилью", "vanilla"),
    Word("карамелью", "caramel"), Word("клубникой", "strawberry"), Word("малиной", "raspberry"),
    Word("вишней", "cherry"), Word("лаймом", "lime"), Word("персиком", "peach"),
    Word("кокосом", "coconut"), Word("миндалём", "almond"), Word("фундуком", "hazelnut"),
    Word("шоколадом", "chocolate"), Word("манго", "mango"), Word("бананом", "banana"),
    Word("грушей", "pear"), Word("яблоком", "apple"), Word("черникой", "blueberry"),
    Word("орехами", "nuts"), Word("кремом", "cream"), Word("ежевикой", "blackberry"),
  ]

  /// The savoury ones first: ``savouryIngredients`` of them.
  static let ingredients = [
    Word("моцарелла", "mozzarella"), Word("чеддер", "cheddar"), Word("пармезан", "parmesan"),
    Word("брынза", "brynza"), Word("томаты", "tomatoes"), Word("шампиньоны", "mushrooms"),
    Word("красный лук", "red onion"), Word("сладкий перец", "sweet pepper"),
    Word("маринованные огурцы", "pickles"), Word("маслины", "olives"),
    Word("пепперони", "pepperoni"), Word("ветчина", "ham"), Word("бекон", "bacon"),
    Word("цыплёнок", "chicken"), Word("говядина", "beef"), Word("чоризо", "chorizo"),
    Word("ананасы", "pineapple"), Word("халапеньо", "jalapeño"), Word("чеснок", "garlic"),
    Word("базилик", "basil"), Word("томатный соус", "tomato sauce"),
    Word("соус альфредо", "alfredo sauce"), Word("соус барбекю", "barbecue sauce"),
    Word("соус ранч", "ranch sauce"), Word("кукуруза", "sweetcorn"), Word("шпинат", "spinach"),
    Word("руккола", "rocket"), Word("креветки", "prawns"), Word("картофель", "potatoes"),
    Word("сливки", "cream"), Word("молоко", "milk"), Word("какао", "cocoa"),
    Word("ваниль", "vanilla"), Word("корица", "cinnamon"), Word("мёд", "honey"),
    Word("миндаль", "almonds"), Word("лимон", "lemon"), Word("клубника", "strawberries"),
    Word("сахарная пудра", "icing sugar"),
  ]

  static let savouryIngredients = 29

  static let qualities = [
    Word("на гриле", "on the grill"), Word("из печи", "from the oven"),
    Word("по-домашнему", "home style"), Word("с травами", "with herbs"),
    Word("без соли", "without salt"), Word("от фермера", "from a farm"),
    Word("в масле", "in oil"), Word("с дымком", "with smoke"), Word("кубиками", "diced"),
    Word("ломтиками", "in slices"), Word("к завтраку", "for breakfast"),
    Word("для детей", "for children"),
  ]

  static let servings = [
    Word("Готовим после заказа, поэтому подаём горячим", "Made to order, so it arrives hot"),
    Word("Хватит на двоих", "Enough for two"), Word("Попробуйте с соусом", "Try it with a sauce"),
    Word("Рецепт нашего шеф-повара", "Our chef's own recipe"),
    Word("Тесто замешиваем каждое утро", "We knead the dough every morning"),
    Word("Сыр тянется, корочка хрустит", "The cheese stretches, the crust crunches"),
    Word("Любимый вкус для большой компании", "A favourite for a big company"),
    Word("Можно убрать всё, что вы не любите", "Leave out whatever you do not like"),
    Word("Овощи привозят с фермы по соседству", "The vegetables come from a farm nearby"),
    Word("Остроту выбираете вы", "You choose how spicy it is"),
    Word("Выпекаем при трёхстах градусах", "Baked at three hundred degrees"),
    Word("Сытно и без лишних калорий", "Filling, with no calories to spare"),
  ]

  static let treats = [
    Word("Идеально после пиццы", "Perfect after a pizza"),
    Word("Сладкое, но не приторное", "Sweet, never cloying"),
    Word("Подаём охлаждённым", "Served chilled"),
    Word("Дети просят добавки", "Children ask for more"),
    Word("Без искусственных красителей", "No artificial colours"),
    Word("Готовим небольшими партиями каждый день", "Made in small batches every day"),
    Word("Бодрит утром и согревает вечером", "Wakes you in the morning, warms you at night"),
    Word("Ягоды собирают в конце лета", "The berries are picked in late summer"),
    Word("Рецепт, который мы не меняем десять лет", "A recipe unchanged for ten years"),
    Word("Вкус, знакомый с детства", "A taste known since childhood"),
    Word("Удобно взять с собой", "Easy to take away"),
    Word("Сочетается с кофе и какао", "Goes with coffee and cocoa"),
  ]

  static let combos = [
    Word("Комбо на двоих", "Combo for Two"), Word("Семейный ужин", "Family Dinner"),
    Word("Вечер кино", "Film Night"), Word("Обед в офисе", "Office Lunch"),
    Word("Праздник", "Party"), Word("Завтрак", "Breakfast"), Word("Большая игра", "Big Match"),
    Word("Две пиццы", "Two Pizzas"), Word("Пять пицц", "Five Pizzas"),
    Word("Лёгкий перекус", "Light Bite"), Word("Детский день", "Children's Day"),
    Word("Студенческий", "Student Deal"), Word("Всё включено", "All Inclusive"),
  ]

  static let sides = [
    Word("пиццей", "pizza"), Word("салатом", "salad"), Word("кофе", "coffee"),
    Word("чаем", "tea"), Word("десертом", "dessert"), Word("лимонадом", "lemonade"),
    Word("морсом", "mors"), Word("соусом", "a sauce"), Word("картошкой", "potatoes"),
    Word("закуской", "a snack"), Word("крыльями", "wings"), Word("пончиком", "a doughnut"),
  ]

  static let offers = [
    Word("Соберите свой набор и заплатите меньше", "Build your own set and pay less"),
    Word("Выгоднее, чем по отдельности", "Cheaper than one by one"),
    Word("Каждую позицию можно заменить", "Every item can be swapped"),
    Word("Подойдёт для компании друзей", "Right for a group of friends"),
    Word("За крупный размер возьмём доплату", "Larger sizes cost a little more"),
    Word("Действует весь день, в зале и с доставкой", "All day, in the hall or delivered"),
    Word("Не суммируется с промокодами", "Not valid with promo codes"),
    Word("Выберите пиццу, напиток и закуску", "Choose a pizza, a drink and a snack"),
  ]

  static let cities = ["Сыктывкар", "Казань", "Самара", "Тверь", "Вологда", "Уфа", "Ярославль"]
}

/// Names in a fixed order: every head, then every head with an addition, then with two.
///
/// They differ until all are used: 26 heads and 25 additions give 16,276.
struct NameSeries: Sendable {
  let heads: [Word]
  let additions: [Word]
  var before = Word(" с ", " with ")
  var between = Word(" и ", " and ")

  static let ingredients = NameSeries(
    heads: Words.ingredients, additions: Words.qualities, before: Word(" ", " "),
    between: Word(" ", " "))

  func append(_ index: Int, to text: inout TextPair) {
    text.append(heads[index % heads.count])
    let level = index / heads.count
    guard level > 0 else { return }
    let place = (level - 1) % (additions.count * additions.count)
    text.append(before)
    if place < additions.count {
      text.append(additions[place])
    } else {
      appendTwo(place - additions.count, to: &text)
    }
  }

  private func appendTwo(_ place: Int, to text: inout TextPair) {
    let first = place / (additions.count - 1)
    let second = first + 1 + place % (additions.count - 1)
    text.append(additions[first])
    text.append(between)
    text.append(additions[second % additions.count])
  }
}

/// A text under construction in both languages; its buffers are used again for the next text.
struct TextPair {
  private var russian: [UInt8] = []
  private var english: [UInt8] = []

  /// Letters of the text so far, in the menu's language.
  private(set) var length = 0

  mutating func append(_ word: Word) {
    append(word.russian, word.english)
  }

  mutating func append(_ russian: String, _ english: String) {
    self.russian.append(contentsOf: russian.utf8)
    self.english.append(contentsOf: english.utf8)
    // Every letter has one byte that is not a continuation (UTF-8, RFC 3629).
    for byte in russian.utf8 where byte & 0xc0 != 0x80 { length += 1 }
  }

  /// The text in the menu's language and its translation; the buffers are empty afterwards.
  mutating func take() -> Word {
    defer {
      russian.removeAll(keepingCapacity: true)
      english.removeAll(keepingCapacity: true)
      length = 0
    }
    return Word(
      String(decoding: russian, as: UTF8.self), String(decoding: english, as: UTF8.self))
  }
}
