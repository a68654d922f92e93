#include "models/queueing/engine_entry.hpp"

#include <string_view>

#include "models/declared_fields.hpp"

namespace dfsweep::queueing {

namespace {

constexpr double most_steps = 1e9;

/// In the order of the enumerations.
constexpr std::string_view prompt_rules[] = {"cut", "alone", "whole"};
constexpr std::string_view answer_rules[] = {"share", "largest"};
constexpr std::string_view cache_rules[] = {"reserved", "recompute"};
constexpr std::string_view memory_bases[] = {"all", "free"};

template <class Enum, std::size_t size>
Enum rule_of(FieldsOf<EngineField>& fields, EngineField field, const std::string_view (&words)[size], Enum otherwise) {
  return static_cast<Enum>(fields.choice_or(field, words, static_cast<std::size_t>(otherwise)));
}

double share_of(FieldsOf<EngineField>& fields, EngineField field, double otherwise) {
  const double share = fields.positive_or(field, otherwise);
  if (share <= 1.0) return share;
  fields.complain(field, " is above 1", "it is a share");
  return otherwise;
}

}  // namespace

Decoded<EngineEntry> decode_engine(const Entry& entry) {
  Decoded<EngineEntry> decoded;
  FieldsOf<EngineField> fields(entry, decoded.problems);
  EngineRules& rules = decoded.value.rules;
  rules.prompts = rule_of(fields, "prompts", prompt_rules, rules.prompts);
  rules.chunk_tokens = fields.whole_or("chunk_tokens", rules.chunk_tokens, 1.0, most_steps);
  rules.running_limit = fields.whole_or("batch_limit", rules.running_limit, 1.0, most_steps);
  rules.receive_interval_steps =
      fields.whole_or("receive_interval_steps", rules.receive_interval_steps, 1.0, most_steps);
  rules.batch_wait_steps = fields.whole_or("batch_wait_steps", rules.batch_wait_steps, 0.0, most_steps);
  rules.rank_wait_steps = fields.whole_or("rank_wait_steps", rules.rank_wait_steps, 0.0, most_steps);
  rules.batch_wait_share = share_of(fields, "batch_wait_share", rules.batch_wait_share);
  rules.answers = rule_of(fields, "answers", answer_rules, rules.answers);
  rules.answer_share = share_of(fields, "answer_share", rules.answer_share);
  rules.cache = rule_of(fields, "cache", cache_rules, rules.cache);
  rules.memory_base = rule_of(fields, "memory_base", memory_bases, rules.memory_base);
  decoded.value.cache_share = share_of(fields, "cache_share", decoded.value.cache_share);
  decoded.value.platforms =
      names_or<Platform>(entry, EngineField("platforms").name(), platform_names, Platforms::all(), decoded.problems);
  return decoded;
}

}  // namespace dfsweep::queueing
