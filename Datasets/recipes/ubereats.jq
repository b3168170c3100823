# A store's menus as Uber Eats' Menu API takes and gives them, in MenuBench's format: menus list categories, categories
# list items, and a modifier group's options are items, which hold the price.
# https://developer.uber.com/docs/eats/references/api/v2/put-eats-stores-storeid-menu
# https://developer.uber.com/docs/eats/references/api/v2/example-menu-payloads
#
#   jq -f Datasets/recipes/ubereats.jq menu.json | bench import - --out menu-ours.json
#
# The API names no currency: it is USD unless you add --arg currency EUR. The language is the first that a title is in,
# unless you add --arg locale fr_ca. The others become translations. Ids are counted from 1, and code keeps Uber's ids.
# A reference that leads nowhere is left out, and a note on standard error names it. A missing price ends the recipe.

def note($text): . as $it | ("note: " + $text | debug | empty), $it;
def lost($text): note($text + " is not in the file") | null;
def distinct(f): to_entries | unique_by(.value | f) | sort_by(.key) | map(.value);
# The id of each element by a text of it.
def numbered(f): to_entries | map({key: (.value | f), value: (.key + 1)}) | from_entries;
def indexed(f): map({key: f, value: .}) | from_entries;

# en_us is en-US here.
def locale: split("_") | .[:1] + (.[1:] | map(ascii_upcase)) | join("-");
def text($locale): (.translations // {}) | .[$locale] // [.[]][0];
def title($locale; $what): (.title // {} | text($locale)) // error("\($what) has no title");
def cents($what): if type == "number" and floor == . then . elif . == null then error("\($what) has no price")
  else error("\($what): \(tojson) is no price in cents") end;

def minute: if type == "string" and test("^[0-9]{2}:[0-9]{2}$") then split(":") | map(tonumber) | .[0] * 60 + .[1]
  else error("\(tojson) is no time like 10:30") end;
def day: {monday: 1, tuesday: 2, wednesday: 4, thursday: 8, friday: 16, saturday: 32, sunday: 64}[ascii_downcase]
  // error("\(tojson) is no day of the week");
# Days with the same hours become one entry. Hours that cover every day are no limit, so there is no entry.
def hours: group_by([.from, .until]) | map({days: (map(.day) | unique | add), from: .[0].from, until: .[0].until})
  | if any(.[]; .days == 127 and .from == 0 and .until == 1440) then [] else . end;

(if (.items? and .categories?) // false then .
  else error("this is no menu of Uber Eats: it lacks items or categories") end)
| (.items | indexed(.id)) as $items | (.modifier_groups // [] | indexed(.id)) as $groups
| (.categories | indexed(.id)) as $categories
| ($ARGS.named.locale // ([.items[] | .title.translations // {} | keys_unsorted[]][0]) // "und") as $locale

# Each menu has hours of its own. Where a file has no menus, its categories are served always.
| [(.menus // [{category_ids: (.categories | map(.id))}])[] | {
      categories: [(.category_ids // [])[]
        | if $categories[.] then . else lost("category \(.), which a menu lists,") | empty end],
      # 23:59 is the end of a day.
      hours: [(.service_availability // [])[] | (.day_of_week | day) as $day | (.time_periods // [])[] | {
          day: $day, from: (.start_time | minute), until: (.end_time | minute | if . == 1439 then 1440 else . end)
        }]
    }] as $menus
| ([$menus[].categories[]] | distinct(.)) as $shelves | ($shelves | numbered(.)) as $categoryIDs
| [$shelves[] as $category | ($categories[$category].entities // [])[]
    | if $items[.id] then {item: .id, category: $category}
      else lost("item \(.id), which category \($category) lists,") | empty end] as $places
| ([$places[].item] | distinct(.)) as $products | ($products | numbered(.)) as $productIDs
| ($groups | keys_unsorted) as $groupKeys | ($groupKeys | numbered(.)) as $groupIDs
| [$groups[] | .id as $group | (.modifier_options // [])[]
    | if $items[.id] then {group: $group, item: .id}
      else lost("item \(.id), an option of modifier group \($group),") | empty end] as $options
| ([$options[].item] | distinct(.)) as $ingredients | ($ingredients | numbered(.)) as $ingredientIDs
| reduce ((.items | map(.id)) - $products - $ingredients)[] as $item (.; 
    note("item \($item) is in no category and in no modifier group, and is left out"))
| reduce (.items[] | select(any((.price_info.overrides // [])[]; .context_type != "MODIFIER_GROUP"))) as $item (.;
    note("item \($item.id) costs something else in one menu or item, which has no place"))

| def offered: .id as $item | [(.modifier_group_ids.ids // [])[]
    | $groupIDs[.] // lost("modifier group \(.), which item \($item) names,") | numbers] | distinct(.);
  def translations($entity; $id): . as $row | (.title.translations // {}) | to_entries[] | select(.key != $locale)
    | {locale: (.key | locale), entity: $entity, entityID: $id, name: .value}
      + ($row.description.translations[.key]? | if . then {details: .} else {} end);
  def stops($entity; $id): .suspension_info.suspension.suspend_until // 0 | select(. > 0)
    | {entity: $entity, entityID: $id, until: todate};
  [$products[] | $items[.] | {key: .id, value: offered}] as $ofProducts
| [($ingredients - $products)[] | $items[.] | {key: .id, value: offered}] as $ofIngredients
| ($ofProducts + $ofIngredients | from_entries) as $offered
| {
    format: "menubench.menu", schema: 1, menu: {
      id: 1, revision: 1, locale: ($locale | locale), currency: ($ARGS.named.currency // "USD"), city: "",
      categories: [$shelves[] | $categories[.] | {id: $categoryIDs[.id], name: title($locale; "category \(.id)")}],
      ingredients: [$ingredients[] | $items[.] | {
          id: $ingredientIDs[.id], code: .id, name: title($locale; "item \(.id)")
        }],
      modifierGroups: [$groupKeys[] | . as $group | $groups[.] | (.quantity_info.quantity // {}) as $limits
        | [$options[] | select(.group == $group)] as $own | ($limits.min_permitted // 0) as $min
        # No maximum, or 0, is no limit.
        | ($limits.max_permitted // 0 | if . == 0 then [$min, ($own | length)] | max else . end) as $max | {
          id: $groupIDs[$group], name: title($locale; "modifier group \($group)"), min: $min, max: $max,
          free: ([$limits.charge_above // 0, $max] | min), isRequired: ($min > 0),
          # The item's price, or the one that it has in this group.
          options: [$own[] | $items[.item] | {
              ingredientID: $ingredientIDs[.id], modifierGroupIDs: $offered[.id],
              prices: [{size: "", price: (([.price_info.overrides[]?
                | select(.context_type == "MODIFIER_GROUP" and .context_value == $group) | .price][0]
                // .price_info.price) as $price | .id as $item | $price | cents("item \($item)"))}]
            }]
        }],
      products: [$products[] | . as $id | [$places[] | select(.item == $id) | .category] as $stands
        | [$menus[] | select(.categories - $stands != .categories) | .hours] as $served | $items[$id] | {
          id: $productIDs[$id], code: $id, categoryID: $categoryIDs[$stands[0]],
          otherCategoryIDs: ($stands | distinct(.) | .[1:] | map($categoryIDs[.])), kind: "other",
          name: title($locale; "item \($id)"), details: (.description // {} | text($locale) // ""),
          tags: (.dish_info.classifications.dietary_label_info.labels // [] | map(ascii_downcase) | distinct(.)),
          availability: "available", hours: (if any($served[]; . == []) then [] else $served | add | hours end),
          variants: [{
              id: $productIDs[$id], size: "", price: (.price_info.price | cents("item \($id)")), priceTiers: [],
              image: (.image_url // "")
            }],
          ingredients: [], modifierGroupIDs: $offered[$id]
        }],
      optionLists: [], combos: [],
      stopList: [($products[] | $items[.] | stops("product"; $productIDs[.id])),
        ($ingredients[] | $items[.] | stops("ingredient"; $ingredientIDs[.id]))],
      translations: [($shelves[] | $categories[.] | translations("category"; $categoryIDs[.id])),
        ($products[] | $items[.] | translations("product"; $productIDs[.id])),
        ($ingredients[] | $items[.] | translations("ingredient"; $ingredientIDs[.id])),
        ($groupKeys[] | $groups[.] | translations("modifierGroup"; $groupIDs[.id]))]
    }
  }
