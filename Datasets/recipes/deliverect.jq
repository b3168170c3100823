# A menu that Deliverect pushes to a channel, in MenuBench's format: categories list the keys of products, products
# those of modifier groups and bundles, and numbers among the tags are allergens.
# https://developers.deliverect.com/reference/post-menu-push
# https://developers.deliverect.com/page/glossary, also /page/product-types, /page/allergens-and-tags and
# /page/list-of-currencies
#
#   jq -f Datasets/recipes/deliverect.jq push.json | bench import - --out menu.json
#
# A push may hold several menus: add --arg menu NAME for the one that you want. It names no language: it is und,
# undetermined, unless you add --arg locale nl. Ids are counted from 1, and code is the PLU. A reference that leads
# nowhere is left out, and a note on standard error names it. A missing price ends the recipe.

def note($text): . as $it | ("note: " + $text | debug | empty), $it;
def lost($text): note($text + " is not in the menu") | null;
def need($key; $what): .[$key] // error("\($what) has no \($key)");
def distinct(f): to_entries | unique_by(.value | f) | sort_by(.key) | map(.value);
# The id of each element by a text of it.
def numbered(f): to_entries | map({key: (.value | f), value: (.key + 1)}) | from_entries;
# Optional keys are absent, never null.
def compact: with_entries(select(.value != null));
def price($what): .price | if type == "number" and floor == . then . elif . == null then error("\($what) has no price")
  else error("\($what): \(tojson) is no price in cents") end;

# Only currencies of two decimals: a price is a whole number of hundredths.
def currency: $ARGS.named.currency // ["EUR", "GBP", "USD", "CAD", "NZD", "AUD", null, "AED", "SEK", "CHF", "RON",
  "MAD", "PLN", "NOK", "MXN", "DKK"][. - 1] // error("currency \(.) is not known: name it by --arg currency EUR");
