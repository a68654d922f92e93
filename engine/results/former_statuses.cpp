#include "engine/results/former_statuses.hpp"

#include <algorithm>
#include <string_view>

namespace dfsweep {
namespace {

void replace_quoted(std::string& text, std::string_view from, std::string_view to) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + std::string(from) + quote;
    const std::string wanted = quote + std::string(to) + quote;
    for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at + wanted.size()))
      text.replace(at, quoted.size(), wanted);
  }
}

}  // namespace

std::string with_statuses_among(std::span<const std::string> labels, std::span<const StatusInfo> statuses,
                                std::string expression) {
  const auto is_label = [&](std::string_view name) {
    return std::find(labels.begin(), labels.end(), name) != labels.end();
  };
  for (const StatusInfo& status : statuses) {
    if (status.former.empty()) continue;
    if (is_label(status.name) && !is_label(status.former)) replace_quoted(expression, status.former, status.name);
    if (is_label(status.former) && !is_label(status.name)) replace_quoted(expression, status.name, status.former);
  }
  return expression;
}

}  // namespace dfsweep
