/// Two lists of words.
#include "engine/measurements/missing_cells.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace dfsweep {

namespace {

constexpr std::array<std::string_view, 9> words_not_given = {"n/a", "na", "#n/a", "null",   "none",
                                                             "-",   "--", "?",    "missing"};
constexpr std::array<std::string_view, 14> words_no_result = {
    "oom",     "out of memory", "out_of_memory", "diverged", "divergence", "failed",    "failure",
    "crashed", "crash",         "error",         "timeout",  "killed",     "cancelled", "canceled"};

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

std::string_view bare_text(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::optional<MissingCell> missing_cell(std::string_view text) {
  std::string small(bare_text(text));
  if (small.empty()) return MissingCell::not_given;
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  if (is_one_of(words_not_given, small)) return MissingCell::not_given;
  if (is_one_of(words_no_result, small)) return MissingCell::no_result;
  return std::nullopt;
}

}  // namespace dfsweep
