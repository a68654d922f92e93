/// Entry: a named set of fields (numbers in base SI, texts, lists, parts), such as one device of the catalogue or one
/// graph of a user. Files are parsed into entries before models decode them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

struct Entry {
  std::string name;
  std::map<std::string, double, std::less<>> numbers;  ///< base SI units; booleans are 0 and 1
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, std::vector<double>, std::less<>> lists;  ///< arrays of numbers, base SI units
  std::map<std::string, std::vector<std::string>, std::less<>> text_lists;
  std::map<std::string, std::vector<Entry>, std::less<>> parts;  ///< tables and arrays of tables, in file order

  [[nodiscard]] bool has_number(std::string_view field) const { return numbers.find(field) != numbers.end(); }
  /// The number, or `otherwise` where the entry lacks the field.
  [[nodiscard]] double number_or(std::string_view field, double otherwise) const {
    const auto found = numbers.find(field);
    return found == numbers.end() ? otherwise : found->second;
  }
  [[nodiscard]] std::string text_or(std::string_view field, std::string_view otherwise) const {
    const auto found = texts.find(field);
    return found == texts.end() ? std::string(otherwise) : found->second;
  }
};

}  // namespace dfsweep
