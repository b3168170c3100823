import Foundation
import MenuModel

/// A few made-up products in the shape of the Domino's ordering API.
enum DominosFixture {
  static let text = #"""
    {
      "Misc": {"StoreID": "77", "LanguageCode": "fr", "Status": 0, "ExpiresOn": ""},
      "Categorization": {
        "Food": {"Code": "Food", "Name": "All food", "Tags": {}, "Products": [], "Categories": [
          {"Code": "Round", "Name": "Round things", "Products": ["P_TWO", "P_GONE", "P_ONE"],
           "Categories": [
             {"Code": "Hollow", "Name": "", "Products": [], "Categories": [], "Tags": {"A": "1"}},
             {"Code": "More", "Name": "More", "Products": ["P_ONE", "P_EMPTY", "P_WING"]}]}]},
        "Coupons": {"Code": "Coupons", "Name": "", "Categories": [{"Code": "All"}]}
      },
      "Products": {
        "P_ONE": {"Code": "P_ONE", "Name": "One", "Description": "The first", "ProductType": "Pizza",
          "AvailableToppings": "T=0:1:2,S=1,Q,T", "DefaultToppings": "T=1.5,S=1,U=1",
          "AvailableSides": "", "DefaultSides": "", "Variants": ["V1S", "V1L", "V_GONE"],
          "ImageCode": "P_ONE", "Tags": {"Hot": true}},
        "P_TWO": {"Code": "P_2", "Name": "Two", "Description": "", "ProductType": "Pizza",
          "AvailableToppings": "T,S,U", "DefaultToppings": "", "Variants": ["V2", "V1S"]},
        "P_WING": {"Name": "Wing", "ProductType": "Wings", "AvailableSides": "D",
          "DefaultSides": "D=1", "Variants": ["VW", "VFREE"]},
        "P_EMPTY": {"Name": "Nothing", "ProductType": "Wings", "Variants": []},
        "P_ODD": {"Name": "Oddity", "ProductType": "Hats", "Variants": ["VH"]}
      },
      "Variants": {
        "V1S": {"Code": "V1S", "Name": "One small", "ProductCode": "P_ONE", "SizeCode": "10",
          "FlavorCode": "THIN", "Price": "6.99", "ImageCode": "one.jpg", "Prepared": true,
          "Pricing": {"B": "7.5", "A": "6.99", "C": ""}},
        "V1L": {"Name": "One large", "ProductCode": "P_ONE", "SizeCode": "99", "FlavorCode": "X",
          "Price": "10"},
        "V2": {"Name": "Two", "ProductCode": "P_NONE", "SizeCode": "", "FlavorCode": "",
          "Price": "0"},
        "VW": {"Name": "Wing box", "ProductCode": "P_WING", "SizeCode": "", "Price": "0.05"},
        "VFREE": {"Name": "Unpriced", "ProductCode": "P_WING", "Price": ""},
        "VH": {"Name": "Hat", "ProductCode": "P_ODD", "Price": "3"},
        "VLOST": {"Name": "Lost", "ProductCode": "P_ONE", "Price": "1"}
      },
      "Toppings": {"Pizza": {"T": {"Code": "T", "Name": "Tomato"}, "S": {"Name": "Sausage"},
        "U": {"Name": "Unagi", "Tags": {"Fish": true}}}},
      "Sides": {"Wings": {"D": {"Name": "Dip", "Description": "Smooth"}}},
      "Sizes": {"Pizza": {"10": {"Name": "Small", "SortSeq": "01"}, "12": {"Name": "Medium"}}},
      "Flavors": {"Pizza": {"THIN": {"Name": "Thin crust", "SortSeq": "01"}}},
      "Coupons": {
        "20": {"Code": "20", "Name": "Cheap", "Price": "", "ImageCode": "c20"},
        "10": {"Code": "10", "Name": "Feast", "Description": "Much", "Price": "19.99",
          "Local": true}},
      "PreconfiguredProducts": {
        "F1": {"Name": "Small one", "Description": "Ready", "ReferencedProductCode": "V1L",
          "Options": "T=1", "Size": ""},
        "F2": {"Name": "Ghost", "ReferencedProductCode": "V_GONE"}},
      "CookingInstructions": {"WELL": {"Name": "Well done"}},
      "CouponTiers": {"A": {}, "B": {}},
      "Nothing": []
    }
    """#

  static func imported(_ change: (String) -> String = { $0 }) throws -> ImportedMenu {
    try MenuFile.decode(Data(change(text).utf8))
  }
}
