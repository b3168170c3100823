# A catalog of Square's Catalog API, as ListCatalog or SearchCatalogObjects answers it, in MenuBench's format: one list
# of objects of several types, each with its id outside its data.
# https://developer.squareup.com/docs/catalog-api/design-a-catalog
# https://developer.squareup.com/reference/square/objects/CatalogItemModifierListInfo (the meaning of 0 and -1)
#
#   jq -f Datasets/recipes/square.jq catalog.json | bench import - --out menu.json
#
# ListCatalog answers in pages: join them first, by jq -s '{objects: map(.objects[])}'. A catalog names no language:
# it is und, undetermined, unless you add --arg locale en-US. Ids are counted from 1, and code keeps Square's ids.
# A reference that leads nowhere is left out, and a note on standard error names it. A variation priced at the till is
# left out with a note, too. A fixed price that is missing ends the recipe.

def note($text): . as $it | ("note: " + $text | debug | empty), $it;
def lost($text): note($text + " is not in the catalog") | null;
def need($key; $what): .[$key] // error("\($what) has no \($key)");
def distinct(f): to_entries | unique_by(.value | f) | sort_by(.key) | map(.value);
# The id of each element by a text of it.
def numbered(f): to_entries | map({key: (.value | f), value: (.key + 1)}) | from_entries;
# Optional keys are absent, never null.
def compact: with_entries(select(.value != null));
# Whole minor units, as Square writes them; of a modifier below zero where it makes an item cheaper.
def amount($what): if type == "number" and floor == . then . else error("\($what): \(tojson) is no amount") end;

((.objects? // error("this is no Square catalog: it has no list of objects")) + (.related_objects? // [])
  | map({id: need("id"; "an object")} + .) | distinct(.id)) as $objects
| def all($type): $objects[] | select(.type == $type and (.is_deleted | not));
  [all("CATEGORY")] as $categories
| ($categories | numbered(.id)) as $categoryIDs
| [all("MODIFIER_LIST")] as $lists
| ([all("IMAGE") | {key: .id, value: .image_data.url}] | from_entries) as $images

# Variations stand in their item. An answer to a search for variations has them as objects of the list.
| ([all("ITEM_VARIATION")] | group_by(.item_variation_data.item_id)
    | map({key: (.[0].item_variation_data.item_id // ""), value: .}) | from_entries) as $loose
| [all("ITEM") | (.id as $id | .item_data | need("name"; "item \($id)")) as $name | . + {
      variations: [(.item_data.variations // $loose[.id] // [])[] | select(.is_deleted | not)
        | .item_variation_data as $data | "variation \($data.name // .id) of item \($name)" as $what
        | if $data.pricing_type == "VARIABLE_PRICING" then
            note("\($what) is priced at the till and is left out") | empty
          elif $data.price_money == null then error("\($what) has no price_money") else . end]
    } | if .variations != [] then . else note("item \($name) has no variation to order and is left out") | empty end
  ] as $items
| ([$items[].variations[]] | numbered(.id)) as $variationIDs

# An item that offers a list may set limits of its own, so there is a group for each list with each pair of limits.
# A maximum of 0 is no limit. -1 is a limit that was not set: the list's own holds.
| def set: if . != null and . >= 0 then . else null end;
  def offered: [.item_data.name as $item
    | (.item_data.modifier_list_info // [])[] | select(.enabled != false) | . as $info
    | [$lists[] | select(.id == $info.modifier_list_id)][0]
      // lost("modifier list \(.modifier_list_id), which item \($item) names,")
    | .id as $id | .modifier_list_data // empty
    | if .modifier_type == "TEXT" then note("modifier list \(.name) asks for a text and is left out") | empty else {
        list: $id, min: (($info.min_selected_modifiers | set) // (.min_selected_modifiers | set) // 0),
        max: (($info.max_selected_modifiers | set) // (.max_selected_modifiers | set)
          // (if .selection_type == "SINGLE" then 1 else 0 end))
      } end] | distinct(.);
  [$items[] | . + {groups: offered}] as $items
| ([$items[].groups[]] | distinct(.)) as $groups
| ($groups | numbered(tojson)) as $groupIDs
| [$lists[] | (.modifier_list_data.modifiers // [])[] | select(.is_deleted | not)] as $modifiers
| ($modifiers | numbered(.id)) as $modifierIDs

| ([$items[].variations[], $modifiers[] | (.item_variation_data // .modifier_data).price_money.currency // empty]
    | unique) as $currencies
| if $currencies | length > 1 then error("the catalog has prices in \($currencies | join(" and "))") else . end

# An item may stand in several categories; before December 2023 it had one, category_id.
| def stands: .item_data as $data
    | [($data.categories // [])[].id, ($data.category_id, $data.reporting_category.id | strings)] | distinct(.)
    | map($categoryIDs[.] // lost("category \(.), which item \($data.name) names,") | numbers);
  [$items[] | . + {stands: stands}] as $items
| any($items[]; .stands == []) as $isLoose
| {
    format: "menubench.menu", schema: 1, menu: {
      id: 1, revision: 1, locale: ($ARGS.named.locale // "und"), currency: ($currencies[0] // "XXX"), city: "",
      categories: ([$categories[] | .id as $id | .category_data.parent_category.id as $parent | {
          id: $categoryIDs[$id], name: (.category_data | need("name"; "category \($id)")),
          parentID: ($parent | if . then $categoryIDs[.] // lost("category \(.), above \($id),") else . end)
        } | compact] + if $isLoose then [{id: ($categories | length + 1), name: "Uncategorized"}] else [] end),
      ingredients: [$modifiers[] | {
          id: $modifierIDs[.id], code: .id, name: (.id as $id | .modifier_data | need("name"; "modifier \($id)"))
        }],
      modifierGroups: [$groups[] | . as $group | $lists[] | select(.id == $group.list)
        | [(.modifier_list_data.modifiers // [])[] | select(.is_deleted | not)] as $options | {
          id: $groupIDs[$group | tojson], name: (.modifier_list_data.name // ""), min: $group.min,
          max: (if $group.max == 0 then [$group.min, ($options | length)] | max else $group.max end), free: 0,
          isRequired: ($group.min > 0),
          # One price holds for all sizes. A modifier may have none.
          options: [$options[] | {ingredientID: $modifierIDs[.id], prices: [.modifier_data.name as $name
            | .modifier_data.price_money // empty | {size: "", price: (.amount | amount("modifier \($name)"))}]}]
        }],
      products: [$items | to_entries[] | .key as $place | .value | .item_data as $item | {
          id: ($place + 1), code: .id, categoryID: (.stands[0] // ($categories | length + 1)),
          otherCategoryIDs: .stands[1:], kind: "other", name: $item.name,
          details: ($item.description_plaintext // $item.description // ""), tags: [],
          availability: (if $item.is_archived then "hidden" else "available" end),
          variants: [.variations[] | .item_variation_data as $data | {
              id: $variationIDs[.id], code: .id, size: ($data.name // ""),
              price: ($data.price_money.amount | amount("variation \($data.name) of item \($item.name)")),
              priceTiers: [], image: ($images[($data.image_ids // $item.image_ids // [])[0] // ""] // "")
            }],
          ingredients: [], modifierGroupIDs: [.groups[] | $groupIDs[tojson]]
        }],
      optionLists: [], combos: [], stopList: [], translations: []
    }
  }