# Tags from 100 to 127 are allergens, those from 114 on kinds of nuts and of grain.
def allergens: ["celery", "gluten", "crustaceans", "fish", "eggs", "lupin", "milk", "molluscs", "mustard", "nuts",
    "peanuts", "sesame", "soybeans", "sulphites", "nuts", "gluten", "nuts", "nuts", "nuts", "gluten", "nuts", "gluten",
    "nuts", "nuts", "gluten", "gluten", "nuts", "gluten"] as $names
  | [(.productTags // [])[] | select(. >= 100 and . < 128) | $names[. - 100]] | distinct(.);
# Every other tag is a label. One without a name here keeps its number.
def labels: {"1": "alcohol", "2": "halal", "3": "kosher", "4": "vegan", "5": "vegetarian"} as $names
  | [(.productTags // [])[] | select(. < 100 or . >= 128) | tostring | $names[.] // "tag \(.)"] | distinct(.);
# A maximum of 0 is no limit.
def limits($count): {min: (.min // 0), max: (if (.max // 0) == 0 then [.min // 0, $count] | max else .max end)};

(if type == "array" then map(select(.menu == ($ARGS.named.menu // .menu)))
    | if length == 1 then .[0] else error("\(length) menus: name one of them by --arg menu NAME") end
  else . end)
| (if (.products? and .categories?) // false then .
  else error("this is no menu of Deliverect: it lacks products or categories") end) as $menu
| .products as $products | (.modifiers // {}) as $modifiers | (.modifierGroups // {}) as $groups
| ($groups | keys_unsorted) as $groupKeys | ($groupKeys | numbered(.)) as $groupIDs
| .categories as $categories | ($categories | numbered(._id)) as $categoryIDs
| [$categories[] | .name as $name | $categoryIDs[._id] as $shelf | (.products // [])[]
    | if $products[.] then {product: ., shelf: $shelf}
      else lost("product \(.), which category \($name) lists,") | empty end] as $places
| ([$places[].product] | distinct(.)) as $shown

# A product that has bundles is a combo with a slot for each. A product that only bundles list is sold in combos alone.
| (.bundles // {}) as $all
| [$all | to_entries[] | .key as $bundle | .value | . + {key: $bundle, options: [(.subProducts // [])[] as $key
      | if $products[$key] == null then lost("product \($key), an option of bundle \(.name),") | empty
        elif any(($products[$key].subProducts // [])[]; $all[.]) then
          note("product \($products[$key].name), an option of bundle \(.name), is a combo itself") | empty
        else $key end]}
    | if .options != [] then . else note("bundle \(.name) has no options and is left out") | empty end] as $bundles
| ($bundles | numbered(.key)) as $bundleIDs
| ([$shown[] as $combo | ($products[$combo].subProducts // [])[] | select($bundleIDs[.]) | {combo: $combo, bundle: .}]
    | distinct(.)) as $slots
| ([$slots[].combo] | distinct(.)) as $combos
| ([$bundles[].options[]] - $shown | distinct(.)) as $hidden
| ($shown - $combos + $hidden) as $sold | ($sold | numbered(.)) as $productIDs

# A modifier group's options are modifiers, or products.
| [$groupKeys[] as $group | ($groups[$group].subProducts // [])[]
    | if $modifiers[.] // $products[.] then {group: $group, key: .}
      else lost("\(.), an option of modifier group \($groups[$group].name),") | empty end] as $options
| ([$options[].key] | distinct(.)) as $ingredients | ($ingredients | numbered(.)) as $ingredientIDs
| def option: $modifiers[.] // $products[.];
  reduce (($products | keys_unsorted) - $shown - $hidden - $ingredients)[] as $key (.;
    note("product \($products[$key].name) is in no category, bundle or modifier group, and is left out"))
# Nested modifiers have groups of their own.
| def offered($what): [(.subProducts // [])[] | select($bundleIDs[.] | not)
    | $groupIDs[.] // lost("modifier group \(.), which \($what) names,") | numbers] | distinct(.);
  def translations($entity; $id): . as $row | (.nameTranslations // {}) | to_entries[]
    | select((.value // "") != "") | {locale: .key, entity: $entity, entityID: $id, name: .value}
      + ($row.descriptionTranslations[.key]? | if . then {details: .} else {} end);
  {
    format: "menubench.menu", schema: 1, menu: {
      id: 1, revision: 1, locale: ($ARGS.named.locale // "und"), currency: ($menu.currency | currency), city: "",
      categories: ([$categories[] | {id: $categoryIDs[._id], name: need("name"; "category \(._id)")}]
        + if $hidden == [] then [] else [{id: ($categories | length + 1), name: "Only in combos"}] end),
      ingredients: [$ingredients[] | . as $key | option
        | {id: $ingredientIDs[$key], code: .plu, name: need("name"; "modifier \($key)")} | compact],
      modifierGroups: [$groupKeys[] as $group | $groups[$group] | [$options[] | select(.group == $group) | .key] as $own
        | {id: $groupIDs[$group], name: need("name"; "modifier group \($group)"), free: 0,
            isRequired: ((.min // 0) > 0)} + limits($own | length) + {options: [$own[] | . as $key | option | {
              ingredientID: $ingredientIDs[$key], prices: [{size: "", price: price("modifier \(.name)")}],
              modifierGroupIDs: offered("modifier \(.name)")
            }]}],
      products: [$sold[] as $key | $products[$key] | [$places[] | select(.product == $key) | .shelf] as $stands | {
          id: $productIDs[$key], code: .plu, categoryID: ($stands[0] // ($categories | length + 1)),
          otherCategoryIDs: ($stands | distinct(.) | .[1:]), kind: "other", name: need("name"; "product \($key)"),
          details: (.description // ""), tags: labels, allergens: allergens,
          availability: (if .visible == false then "hidden" elif $stands == [] then "comboOnly" else "available" end),
          variants: [{id: $productIDs[$key], code: .plu, size: "", price: price("product \(.name)"), priceTiers: [],
            image: (.imageUrl // "")} | compact],
          ingredients: [], modifierGroupIDs: offered("product \(.name)")
        } | compact],
      # A product that only bundles list costs what it adds to the combo's price. Any other adds nothing.
      optionLists: [$bundles[] | {id: $bundleIDs[.key], options: [.options[] as $key | {
          productID: $productIDs[$key], surcharge: (if $hidden | index($key) then $products[$key].price else 0 end)
        }]}],
      combos: [$combos | to_entries[] | (.key + 1) as $id | .value as $combo | $products[$combo]
        | (if offered("product \(.name)") == [] then . else note("modifier groups of \(.name) have no place") end)
        | {
          id: $id, code: .plu, name: need("name"; "product \($combo)"), details: (.description // ""),
          price: price("product \(.name)"), image: (.imageUrl // ""),
          slots: [$slots | to_entries[] | select(.value.combo == $combo)
            | (.key + 1) as $slot | .value.bundle as $bundle | $bundles[] | select(.key == $bundle)
            | {id: $slot, name: need("name"; "bundle \($bundle)")} + limits(.options | length)
              + {optionListID: $bundleIDs[$bundle]}]
        } | compact],
      # Snoozed is out of stock, until a date that stands elsewhere.
      stopList: [$sold[] as $key | $products[$key] | select(.snoozed == true)
        | {entity: "product", entityID: $productIDs[$key],
            until: ($menu.snoozedProducts[.snoozeId // ""]?.snoozeEnd? // null)} | compact],
      translations: [($categories[] | translations("category"; $categoryIDs[._id])),
        ($sold[] as $key | $products[$key] | translations("product"; $productIDs[$key])),
        ($ingredients[] as $key | $key | option | translations("ingredient"; $ingredientIDs[$key])),
        ($groupKeys[] as $group | $groups[$group] | translations("modifierGroup"; $groupIDs[$group]))]
    }
  }
