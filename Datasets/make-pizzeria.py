#!/usr/bin/env python3
"""Writes Datasets/pizzeria.json: a menu made up by hand with the cardinalities of a real store.

Names, prices and recipes are below; what follows from them (sizes, nutrition, slots, ids) is
computed in whole numbers, so that the file comes out the same byte for byte everywhere.

    python3 Datasets/make-pizzeria.py           # replaces pizzeria.json next to this script
    python3 Datasets/make-pizzeria.py --print   # writes to standard output
"""
import json
import pathlib
import sys

# Ingredients: code, Russian, English, then in 100 g: kcal, protein, fat, carbohydrates in tenths.
INGREDIENTS = """
tomato-sauce|Томатный соус|Tomato sauce|420 15 8 75
cream-sauce|Сливочный соус|Cream sauce|2310 24 225 51
mozzarella|Моцарелла|Mozzarella|2800 220 210 22
parmesan|Пармезан|Parmesan|3920 330 280 0
gorgonzola|Горгонзола|Gorgonzola|3530 212 290 21
feta|Кубики брынзы|Feta cubes|2640 140 213 41
cheddar|Чеддер|Cheddar|4030 249 331 13
pepperoni|Пикантная пепперони|Spicy pepperoni|4940 230 440 12
ham|Ветчина|Ham|1450 210 60 15
bacon|Хрустящий бекон|Crispy bacon|5410 370 420 14
chicken|Куриное филе|Chicken fillet|1650 310 36 0
beef|Тушёная говядина|Braised beef|2500 260 155 0
chorizo|Острая чоризо|Hot chorizo|4550 241 383 19
salmon|Слабосолёный лосось|Salted salmon|2020 224 125 0
shrimp|Креветки|Shrimp|950 202 6 2
tuna|Тунец|Tuna|1160 255 8 0
mushrooms|Шампиньоны|Champignons|220 31 3 33
porcini|Белые грибы|Porcini|340 37 17 11
tomatoes|Свежие томаты|Fresh tomatoes|180 9 2 39
cherry|Томаты черри|Cherry tomatoes|210 8 1 48
sweet-pepper|Сладкий перец|Sweet pepper|310 10 3 60
jalapeno|Острый халапеньо|Hot jalapeño|290 9 4 65
red-onion|Красный лук|Red onion|400 11 1 93
pickles|Маринованные огурчики|Pickled cucumbers|110 3 2 23
olives|Маслины|Black olives|1150 8 107 63
capers|Каперсы|Capers|230 24 9 49
corn|Сладкая кукуруза|Sweet corn|860 32 12 190
pineapple|Сочные ананасы|Juicy pineapple|500 5 1 131
pear|Груша|Pear|570 4 1 152
arugula|Руккола|Arugula|250 26 7 37
spinach|Шпинат|Spinach|230 29 4 36
garlic|Чеснок|Garlic|1490 64 5 331
basil|Базилик|Basil|230 32 6 27
oregano|Орегано|Oregano|2650 90 43 689
pesto|Соус песто|Pesto|4540 52 475 41
bbq|Соус барбекю|Barbecue sauce|1720 8 6 408
ranch|Соус ранч|Ranch sauce|4300 14 445 59
egg|Перепелиное яйцо|Quail egg|1580 131 111 4
potato|Картофель|Potatoes|770 20 1 175
"""

