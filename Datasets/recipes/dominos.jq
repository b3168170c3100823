# One store's menu from the Domino's ordering API, as https://github.com/RIAEvangelist/node-dominos-pizza-api
# fetches it and https://github.com/harrybrwn/apizza keeps one (dawg/testdata/menu.json), in MenuBench's format.
#
#   jq -f Datasets/recipes/dominos.jq menu.json | bench import - --out menu-ours.json
#
# The API names no currency: it is USD unless you add --arg currency CAD. Ids are counted from 1. Toppings, coupons and
# products without a category come sorted by code: the file keeps them in objects, whose order means nothing.
# A reference that leads nowhere is left out, and a note on standard error names it. A variant without a price is left
# out with a note, too. A price that cannot be read ends the recipe.

def note($text): . as $it | ("note: " + $text | debug | empty), $it;
def need($key; $what): .[$key] // error("\($what) has no \($key)");
def distinct(f): to_entries | unique_by(.value | f) | sort_by(.key) | map(.value);
# The id of each element by a text of it.
def numbered(f): to_entries | map({key: (.value | f), value: (.key + 1)}) | from_entries;
# Optional keys are absent, never null.
def compact: with_entries(select(.value != null));

# Prices are texts such as 6.99. They are read by their digits, so that they stay exact. An empty text is no price.
def cents($what):
  if . == null or . == "" then null
  elif type == "string" and test("^[0-9]{1,12}([.][0-9]{1,2})?$") then
    split(".") | (.[0] | tonumber) * 100 + (((.[1] // "") + "00")[:2] | tonumber)
  else error("\($what): \(tojson) is no price like 6.99") end;

# A node of the tree and all below it, parents first; its path tells it apart.
def shelves($path):
  {path: ($path | tojson), parent: (if $path == [] then null else $path[:-1] | tojson end), node: .},
  ((.Categories // []) | to_entries[] | .key as $place | .value | shelves($path + [$place]));

# A list such as X=0:0.5:1,P,Cp=1: codes, with the quantities that may be chosen.
def options: [(. // "") | split(",")[] | select(. != "") | split("=")
  | {code: .[0], quantities: ((.[1] // "") | split(":"))}];
# The elements of a list that are among the toppings or sides of the product's type.
def known($section; $family; $ids):
  [options[] | . + {id: $ids[[$section, $family, .code] | tojson]}
    | if .id then . else note("\(.code), a choice of \($family), is not in the file") | empty end]
  | distinct(.id);

def kind: {
    Pizza: "pizza", Bread: "snack", Chips: "snack", GSalad: "snack", Pasta: "snack", Sandwich: "snack",
    Wings: "snack", Drinks: "drink", Dessert: "dessert"
  }[.] // "other";

. as $file
| (if (.Categorization? and .Products? and .Variants?) // false then .
    else error("this is no Domino's menu: it lacks Categorization, Products or Variants") end)
| [.Categorization.Food // empty | shelves([])] as $shelves
| ($shelves | numbered(.path)) as $shelfIDs
| [$shelves[] | $shelfIDs[.path] as $shelf | (.node.Products // [])[]
    | if $file.Products[.] then {code: ., shelf: $shelf}
      else note("product \(.), which a category lists, is not in the file") | empty end] as $places
| (($file.Products | keys) - ($places | map(.code))) as $unplaced
| ($places + [$unplaced[] | note("product \(.) stands in no category and goes to Uncategorized")
    | {code: ., shelf: ($shelves | length + 1)}]) as $places
| ($places | map(.code) | distinct(.)) as $codes

| [("Toppings", "Sides") as $section | ($file[$section] // {}) as $families | ($families | keys[]) as $family
    | $families[$family] as $rows | $rows | keys[] as $code
    | {key: ([$section, $family, $code] | tojson), code: $code,
       name: ($rows[$code] | need("Name"; "\($code) of \($family)"))}] as $ingredients
| ($ingredients | numbered(.key)) as $ingredientIDs

# A variant is ordered by its code alone: it can be of one product only.
| (reduce ($codes[] as $product | ($file.Products[$product].Variants // [])[] | {product: $product, code: .}) as $v ([];
    $file.Variants[$v.code] as $row
    | if $row == null then note("variant \($v.code), which product \($v.product) lists, is not in the file")
      elif any(.[]; .code == $v.code) then
        note("variant \($v.code), which product \($v.product) lists, stays with the first product that does")
      elif ($row.Price | cents("variant \($v.code)")) == null then
        note("variant \($v.code) has no price and is left out")
      else . + [$v] end)) as $variants
| ($variants | numbered(.code)) as $variantIDs
| [$codes[] | . as $code | if any($variants[]; .product == $code) then .
    else note("product \(.) has no variant to order and is left out") | empty end] as $sold
| ($sold | numbered(.)) as $productIDs

| (reduce $sold[] as $code ({}; $file.Products[$code] as $row
    | .[$code] = [("Toppings", "Sides") as $section | {
        section: $section, family: $row.ProductType,
        choices: ($row["Available" + $section] | known($section; $row.ProductType; $ingredientIDs)),
        content: ($row["Default" + $section] | known($section; $row.ProductType; $ingredientIDs))
      }])) as $lists
# Products that offer the same share a group.
| def group: {section, family, ids: (.choices | map(.id))};
  ([$sold[] | $lists[.][] | group | select(.ids != [])] | distinct(.)) as $groups
| ($groups | numbered(tojson)) as $groupIDs

| def named($table; $code; $family):
    if ($code // "") == "" then null
    else $file[$table][$family][$code].Name // ($code | note("\($code) of \($family) is not in \($table)")) end;
  def variant($family): $file.Variants[.] as $row | {
      id: $variantIDs[.], code: ., size: (named("Sizes"; $row.SizeCode; $family) // $row.Name // ""),
      dough: named("Flavors"; $row.FlavorCode; $family), price: ($row.Price | cents("variant")),
      # Up to ten further prices, by coupon and by number of toppings.
      priceTiers: [($row.Pricing // {}) | to_entries | sort_by(.key)[] | .key as $name
        | {name: $name, price: (.value | cents("\($name) of a variant"))} | select(.price != null)],
      image: ($row.ImageCode // "")
    } | compact;
  def product: . as $code | $file.Products[$code]
    | [$places[] | select(.code == $code) | .shelf] as $stands
    | (.ProductType // error("product \($code) has no ProductType")) as $family
    | {
      id: $productIDs[$code], code: $code, categoryID: $stands[0],
      otherCategoryIDs: ($stands[1:] - [$stands[0]] | distinct(.)), kind: ($family | kind),
      name: need("Name"; "product \($code)"), details: (.Description // ""), tags: [], availability: "available",
      variants: [$variants[] | select(.product == $code) | .code | variant($family)],
      # A customer may leave an ingredient out where 0 is among its quantities, or no quantity is named.
      ingredients: [$lists[$code][] | .choices as $choices | .content[] | .code as $option | {
          ingredientID: .id,
          isRemovable: any($choices[]; .code == $option and (.quantities == [] or (.quantities | index("0") != null)))
        }],
      modifierGroupIDs: [$lists[$code][] | group | select(.ids != []) | $groupIDs[tojson]]
    };
  def combos($section; slots): ($file[$section] // {}) | to_entries | sort_by(.key)[] | .value + {filed: .key} | {
      code: .filed, name: need("Name"; "\(.filed) of \($section)"), details: (.Description // ""),
      price: (.filed as $code | .Price | cents("coupon \($code)")), image: (.ImageCode // ""), slots: slots
    };
  (.PreconfiguredProducts // {} | keys | numbered(.)) as $slotIDs
| {
    format: "menubench.menu", schema: 1, menu: {
      id: (.Misc.StoreID // "" | tostring | if test("^[0-9]{1,15}$") then tonumber else 1 end), revision: 1,
      locale: (.Misc.LanguageCode | if (. // "") == "" then "und" else . end),
      currency: ($ARGS.named.currency // "USD"), city: "",
      categories: ([$shelves[] | {
          id: $shelfIDs[.path], parentID: (.parent as $parent | $parent | if . then $shelfIDs[.] else null end),
          name: (if (.node.Name // "") == "" then .node | need("Code"; "a category") else .node.Name end)
        } | compact] + if $unplaced == [] then [] else [{id: ($shelves | length + 1), name: "Uncategorized"}] end),
      ingredients: [$ingredients[] | {id: $ingredientIDs[.key], code, name}],
      modifierGroups: [$groups[] | {
          id: $groupIDs[tojson], name: "\(.family) \(.section | ascii_downcase)", min: 0, max: (.ids | length), free: 0,
          isRequired: false, options: [.ids[] | {ingredientID: ., prices: []}]
        }],
      products: [$sold[] | product], optionLists: [],
      # Coupons say only in words what they are for: they have no slots.
      combos: ([combos("Coupons"; []), combos("PreconfiguredProducts"; . as $row
          | [$variants[] | select(.code == $row.ReferencedProductCode)] | if . == [] then
              note("preconfigured product \($row.filed) has no slot: \($row.ReferencedProductCode) is not sold")
            else $productIDs[.[0].product] as $product | [{
                id: $slotIDs[$row.filed], name: $file.Products[.[0].product].Name, min: 1, max: 1,
                options: [{productID: $product, variantID: $variantIDs[.[0].code], surcharge: 0}],
                defaultProductID: $product
              }] end)]
        | to_entries | map({id: (.key + 1)} + .value | compact)),
      stopList: [], translations: []
    }
  }
