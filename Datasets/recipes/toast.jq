# A restaurant's menus as Toast's Menus API gives them, in MenuBench's format: menus hold groups, groups hold groups to
# any depth and items, and an item refers to modifier groups by number.
# https://doc.toasttab.com/openapi/menus/tag/Data-definitions/schema/MenuItem (also ModifierGroup, PricingRules, …)
# https://doc.toasttab.com/doc/devguide/apiUsingPricingRulesAndPricingStrategyToCalculatePrices_V2.html
#
#   jq -f Datasets/recipes/toast.jq menus.json | bench import - --out menu.json
#
# The API names neither currency nor language: they are USD and und, undetermined, unless you add --arg currency CAD or
# --arg locale en-CA. Ids are counted from 1, and code is Toast's guid. A reference that leads nowhere is left out, and
# a note on standard error names it. A missing price ends the recipe, unless it is asked for at the till.

def note($text): . as $it | ("note: " + $text | debug | empty), $it;
def lost($text): note($text + " is not in the file") | null;
def need($key; $what): .[$key] // error("\($what) has no \($key)");
def distinct(f): to_entries | unique_by(.value | f) | sort_by(.key) | map(.value);
# The id of each element by a text of it.
def numbered(f): to_entries | map({key: (.value | f), value: (.key + 1)}) | from_entries;
# Optional keys are absent, never null.
def compact: with_entries(select(.value != null));
# Dollars become cents. A number with a third decimal is no price.
def cents($what): if . == null then error("\($what) has no price")
  elif type == "number" and ((. * 100 - (. * 100 | round)) | fabs) < 0.000001 then . * 100 | round
  else error("\($what): \(tojson) is no price like 6.99") end;

def minute: if type == "string" and test("^[0-9]{2}:[0-9]{2}") then
    .[:5] | split(":") | map(tonumber) | .[0] * 60 + .[1]
  else error("\(tojson) is no time like 16:00") end;
def day: {MONDAY: 1, TUESDAY: 2, WEDNESDAY: 4, THURSDAY: 8, FRIDAY: 16, SATURDAY: 32, SUNDAY: 64}[.]
  // error("\(tojson) is no day of the week");
# A menu that is always there has no hours. 23:59 is the end of a day.
def hours: if .availability.alwaysAvailable != false then [] else [.availability.schedule[]?
    | (.days | map(day) | add) as $days | .timeRanges[] | {
      days: $days, from: (.start | minute), until: (.end | minute | if . == 1439 then 1440 else . end)
    }] end;