# Pizzas: Russian|English|price of the small one in roubles|ingredients|Russian text|English text.
PIZZAS = """
Маргарита|Margherita|389|tomato-sauce mozzarella tomatoes basil|Та, с которой всё началось: много сыра, спелые томаты и свежий базилик|The one that started it all: plenty of cheese, ripe tomatoes and fresh basil
Пепперони фермерская|Farmhouse pepperoni|449|tomato-sauce mozzarella pepperoni|Двойная порция пикантной пепперони на тонком слое соуса|A double layer of spicy pepperoni on a thin coat of sauce
Четыре сыра|Four cheeses|529|cream-sauce mozzarella gorgonzola parmesan cheddar|Мягкая, солёная, острая и выдержанная стороны сыра на одной пизце|Soft, salty, sharp and aged: all sides of cheese on one pizza
Ветчина и грибы|Ham and mushrooms|439|cream-sauce mozzarella ham mushrooms|Домашнее сочетание, которое никогда не надоедает|A homely pair that nobody ever tires of
Цыплёнок барбекю|Barbecue chicken|499|bbq mozzarella chicken bacon red-onion|Копчёный бекон и курица под сладким дымным соусом|Smoked bacon and chicken under a sweet smoky sauce
Гавайский полдень|Hawaiian noon|459|cream-sauce mozzarella ham pineapple|Для тех, кто не боится споров за столом|For those who do not mind an argument at the table
Дачная|Dacha|419|tomato-sauce mozzarella potato pickles red-onion bacon|Картофель, бекон и огурчики, как после грядок|Potatoes, bacon and pickles, as after a day in the garden
Охотничья|Hunter's|549|tomato-sauce mozzarella beef porcini pickles garlic|Тушёная говядина с белыми грибами и чесноком|Braised beef with porcini and garlic
Вулкан|Volcano|509|tomato-sauce mozzarella chorizo jalapeno sweet-pepper red-onion|Острая чоризо и халапеньо; запаситесь молоком|Hot chorizo and jalapeño; keep some milk at hand
Северное море|North Sea|649|cream-sauce mozzarella salmon capers spinach|Лосось, каперсы и шпинат на сливочной основе|Salmon, capers and spinach on a cream base
Портовая|Harbour|629|tomato-sauce mozzarella shrimp tuna olives garlic|Креветки и тунец, с маслинами и каплей чеснока|Shrimp and tuna with olives and a touch of garlic
Огород|Kitchen garden|409|tomato-sauce mozzarella mushrooms sweet-pepper tomatoes olives red-onion|Всё, что выросло летом, и немного сыра|All that grew in summer, and a little cheese
Груша и горгонзола|Pear and gorgonzola|539|cream-sauce mozzarella gorgonzola pear arugula|Сладкая груша, голубой сыр и горсть рукколы|Sweet pear, blue cheese and a handful of arugula
Карбонара|Carbonara|499|cream-sauce mozzarella bacon parmesan egg|Бекон, пармезан и перепелиное яйцо|Bacon, parmesan and a quail egg
Песто и черри|Pesto and cherry|489|pesto mozzarella cherry feta basil|Зелёный песто, брынза и томаты черри|Green pesto, feta and cherry tomatoes
Мясной сход|Meat gathering|579|tomato-sauce mozzarella pepperoni ham bacon beef|Пепперони, ветчина, бекон и говядина встретились и не поссорились|Pepperoni, ham, bacon and beef met and did not quarrel
Ранчо|Ranch|509|ranch mozzarella chicken ham tomatoes garlic|Курица и ветчина под густым соусом ранч|Chicken and ham under thick ranch sauce
Греческий берег|Greek shore|479|tomato-sauce mozzarella feta olives cherry oregano|Брынза, маслины и орегано с холмов|Feta, olives and oregano from the hills
Кукурузное поле|Corn field|399|cream-sauce mozzarella corn chicken|Любимая пицца младшей группы|The favourite of the youngest guests
Чизбургер|Cheeseburger|529|bbq mozzarella beef cheddar pickles red-onion tomatoes|Бургер, который лёг и расслабился|A burger that lay down and relaxed
Грибная тропа|Mushroom trail|519|cream-sauce mozzarella mushrooms porcini garlic parmesan|Шампиньоны и белые грибы с лесной тропы|Champignons and porcini from a forest trail
Диабло|Diablo|519|tomato-sauce mozzarella pepperoni jalapeno garlic beef|Очень острая; мы предупредили|Very hot; you have been warned
Римские каникулы|Roman holiday|559|tomato-sauce mozzarella ham arugula cherry parmesan|Ветчина, руккола и стружка пармезана|Ham, arugula and parmesan shavings
Утренняя|Morning|429|cream-sauce mozzarella egg spinach bacon|Завтрак, который можно заказать и в полночь|A breakfast to be had at midnight too
Сырная|Cheese|299|cream-sauce mozzarella cheddar|Сыр и ещё немного сыра, ничего больше|Cheese and a little more cheese, and nothing else
"""

