/// One text in the menu's language and in the language of its translation.
struct Word: Sendable {
  let russian: String
  let english: String

  init(_ russian: String, _ english: String) {
    self.russian = russian
    self.english = english
  }
}

/// The words of generated menus. This project chose all of them.
///
/// Heads have at most 17 letters and additions at most 9, so that a name with two additions has at
/// most 40. Additions are Russian nouns in the instrumental case that follow "с".
enum Words {
  static let pizzas = words([
    "Пепперони": "Pepperoni", "Маргарита": "Margherita", "Четыре сыра": "Four Cheeses",
    "Гавайская": "Hawaiian", "Деревенская": "Country", "Мясная": "Meat", "Карбонара": "Carbonara",
    "Диабло": "Diablo", "Охотничья": "Hunter's", "Капричоза": "Capricciosa",
    "Вегетарианская": "Vegetarian", "Цыплёнок ранч": "Ranch Chicken",
    "Цыплёнок барбекю": "Barbecue Chicken", "Ветчина и грибы": "Ham and Mushrooms",
    "Сырная": "Cheese", "Итальянская": "Italian", "Греческая": "Greek", "Мексиканская": "Mexican",
    "Бургер-пицца": "Burger Pizza", "Чизбургер": "Cheeseburger", "Домашняя": "Homemade",
    "Терияки": "Teriyaki", "Песто": "Pesto", "Жюльен": "Julienne", "Сицилийская": "Sicilian",
    "Неаполитанская": "Neapolitan",
  ])

  static let snacks = words([
    "Печёный картофель": "Baked Potatoes", "Куриные крылья": "Chicken Wings",
    "Сырные палочки": "Cheese Sticks", "Наггетсы": "Nuggets", "Салат «Цезарь»": "Caesar Salad",
    "Греческий салат": "Greek Salad", "Паста в сливках": "Creamy Pasta", "Лазанья": "Lasagne",
    "Куриный ролл": "Chicken Roll", "Сэндвич": "Sandwich", "Суп-пюре": "Cream Soup",
    "Омлет": "Omelette", "Картофель фри": "Fries", "Кесадилья": "Quesadilla",
    "Чесночный хлеб": "Garlic Bread", "Брускетта": "Bruschetta",
  ])

  static let drinks = words([
    "Клюквенный морс": "Cranberry Mors", "Чёрный чай": "Black Tea", "Зелёный чай": "Green Tea",
    "Капучино": "Cappuccino", "Американо": "Americano", "Кофе латте": "Caffè Latte",
    "Какао": "Cocoa", "Лимонад": "Lemonade", "Милкшейк": "Milkshake",
    "Апельсиновый сок": "Orange Juice", "Яблочный сок": "Apple Juice",
    "Вишнёвый морс": "Cherry Mors", "Айс-латте": "Iced Latte", "Раф-кофе": "Raf Coffee",
    "Горячий шоколад": "Hot Chocolate", "Минеральная вода": "Mineral Water",
    "Хлебный квас": "Bread Kvass", "Смузи": "Smoothie", "Компот": "Kompot",
    "Облепиховый чай": "Sea Buckthorn Tea", "Холодный чай": "Iced Tea",
    "Кола без сахара": "Sugar-Free Cola",
  ])

  static let desserts = words([
    "Чизкейк": "Cheesecake", "Эклер": "Éclair", "Тирамису": "Tiramisu", "Маффин": "Muffin",
    "Брауни": "Brownie", "Сырники": "Syrniki", "Пончик": "Doughnut", "Круассан": "Croissant",
    "Медовик": "Honey Cake", "Штрудель": "Strudel", "Наполеон": "Napoleon",
    "Рулетики": "Sweet Rolls", "Панкейки": "Pancakes", "Вафли": "Waffles", "Мороженое": "Ice Cream",
    "Фондан": "Fondant", "Пирожное": "Pastry", "Слойка": "Puff",
  ])

  static let savoury = words([
    "грибами": "mushrooms", "томатами": "tomatoes", "ветчиной": "ham", "беконом": "bacon",
    "оливками": "olives", "базиликом": "basil", "ананасом": "pineapple", "курицей": "chicken",
    "луком": "onion", "чесноком": "garlic", "перцем": "peppers", "халапеньо": "jalapeño",
    "кукурузой": "sweetcorn", "говядиной": "beef", "индейкой": "turkey", "тунцом": "tuna",
    "рукколой": "rocket", "фетой": "feta", "чоризо": "chorizo", "огурцами": "pickles",
    "маслинами": "black olives", "орегано": "oregano", "яйцом": "egg", "брокколи": "broccoli",
    "трюфелем": "truffle",
  ])

  static let sweet = words([
    "лимоном": "lemon", "мятой": "mint", "имбирём": "ginger", "мёдом": "honey",
    "корицей": "cinnamon", "ванилью": "vanilla", "карамелью": "caramel", "клубникой": "strawberry",
    "малиной": "raspberry", "вишней": "cherry", "лаймом": "lime", "персиком": "peach",
    "кокосом": "coconut", "миндалём": "almond", "фундуком": "hazelnut", "шоколадом": "chocolate",
    "манго": "mango", "бананом": "banana", "грушей": "pear", "яблоком": "apple",
    "черникой": "blueberry", "орехами": "nuts", "кремом": "cream", "ежевикой": "blackberry",
  ])

