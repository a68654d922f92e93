/// The grammar of batches.
#include "models/measured_tables/batch.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace dfsweep {

namespace {

constexpr const char* grammar = "an item is d1@CONTEXT or pCHUNK@CONTEXT, optionally after COUNTx";

/// Parses an item from left to right.
class ItemReader {
 public:
  explicit ItemReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// A whole number of at most 15 digits.
  [[nodiscard]] std::optional<double> take_number() {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    const auto digits = static_cast<std::size_t>(end - rest_.data());
    if (error != std::errc{} || digits == 0 || digits > 15) return std::nullopt;
    rest_.remove_prefix(digits);
    return static_cast<double>(number);
  }

 private:
  std::string_view rest_;
};

struct Item {
  char kind = 'd';
  RequestGroup group;
};

std::optional<Item> parse_item(std::string_view text) {
  ItemReader reader(text);
  Item item;
  if (const auto count = reader.take_number()) {
    if (!reader.take('x')) return std::nullopt;
    item.group.count = *count;
  }
  if (!reader.take('d')) {
    if (!reader.take('p')) return std::nullopt;
    item.kind = 'p';
  }
  const auto tokens = reader.take_number();
  if (!tokens || !reader.take('@')) return std::nullopt;
  const auto context = reader.take_number();
  if (!context || !reader.at_end()) return std::nullopt;
  item.group.tokens = *tokens;
  item.group.context = *context;
  return item;
}

/// Problem of the numbers of an item; empty: valid.
std::string reason_against(const Item& item) {
  if (item.kind == 'd' && item.group.tokens != 1.0) return "a decoding request processes one token";
  if (item.group.tokens < 1.0) return "a chunk has at least one token";
  if (item.group.count < 1.0 || item.group.count > most_requests) return "the count must be from 1 to 1000000";
  if (item.group.tokens > most_request_tokens || item.group.context > most_request_tokens)
    return "a request has at most 100000000 tokens";
  return "";
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

double tokens_of(const std::vector<RequestGroup>& groups) {
  double tokens = 0.0;
  for (const RequestGroup& group : groups) tokens += group.count * group.tokens;
  return tokens;
}

BatchProblem problem_of(std::size_t number, std::string_view item, std::string reason) {
  return {"item " + std::to_string(number) + ", '" + std::string(item) + "', is not a request", std::move(reason)};
}

}  // namespace

BatchPart part_of(const std::vector<RequestGroup>& groups, double page_tokens) {
  BatchPart part;
  for (const RequestGroup& group : groups) {
    part.requests += group.count;
    part.tokens += group.count * group.tokens;
    part.cached_tokens += group.count * std::ceil((group.context + group.tokens) / page_tokens) * page_tokens;
  }
  return part;
}

std::variant<RequestBatch, BatchProblem> parse_batch(std::string_view text) {
  RequestBatch batch;
  std::size_t number = 0;
  while (!trimmed(text).empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view item_text = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const std::optional<Item> item = parse_item(item_text);
    if (!item) return problem_of(number, item_text, grammar);
    if (std::string reason = reason_against(*item); !reason.empty())
      return problem_of(number, item_text, std::move(reason));
    (item->kind == 'd' ? batch.decode : batch.prefill).push_back(item->group);
  }
  if (tokens_of(batch.decode) + tokens_of(batch.prefill) > most_batch_tokens)
    return BatchProblem{"the batch is too large", "at most 2e9 tokens in a step"};
  return batch;
}

RequestBatch uniform_batch(const RequestGroup& decode, const RequestGroup& prefill) {
  RequestBatch batch;
  if (decode.count > 0.0) batch.decode.push_back(decode);
  if (prefill.count > 0.0 && prefill.tokens > 0.0) batch.prefill.push_back(prefill);
  return batch;
}

}  // namespace dfsweep