# Snacks: Russian|English|price|grams|ingredients.
SNACKS = """
Картофель из печи|Oven potatoes|159|150|potato
Картофель с беконом|Potatoes with bacon|229|190|potato bacon cheddar
Куриные крылья барбекю|Barbecue wings|289|200|chicken bbq
Куриные кусочки|Chicken bites|219|130|chicken
Ролл с курицей|Chicken wrap|199|210|chicken tomatoes ranch mozzarella
Ролл с говядиной|Beef wrap|239|220|beef pickles red-onion cheddar
Ролл с ветчиной|Ham wrap|189|200|ham tomatoes mozzarella ranch
Салат Цезарь|Caesar salad|259|190|chicken parmesan cherry egg
Греческий салат|Greek salad|239|210|feta olives tomatoes sweet-pepper oregano
Салат с лососем|Salmon salad|339|200|salmon arugula cherry capers
Паста карбонара|Pasta carbonara|299|280|bacon cream-sauce parmesan egg
Паста с креветками|Shrimp pasta|359|290|shrimp cream-sauce garlic cherry
Паста с песто|Pesto pasta|269|270|pesto parmesan cherry
Грибной суп|Mushroom soup|199|250|mushrooms porcini cream-sauce
Сырные палочки|Cheese sticks|209|160|mozzarella parmesan oregano
Чесночный хлеб|Garlic bread|149|120|garlic parmesan basil
"""

# Drinks: Russian|English|price|volume|kcal in 100 ml in tenths, - where unknown.
DRINKS = """
Вода без газа|Still water|79|0,5 л|0
Вода с газом|Sparkling water|79|0,5 л|0
Кола|Cola|119|0,5 л|420
Кола без сахара|Cola without sugar|119|0,5 л|3
Лимонад дюшес|Pear lemonade|109|0,5 л|-
Лимонад тархун|Tarragon lemonade|109|0,5 л|-
Имбирный лимонад|Ginger lemonade|149|0,4 л|-
Морс клюквенный|Cranberry mors|129|0,45 л|410
Морс облепиховый|Sea buckthorn mors|129|0,45 л|430
Морс чёрная смородина|Blackcurrant mors|129|0,45 л|420
Сок яблочный|Apple juice|119|0,3 л|460
Сок апельсиновый|Orange juice|139|0,3 л|450
Сок томатный|Tomato juice|119|0,3 л|210
Чай чёрный|Black tea|89|0,3 л|-
Чай зелёный|Green tea|89|0,3 л|-
Чай с чабрецом|Thyme tea|99|0,3 л|-
Эспрессо|Espresso|99|0,03 л|-
Американо|Americano|119|0,3 л|-
Капучино|Cappuccino|169|0,3 л|430
Латте|Latte|179|0,4 л|460
Какао|Cocoa|169|0,3 л|780
Молочный коктейль|Milk shake|219|0,3 л|1120
"""

# Desserts: Russian|English|price|grams|kcal, protein, fat, carbohydrates in 100 g in tenths.
DESSERTS = """
Чизкейк Нью-Йорк|New York cheesecake|219|100|3210 55 226 248
Чизкейк вишнёвый|Cherry cheesecake|229|110|3020 51 198 271
Шоколадный фондан|Chocolate fondant|199|90|3890 58 214 432
Медовик|Honey cake|189|120|4010 62 187 528
Наполеон|Napoleon cake|199|120|3980 60 241 392
Тирамису|Tiramisu|229|110|3000 61 182 289
Эклер ванильный|Vanilla éclair|129|70|3450 64 207 338
Эклер шоколадный|Chocolate éclair|139|70|3620 66 219 352
Маффин с черникой|Blueberry muffin|119|90|3540 55 155 482
Маффин с шоколадом|Chocolate muffin|119|90|3970 61 206 471
Сырники со сметаной|Curd fritters with smetana|209|180|2240 132 104 193
Блинчики с джемом|Pancakes with jam|179|160|2310 52 71 366
Яблочный пирог|Apple pie|169|140|2560 34 103 374
Рулетики с корицей|Cinnamon rolls|189|180|3060 66 98 477
Рулетики с брусникой|Lingonberry rolls|199|190|2840 58 84 463
Мороженое пломбир|Ice cream|129|80|2270 32 150 208
Мороженое фисташковое|Pistachio ice cream|149|80|2390 41 158 216
Пахлава|Baklava|179|100|4290 67 238 474
"""

# Add-ons: the ingredient, and roubles for a small, a medium and a large pizza.
ADD_ONS = """
mozzarella 79 99 119
parmesan 79 99 119
cheddar 69 89 109
feta 69 89 109
gorgonzola 89 109 139
pepperoni 79 99 119
ham 69 89 109
bacon 79 99 119
chicken 79 99 119
beef 89 119 149
chorizo 89 109 139
shrimp 149 199 239
mushrooms 49 59 79
tomatoes 49 59 79
sweet-pepper 49 59 79
jalapeno 49 59 79
red-onion 39 49 59
pickles 49 59 79
olives 49 59 79
pineapple 59 69 89
"""

