def cents($what): if . == null then error("\($what) has no price") else tonumber * 100 | round end;
[.sections | to_entries[] | .key as $shelf | .value.items[] | . + {shelf: ($shelf + 1)}] as $items
| {format: "menubench.menu", schema: 1, menu: {
    id: 1, revision: 1, locale: "pt-PT", currency: "EUR", city: .shop.town,
    categories: [.sections | to_entries[] | {id: (.key + 1), name: .value.title}],
    products: [$items | to_entries[] | (.key + 1) as $id | .value | .sku as $sku | {
        id: $id, code: .sku, categoryID: .shelf, kind: ({PIZZA: "pizza", BEVERAGE: "drink"}[.type] // "other"),
        name: .title.pt, details: (.text // ""), tags: [], availability: "available",
        variants: [.sizes | to_entries[] | {id: ($id * 100 + .key), size: .value.label,
          price: (.value.price | cents($sku)), priceTiers: [], image: ""}],
        ingredients: [], modifierGroupIDs: []}],
    ingredients: [], modifierGroups: [], optionLists: [], combos: [], stopList: [], translations: []}}