# A menu or group and all below it, parents first; its path tells it apart.
def shelves($path; $hours):
  {path: ($path | tojson), parent: (if $path[1:] == [] then null else $path[:-1] | tojson end), hours: $hours, node: .},
  ((.menuGroups // []) | to_entries[] | .key as $place | .value | shelves($path + [$place]; $hours));

(if .menus? // false then . else error("this is no answer of Toast's Menus API: it has no menus") end)
| (.modifierGroupReferences // {}) as $groups | (.modifierOptionReferences // {}) as $options
| [.menus | to_entries[] | .key as $place | .value | hours as $hours | shelves([$place]; $hours)] as $shelves
| ($shelves | numbered(.path)) as $shelfIDs
| [$shelves[] | {shelf: $shelfIDs[.path], hours} as $place | (.node.menuItems // [])[]
    | (.name // "an item") as $name | $place + {guid: need("guid"; $name), item: .}] as $places

# An item priced by size has a group of its own for them, whose options have the whole price.
| def options: .name as $name | [(.modifierOptionReferences // [])[]
    | tostring as $key | $options[$key] // lost("option \(.), which modifier group \($name) lists,")
    | objects + {key: $key}];
  def sizes($what): .pricingRules.sizeSpecificPricingGuid as $guid
    | ([$groups[] | select($guid != null and .guid == $guid)][0]
      // error("\($what) has no price: its sizes are not in the file"))
    | options | map(need("name"; "a size of \($what)") as $size
      | {size: $size, guid, price: (.price | cents("\($size) of \($what)"))});
  [$places | distinct(.guid)[] | .item.name as $name | if .item.pricingStrategy == "OPEN_PRICE" then
      note("item \($name) is priced at the till and is left out") | empty
    else . + {sizes: (if .item.pricingStrategy == "SIZE_PRICE" then .item | sizes("item \($name)") else
        [{size: "", guid, price: (.item.price | cents("item \($name)"))}] end)} end
    | if .sizes == [] then note("item \($name) has no size to order and is left out") | empty else . end] as $products
| ($products | numbered(.guid)) as $productIDs
| ([$products[] as $p | $p.sizes[] | {guid: $p.guid, size: .guid}] | distinct(.)) as $variants
| ($variants | numbered(tojson)) as $variantIDs
| reduce ($places | group_by(.guid)[] | select(map(.item.price) | unique | length > 1) | .[0].item.name) as $name (.;
    note("item \($name) costs something else in another menu; the first counts"))

# Groups of sizes became variants. An option of any other group may have groups of its own.
| [$places[].item | select(.pricingStrategy == "SIZE_PRICE").pricingRules.sizeSpecificPricingGuid] as $sizeGroups
| [$groups | keys_unsorted[] | select($groups[.].guid as $guid | $sizeGroups | index($guid) | not)] as $groupKeys
| ($groupKeys | numbered(.)) as $groupIDs
| [$groupKeys[] as $key | $groups[$key] | {key: $key, group: ., options: options}] as $modified
| ([$modified[].options[]] | distinct(.key)) as $ingredients
| ($ingredients | numbered(.key)) as $ingredientIDs
| def offered($what): [(.modifierGroupReferences // [])[] | tostring | . as $key
    | if $groups[$key] == null then lost("modifier group \($key), which \($what) names,") else $groupIDs[$key] end
    | numbers] | distinct(.);
  # Either the group prices its options, by size or by the order of choosing, or each option has a price.
  def prices($group): "option \(.name) of \($group.name)" as $what
    | if ($group.pricingStrategy // "NONE") != "NONE" and .pricingStrategy == "GROUP_PRICE" then
        [$group.pricingRules.sizeSequencePricingRules[]? | {size: (.sizeName // ""),
          price: ((.sequencePrices | min_by(.sequence).price) | cents($what))}]
        | if . == [] then error("\($what) has no price") else distinct(.size) end
      elif .pricingStrategy == "SIZE_PRICE" then sizes($what) | map({size, price}) | distinct(.size)
      elif .pricingStrategy == "OPEN_PRICE" then note("\($what) is priced at the till") | []
      else [{size: "", price: (.price | cents($what))}] end;
  # A price that holds at some hours is a further price.
  def tiers: .name as $name | [.pricingRules.timeSpecificPricingRules[]? | {
      name: ([.schedule[]? | .days + [.timeRanges[]? | "\(.start)-\(.end)"] | join(" ")] | join(", ")),
      price: (.timeSpecificPrice | cents("item \($name) at some hours"))}];
  {
    format: "menubench.menu", schema: 1, menu: {
      id: 1, revision: 1, locale: ($ARGS.named.locale // "und"), currency: ($ARGS.named.currency // "USD"), city: "",
      categories: [$shelves[] | {
          id: $shelfIDs[.path], parentID: (.parent | if . then $shelfIDs[.] else . end),
          name: (.node | need("name"; "a menu or group"))
        } | compact],
      ingredients: [$ingredients[] | {
          id: $ingredientIDs[.key], code: .guid, name: need("name"; "option \(.key)")
        } | compact],
      modifierGroups: [$modified[] | .options as $own | .group as $group | .key as $key | $group
        | (.minSelections // 0) as $min | {
          id: $groupIDs[$key], name: need("name"; "modifier group \($key)"), min: $min,
          # No maximum is no limit.
          max: (.maxSelections // (if .isMultiSelect == false then 1 else [$min, ($own | length)] | max end)),
          free: 0, isRequired: ($min > 0), options: [$own[] | {
              ingredientID: $ingredientIDs[.key], prices: prices($group),
              modifierGroupIDs: offered("option \(.name)")
            }]
        }],
      products: [$products[] | . as $product | [$places[] | select(.guid == $product.guid)] as $stands | .item | {
          id: $productIDs[.guid], code: .guid, categoryID: $stands[0].shelf,
          otherCategoryIDs: ($stands | map(.shelf) | distinct(.) | .[1:]), kind: "other",
          name: need("name"; "item \(.guid)"), details: (.description // ""),
          tags: [(.itemTags // [])[].name] | distinct(.),
          availability: (if .visibility == [] then "hidden" else "available" end),
          hours: ($stands | map(.hours) | if any(.[]; . == []) then [] else add | distinct(.) end),
          variants: [$product.sizes[] as $size | {
              id: $variantIDs[{guid, size: $size.guid} | tojson], code: $size.guid, size: $size.size,
              price: $size.price, priceTiers: tiers, image: (.image // "")
            } | compact],
          ingredients: [], modifierGroupIDs: offered("item \(.name)")
        }],
      optionLists: [], combos: [], stopList: [], translations: []
    }
  }