# Combos: Russian|English|roubles|old price|Russian text|English text|slots as list*count.
COMBOS = """
Большая компания|Big company|3199|3990|Семь средних пицц на всех, кто пришёл|Seven medium pizzas for all who came|plain*7
Дружеский вечер|Evening with friends|1999|2460|Четыре средние пиццы и закуска или напиток|Four medium pizzas and a snack or a drink|dear*4 bite*1
Три пиццы и напиток|Three pizzas and a drink|1499|1870|Три средние пиццы, напиток на выбор|Three medium pizzas, a drink to choose|dear*3 drink*1
Семейный выходной|Family weekend|1599|1990|Три средние пиццы и угощение к ним|Three medium pizzas and a treat beside them|graded*3 treat*1
Пара на двоих|A pair for two|999|1230|Две средние пиццы и напиток|Two medium pizzas and a drink|plain*2 drink*1
Кино дома|Film at home|1059|1290|Две средние пиццы и закуска или напиток|Two medium pizzas and a snack or a drink|graded*2 bite*1
Две по акции|Two on offer|949|1190|Две средние пиццы и напиток с доплатой|Two medium pizzas and a drink with a surcharge|dear*2 premium*1
Обед|Lunch|599|720|Средняя пицца и угощение|A medium pizza and a treat|graded*1 treat*1
"""

# What a slot is called, and its options: kind and number of a product, surcharge in roubles.
PIZZAS_IN_COMBOS = [1, 2, 4, 5, 6, 7, 9, 12, 14, 15, 17, 18, 19, 20, 22, 24, 3, 8, 13, 16, 21, 23]
DEAR = {3: 1, 8: 1, 13: 1, 16: 2, 21: 1, 23: 2}
COLD = [("drink", 1), ("drink", 3), ("drink", 4), ("drink", 5)]
SNACKS_IN_COMBOS = [("snack", 1), ("snack", 16)]
LISTS = {
    "plain": ("Пицца", "Pizza", [("pizza", n, 0) for n in PIZZAS_IN_COMBOS]),
    "dear": ("Пицца", "Pizza", [("pizza", n, 100 if n in DEAR else 0) for n in PIZZAS_IN_COMBOS]),
    "graded": ("Пицца", "Pizza", [("pizza", n, 70 * DEAR.get(n, 0)) for n in PIZZAS_IN_COMBOS]),
    "drink": ("Напиток", "Drink", [(*d, 0) for d in COLD]),
    "premium": ("Напиток", "Drink", [(*d, 30 if d[1] > 1 else 0) for d in COLD]),
    "bite": ("Закуска или напиток", "Snack or drink", [(*s, 0) for s in SNACKS_IN_COMBOS + COLD[:3]]),
    "treat": (
        "Угощение", "Treat", [(*t, 0) for t in [("dessert", 9)] + SNACKS_IN_COMBOS + COLD[:2]]),
}

KINDS = [
    ("pizza", "Пиццы", "Pizzas"), ("snack", "Закуски", "Snacks"),
    ("drink", "Напитки", "Drinks"), ("dessert", "Десерты", "Desserts"),
]
# Size, roubles beyond the small one's price, grams without toppings and of each topping.
SIZES = [("25 см", 0, 270, 35), ("30 см", 180, 400, 50), ("35 см", 320, 560, 70)]
ONE_SIZE_ONLY = {25}
DOUGH = (2700, 80, 30, 500)
MEAT = {
    "pepperoni", "ham", "bacon", "chicken", "beef", "chorizo", "salmon", "shrimp", "tuna"}
HOT = {"jalapeno", "chorizo"}
SAUCES = {"tomato-sauce", "cream-sauce", "pesto", "bbq", "ranch"}
FACTS = ["energy", "proteins", "fats", "carbohydrates"]


# The ingredients that have an allergen.
ALLERGENS = {
    "milk": {"cream-sauce", "mozzarella", "parmesan", "gorgonzola", "feta", "cheddar", "pesto", "ranch"},
    "fish": {"salmon", "tuna"}, "crustaceans": {"shrimp"}, "eggs": {"egg", "ranch"},
    "nuts": {"pesto"},
}


def rows(text):
    return [line.split("|") for line in text.strip().splitlines()]