  /// Ingredients. The first ``savouryIngredients`` are savoury.
  static let ingredients = words([
    "моцарелла": "mozzarella", "чеддер": "cheddar", "пармезан": "parmesan", "брынза": "brynza",
    "томаты": "tomatoes", "шампиньоны": "mushrooms", "красный лук": "red onion",
    "сладкий перец": "sweet pepper", "маринованные огурцы": "pickles", "маслины": "olives",
    "пепперони": "pepperoni", "ветчина": "ham", "бекон": "bacon", "цыплёнок": "chicken",
    "говядина": "beef", "чоризо": "chorizo", "ананасы": "pineapple", "халапеньо": "jalapeño",
    "чеснок": "garlic", "базилик": "basil", "томатный соус": "tomato sauce",
    "соус альфредо": "alfredo sauce", "соус барбекю": "barbecue sauce", "соус ранч": "ranch sauce",
    "кукуруза": "sweetcorn", "шпинат": "spinach", "руккола": "rocket", "креветки": "prawns",
    "картофель": "potatoes", "сливки": "cream", "молоко": "milk", "какао": "cocoa",
    "ваниль": "vanilla", "корица": "cinnamon", "мёд": "honey", "миндаль": "almonds",
    "лимон": "lemon", "клубника": "strawberries", "сахарная пудра": "icing sugar",
  ])

  static let savouryIngredients = 29

  static let qualities = words([
    "на гриле": "on the grill", "из печи": "from the oven", "по-домашнему": "home style",
    "с травами": "with herbs", "без соли": "without salt", "от фермера": "from a farm",
    "в масле": "in oil", "с дымком": "with smoke", "кубиками": "diced", "ломтиками": "in slices",
    "к завтраку": "for breakfast", "для детей": "for children",
  ])

  static let servings = words([
    "Готовим после заказа, поэтому подаём горячим": "Made to order, so it arrives hot",
    "Хватит на двоих": "Enough for two", "Попробуйте с соусом": "Try it with a sauce",
    "Рецепт нашего шеф-повара": "Our chef's own recipe",
    "Тесто замешиваем каждое утро": "We knead the dough every morning",
    "Сыр тянется, корочка хрустит": "The cheese stretches, the crust crunches",
    "Любимый вкус для большой компании": "A favourite for a big company",
    "Можно убрать всё, что вы не любите": "Leave out whatever you do not like",
    "Овощи привозят с фермы по соседству": "The vegetables come from a farm nearby",
    "Остроту выбираете вы": "You choose how spicy it is",
    "Выпекаем при трёхстах градусах": "Baked at three hundred degrees",
    "Сытно и без лишних калорий": "Filling, with no calories to spare",
  ])

  static let treats = words([
    "Идеально после пиццы": "Perfect after a pizza",
    "Сладкое, но не приторное": "Sweet, never cloying", "Подаём охлаждённым": "Served chilled",
    "Дети просят добавки": "Children ask for more",
    "Без искусственных красителей": "No artificial colours",
    "Готовим небольшими партиями каждый день": "Made in small batches every day",
    "Бодрит утром и согревает вечером": "Wakes you in the morning, warms you at night",
    "Ягоды собирают в конце лета": "The berries are picked in late summer",
    "Рецепт, который мы не меняем десять лет": "A recipe unchanged for ten years",
    "Вкус, знакомый с детства": "A taste known since childhood",
    "Удобно взять с собой": "Easy to take away",
    "Сочетается с кофе и какао": "Goes with coffee and cocoa",
  ])

  static let combos = words([
    "Комбо на двоих": "Combo for Two", "Семейный ужин": "Family Dinner", "Вечер кино": "Film Night",
    "Обед в офисе": "Office Lunch", "Праздник": "Party", "Завтрак": "Breakfast",
    "Большая игра": "Big Match", "Две пиццы": "Two Pizzas", "Пять пицц": "Five Pizzas",
    "Лёгкий перекус": "Light Bite", "Детский день": "Children's Day",
    "Студенческий": "Student Deal", "Всё включено": "All Inclusive",
  ])

  static let sides = words([
    "пиццей": "pizza", "салатом": "salad", "кофе": "coffee", "чаем": "tea", "десертом": "dessert",
    "лимонадом": "lemonade", "морсом": "mors", "соусом": "a sauce", "картошкой": "potatoes",
    "закуской": "a snack", "крыльями": "wings", "пончиком": "a doughnut",
  ])

  static let offers = words([
    "Соберите свой набор и заплатите меньше": "Build your own set and pay less",
    "Выгоднее, чем по отдельности": "Cheaper than one by one",
    "Каждую позицию можно заменить": "Every item can be swapped",
    "Подойдёт для компании друзей": "Right for a group of friends",
    "За крупный размер возьмём доплату": "Larger sizes cost a little more",
    "Действует весь день, в зале и с доставкой": "All day, in the hall or delivered",
    "Не суммируется с промокодами": "Not valid with promo codes",
    "Выберите пиццу, напиток и закуску": "Choose a pizza, a drink and a snack",
  ])

  static let cities = ["Сыктывкар", "Казань", "Самара", "Тверь", "Вологда", "Уфа", "Ярославль"]

  private static func words(_ texts: KeyValuePairs<String, String>) -> [Word] {
    texts.map { Word($0.key, $0.value) }
  }
}

/// Names in a fixed order: every head, then every head with one addition, then with two.
///
/// Names differ until all are used: 26 heads and 25 additions give 16,276.
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

/// A text under construction in both languages. Its buffers are reused for the next text.
struct TextPair {
  private var russian: [UInt8] = []
  private var english: [UInt8] = []

  /// The number of letters so far in the menu's language.
  private(set) var length = 0

  mutating func append(_ word: Word) {
    append(word.russian, word.english)
  }

  mutating func append(_ russian: String, _ english: String) {
    self.russian.append(contentsOf: russian.utf8)
    self.english.append(contentsOf: english.utf8)
    // Every letter has exactly one byte that is not a continuation byte (UTF-8, RFC 3629).
    for byte in russian.utf8 where byte & 0xc0 != 0x80 { length += 1 }
  }

  /// Returns the text in both languages and empties the buffers.
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
