#include "models/whole_run/batch_law_entry.hpp"

#include <cmath>

#include "models/declared_fields.hpp"

namespace dfsweep::whole_run {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A number of the law, with the fields of its value and its interval.
struct EstimatedField {
  BatchLawField value;
  BatchLawField interval;
  Estimated BatchLaw::*member;
};
constexpr EstimatedField estimated_fields[] = {
    {"samples", "samples_interval", &BatchLaw::samples},
    {"critical_batch", "critical_batch_interval", &BatchLaw::critical_batch},
    {"format_factor_4bit", "format_factor_4bit_interval", &BatchLaw::four_bits},
    {"spread", "spread_interval", &BatchLaw::spread}};

/// Reads the lists and numbers of one law.
class BatchLawReader {
 public:
  BatchLawReader(const Entry& entry, std::vector<EntryProblem>& problems) : entry_(entry), fields_(entry, problems) {}

  /// A value and its interval. `otherwise` where the entry has none: then only a lower end is known.
  Estimated estimated(const EstimatedField& field, double otherwise) {
    Estimated result{fields_.positive_or(field.value, otherwise), {}};
    const std::vector<double>* ends = list(field.interval);
    if (ends == nullptr) {
      result.interval = {result.value, result.value};
      return result;
    }
    if (ends->empty() || ends->size() > 2 || !((*ends)[0] > 0.0 && (*ends)[0] <= ends->back()))
      fields_.complain(field.interval, " is not an interval", "it is [lower end, upper end], or the lower end alone");
    else
      result.interval = {ends->front(), ends->size() == 2 ? ends->back() : infinity};
    if (!(result.interval.low <= result.value && result.value <= result.interval.high) && std::isfinite(result.value))
      fields_.complain(field.interval, " does not contain the value", "");
    return result;
  }

  /// A pair of minimum and maximum.
  std::optional<Interval> range(BatchLawField field) {
    const std::vector<double>* ends = list(field);
    if (ends == nullptr) return std::nullopt;
    if (ends->size() != 2 || !((*ends)[0] > 0.0 && (*ends)[0] <= (*ends)[1])) {
      fields_.complain(field, " is not a range", "a range is [minimum, maximum], both above 0");
      return std::nullopt;
    }
    return Interval{(*ends)[0], (*ends)[1]};
  }

  FieldsOf<BatchLawField>& fields() { return fields_; }

 private:
  [[nodiscard]] const std::vector<double>* list(BatchLawField field) const {
    const auto found = entry_.lists.find(field.name());
    return found == entry_.lists.end() ? nullptr : &found->second;
  }

  const Entry& entry_;
  FieldsOf<BatchLawField> fields_;
};

EvaluationSchedule evaluations_of(FieldsOf<BatchLawField>& fields) {
  EvaluationSchedule schedule;
  schedule.interval = fields.not_negative_or("evaluation_interval", 0.0);
  schedule.first = fields.not_negative_or("first_evaluation", schedule.interval);
  schedule.samples = fields.not_negative_or("evaluation_samples", 0.0);
  schedule.share = fields.not_negative_or("evaluation_share", usual_evaluation_share);
  return schedule;
}

void add_number(BatchLawFields& fields, BatchLawField field, double value) {
  if (std::isfinite(value)) fields.numbers.emplace_back(field.name(), value);
}

void add_interval(BatchLawFields& fields, BatchLawField field, const Interval& interval) {
  if (!(interval.low > 0.0)) return;
  std::vector<double> ends{interval.low};
  if (std::isfinite(interval.high)) ends.push_back(interval.high);
  fields.lists.emplace_back(field.name(), std::move(ends));
}

}  // namespace

Decoded<BatchLaw> batch_law_of(const Entry& entry) {
  Decoded<BatchLaw> decoded;
  BatchLaw& law = decoded.value;
  BatchLawReader reader(entry, decoded.problems);
  FieldsOf<BatchLawField>& fields = reader.fields();
  for (const BatchLawField field : {BatchLawField("samples"), BatchLawField("spread")})
    if (!fields.has_number(field)) fields.complain_missing(field);
  for (const EstimatedField& each : estimated_fields) {
    const bool is_critical = each.member == &BatchLaw::critical_batch;
    law.*each.member = reader.estimated(each, is_critical ? infinity : absent);
  }
  const std::optional<Interval> batches = reader.range("range_batch");
  if (!batches && decoded.problems.empty())
    fields.complain("range_batch", " is missing", "a law says for which batches it was fitted");
  law.batches = batches.value_or(Interval{});
  law.learning_rates = reader.range("range_lr");
  law.confidence = fields.positive_or("interval_confidence", law.confidence);
  if (law.confidence >= 1.0) fields.complain("interval_confidence", " is not below 1", "it is a probability");
  law.runs = fields.positive_or("runs", absent);
  law.target_loss = fields.positive_or("target_loss", absent);
  law.sequence_length = fields.positive_or("sequence_length", absent);
  law.evaluations = evaluations_of(fields);
  return decoded;
}

BatchLawFields fields_of(const BatchLaw& law) {
  BatchLawFields fields;
  for (const EstimatedField& each : estimated_fields) {
    add_number(fields, each.value, (law.*each.member).value);
    add_interval(fields, each.interval, (law.*each.member).interval);
  }
  add_number(fields, "interval_confidence", law.confidence);
  add_interval(fields, "range_batch", law.batches);
  if (law.learning_rates) add_interval(fields, "range_lr", *law.learning_rates);
  add_number(fields, "runs", law.runs);
  add_number(fields, "target_loss", law.target_loss);
  add_number(fields, "sequence_length", law.sequence_length);
  if (law.evaluations.interval > 0.0) {
    add_number(fields, "first_evaluation", law.evaluations.first);
    add_number(fields, "evaluation_interval", law.evaluations.interval);
  }
  return fields;
}

}  // namespace dfsweep::whole_run