def tenths(number):
    """A number of tenths as JSON writes it: 15 is 1.5 and 20 is 2."""
    return number / 10 if number % 10 else number // 10


def nutrition(per100g, grams):
    whole = [(fact * grams + 50) // 100 for fact in per100g]
    return {
        "per100g": dict(zip(FACTS, map(tenths, per100g))),
        "whole": dict(zip(FACTS, map(tenths, whole))),
    }


class Pizzeria:
    """Builds the menu; ids count from 1 in the order of the tables above."""

    def __init__(self):
        self.translations = []
        self.products = []
        self.by_number = {}
        self.variants = 0
        self.ingredients = rows(INGREDIENTS)
        self.ids = {row[0]: index for index, row in enumerate(self.ingredients, 1)}
        self.facts = {row[0]: [int(n) for n in row[3].split()] for row in self.ingredients}

    def translate(self, entity, entity_id, name, details=None):
        text = {"locale": "en-US", "entity": entity, "entityID": entity_id, "name": name}
        if details:
            text["details"] = details
        self.translations.append(text)

    def mean(self, codes):
        return [sum(column) // len(codes) for column in zip(*(self.facts[c] for c in codes))]

    def names(self, codes, column):
        text = ", ".join(self.ingredients[self.ids[c] - 1][column].lower() for c in codes)
        return text[:1].upper() + text[1:]

    def variant(self, picture, size, roubles, grams=None, per100g=None, dough=None):
        self.variants += 1
        value = {
            "id": self.variants, "size": size, "price": roubles * 100, "priceTiers": [],
            "image": f"https://images.example/pizzeria/{picture}.jpg",
        }
        if dough:
            value["dough"] = dough
        if grams:
            value["weight"] = grams
        if per100g:
            value["nutrition"] = nutrition(per100g, grams)
        return value

    def product(self, kind, number, name, english, details, english_details, variants, codes=()):
        product_id = len(self.products) + 1
        self.by_number[kind, number] = product_id
        self.translate("product", product_id, english, english_details)
        tags = ["spicy"] * bool(HOT.intersection(codes))
        tags += ["vegetarian"] * bool(codes and not MEAT.intersection(codes))
        self.products.append({
            "id": product_id, "code": f"{kind}-{number:02}", "kind": kind, "name": name,
            "categoryID": [k[0] for k in KINDS].index(kind) + 1, "details": details,
            "tags": tags, "availability": "available", "variants": variants,
            "ingredients": [
                {"ingredientID": self.ids[c], "isRemovable": c not in SAUCES} for c in codes],
            "modifierGroupIDs": [1] if kind == "pizza" else [],
            "allergens": self.allergens(kind, codes), "hours": [], "otherCategoryIDs": [],
        })

    def allergens(self, kind, codes):
        """What Annex II of Regulation (EU) 1169/2011 has named of a recipe; of dough, gluten."""
        found = {"pizza": ["gluten"], "dessert": ["gluten", "eggs", "milk"]}.get(kind, [])
        return found + sorted(
            {name for name, of in ALLERGENS.items() if of.intersection(codes)} - set(found))

    def pizzas(self):
        for number, row in enumerate(rows(PIZZAS), 1):
            name, english, roubles, codes, details, english_details = row
            codes = codes.split()
            mix = [(45 * d + 55 * m) // 100 for d, m in zip(DOUGH, self.mean(codes))]
            sizes = SIZES[:1] if number in ONE_SIZE_ONLY else SIZES
            variants = [
                self.variant(
                    f"pizza-{number:02}-{size[:2]}", size, int(roubles) + more,
                    base + each * len(codes), mix, "традиционное")
                for size, more, base, each in sizes]
            self.product(
                "pizza", number, name, english, details, english_details, variants, codes)

    def snacks(self):
        for number, (name, english, roubles, grams, codes) in enumerate(rows(SNACKS), 1):
            codes = codes.split()
            variant = self.variant(
                f"snack-{number:02}", f"{grams} г", int(roubles), int(grams), self.mean(codes))
            self.product(
                "snack", number, name, english, self.names(codes, 1), self.names(codes, 2),
                [variant], codes)

    def drinks(self):
        for number, (name, english, roubles, volume, energy) in enumerate(rows(DRINKS), 1):
            grams = int(float(volume.split()[0].replace(",", ".")) * 1000 + 0.5)
            facts = None if energy == "-" else [int(energy), 0, 0, int(energy) // 4]
            variant = self.variant(f"drink-{number:02}", volume, int(roubles), grams, facts)
            self.product("drink", number, name, english, "", "", [variant])

    def desserts(self):
        for number, (name, english, roubles, grams, facts) in enumerate(rows(DESSERTS), 1):
            variant = self.variant(
                f"dessert-{number:02}", f"{grams} г", int(roubles), int(grams),
                [int(fact) for fact in facts.split()])
            self.product("dessert", number, name, english, "", "", [variant])

    def add_ons(self):
        options = []
        for line in ADD_ONS.strip().splitlines():
            code, *roubles = line.split()
            prices = [
                {"size": size[0], "price": int(price) * 100}
                for size, price in zip(SIZES, roubles)]
            options.append({
                "ingredientID": self.ids[code], "prices": prices, "modifierGroupIDs": []})
        self.translate("modifierGroup", 1, "Add to your pizza")
        return {
            "id": 1, "name": "Добавить в пиццу", "min": 0, "max": 10, "free": 0,
            "isRequired": False, "options": options}

    def option(self, kind, number, roubles):
        product = self.products[self.by_number[kind, number] - 1]
        value = {"productID": product["id"], "surcharge": roubles * 100}
        if kind == "pizza":
            value["variantID"] = product["variants"][1]["id"]
        return value

    def option_lists(self):
        return [
            {"id": list_id, "options": [self.option(*o) for o in options]}
            for list_id, (_, _, options) in enumerate(LISTS.values(), 1)]

    def combos(self, lists):
        combos, slot_id = [], 0
        for combo_id, row in enumerate(rows(COMBOS), 1):
            name, english, roubles, old, details, english_details, spec = row
            slots = []
            for list_name, count in (part.split("*") for part in spec.split()):
                for _ in range(int(count)):
                    slot_id += 1
                    slots.append(self.slot(slot_id, list_name, lists, len(slots)))
            self.translate("combo", combo_id, english, english_details)
            combos.append({
                "id": combo_id, "code": f"combo-{combo_id:02}", "name": name,
                "details": details, "price": int(roubles) * 100, "oldPrice": int(old) * 100,
                "image": f"https://images.example/pizzeria/combo-{combo_id:02}.jpg",
                "slots": slots})
        return combos

    def slot(self, slot_id, list_name, lists, position):
        name, english, options = LISTS[list_name]
        list_id = list(LISTS).index(list_name) + 1
        default = lists[list_id - 1]["options"][position % len(options)]["productID"]
        self.translate("slot", slot_id, english)
        return {
            "id": slot_id, "name": name, "min": 1, "max": 1, "optionListID": list_id,
            "defaultProductID": default}

    def menu(self):
        categories = [
            {"id": index, "name": name} for index, (_, name, _) in enumerate(KINDS, 1)]
        for index, (_, _, english) in enumerate(KINDS, 1):
            self.translate("category", index, english)
        for index, row in enumerate(self.ingredients, 1):
            self.translate("ingredient", index, row[2])
        groups = [self.add_ons()]
        self.pizzas()
        self.snacks()
        self.drinks()
        self.desserts()
        lists = self.option_lists()
        combos = self.combos(lists)
        return {
            "id": 1, "revision": 1, "locale": "ru-RU", "currency": "RUB", "city": "Тверь",
            "categories": categories,
            "ingredients": [
                {"id": index, "code": row[0], "name": row[1]}
                for index, row in enumerate(self.ingredients, 1)],
            "modifierGroups": groups, "products": self.products, "optionLists": lists,
            "combos": combos, "translations": self.translations, "storeOverrides": [],
            "stopList": [
                {"entity": "product", "entityID": self.by_number["pizza", 10]},
                {"entity": "product", "entityID": self.by_number["dessert", 18],
                 "until": "2026-03-01T10:00:00Z"},
                {"entity": "ingredient", "entityID": self.ids["shrimp"],
                 "until": "2026-02-27T18:00:00Z"},
            ],
        }


def main():
    file = {"format": "menubench.menu", "schema": 1, "menu": Pizzeria().menu()}
    text = json.dumps(file, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
    if sys.argv[1:] == ["--print"]:
        sys.stdout.buffer.write(text.encode())
    else:
        pathlib.Path(__file__).with_name("pizzeria.json").write_bytes(text.encode())


if __name__ == "__main__":
    main()
