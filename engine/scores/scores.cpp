#include "engine/scores/scores.hpp"

#include <algorithm>
#include <cmath>

#include "engine/console/usage_error.hpp"
#include "engine/results/group_numbers.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/sweep/filter.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

/// The terms of one result, ready for rows.
class PartOfResult {
 public:
  PartOfResult(const ScoreQuestion& question, std::size_t result) : objective_(&question.objective) {
    const NamedResult& named = question.results[result];
    std::vector<FilterVariable> variables;
    const std::vector<std::string> columns = scorable_columns(*named.file);
    for (const std::string& column : columns)
      variables.push_back({.name = variable_of(column, named.name),
                           .kind = VariableKind::number,
                           .unit = named.file->column(column)->units,
                           .labels = {}});
    for (const ObjectiveTerm& term : objective_->terms[result]) {
      const SourcePosition at{.file = "score", .line = 1, .column = static_cast<std::uint32_t>(term.offset + 1)};
      try {
        terms_.push_back({FilterExpression(term.expression, at, variables, "score"), term.sign, {}});
      } catch (const UserError& error) {
        throw UsageError(error.what());
      }
      for (const std::size_t variable : terms_.back().expression.used())
        terms_.back().arguments.emplace_back(variable, column_place(*named.file, columns[variable]));
    }
  }

  [[nodiscard]] const std::vector<const DatasetColumn*>& columns() const { return columns_; }

  /// `values`: [place in columns()] values of a row, by a function.
  template <class ValueAt>
  [[nodiscard]] double value(const ValueAt& value_at) {
    double joined = absent;
    for (Term& term : terms_) {
      for (const auto& [variable, place] : term.arguments) {
        const double argument = value_at(place);
        if (!is_given(argument)) return absent;
        term.expression.set(variable, argument);
      }
      const double value = term.sign * term.expression.value();
      if (!std::isfinite(value)) return absent;
      joined = is_given(joined) ? join(*objective_, joined, value) : value;
    }
    return joined;
  }

  static double join(const Objective& objective, double a, double b) {
    if (objective.joining == Joining::sum) return a + b;
    return objective.direction == Better::lower ? std::max(a, b) : std::min(a, b);
  }

 private:
  struct Term {
    FilterExpression expression;
    double sign = 1.0;
    std::vector<std::pair<std::size_t, std::size_t>> arguments;  ///< variable, place in columns_
  };

  std::size_t column_place(const DatasetReader& file, const std::string& name) {
    const DatasetColumn* column = file.column(name);
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    const auto place = static_cast<std::size_t>(found - columns_.begin());
    if (found == columns_.end()) columns_.push_back(column);
    return place;
  }

  const Objective* objective_;
  std::vector<Term> terms_;
  std::vector<const DatasetColumn*> columns_;
};

/// The best row of a result for a machine.
struct BestPart {
  double value = absent;
  std::uint64_t row = 0;
};

bool is_better(double a, double b, Better direction) {
  return direction == Better::lower ? a < b : a > b;
}

/// One result, row by row: its best row for each machine.
class ResultScan {
 public:
  ResultScan(const ScoreQuestion& question, const std::vector<SharedAxis>& axes, std::size_t result,
             GroupNumbers& numbers, std::vector<std::vector<std::uint32_t>>& codes_of)
      : question_(&question),
        axes_(&axes),
        result_(result),
        numbers_(&numbers),
        codes_of_(&codes_of),
        part_(question, result),
        codes_(axes.size()) {}

  void scan(RowCounts& counts) {
    const NamedResult& named = question_->results[result_];
    const RowCondition& condition = question_->conditions[result_];
    std::vector<const DatasetColumn*> columns = {named.file->column("status")};
    columns.insert(columns.end(), part_.columns().begin(), part_.columns().end());
    const std::size_t first_axis = columns.size();
    for (const SharedAxis& axis : *axes_)
      columns.push_back(axis.places[result_].column != nullptr ? axis.places[result_].column : columns.front());
    scan_rows(*named.file, columns, condition.filter, [&](const RowChunk& chunk) {
      for (std::size_t i = 0; i < chunk.kept.size(); ++i) {
        if (chunk.kept[i] == 0) continue;
        ++counts.considered;
        if (chunk.values[0][i] != 0.0) {
          ++counts.not_ok[static_cast<std::uint8_t>(chunk.values[0][i])];
          continue;
        }
        const double value = part_.value([&](std::size_t place) { return chunk.values[1 + place][i]; });
        if (!is_given(value) || !read_codes(chunk, first_axis, i)) {
          ++counts.no_value;
          continue;
        }
        offer(value, chunk.first_row + i);
      }
    });
  }

  std::vector<BestPart> best;  ///< [machine]

 private:
  bool read_codes(const RowChunk& chunk, std::size_t first_axis, std::size_t i) {
    for (std::size_t a = 0; a < axes_->size(); ++a) {
      codes_[a] = (*axes_)[a].code((*axes_)[a].places[result_], chunk.values[first_axis + a][i]);
      if (codes_[a] == absent_code) return false;
    }
    return true;
  }

  void offer(double value, std::uint64_t row) {
    const std::uint32_t machine = axes_->empty() ? 0 : numbers_->number(codes_);
    if (machine >= codes_of_->size()) codes_of_->push_back(codes_);
    if (machine >= best.size()) best.resize(machine + 1);
    BestPart& held = best[machine];
    if (!is_given(held.value) || is_better(value, held.value, question_->objective.direction)) held = {value, row};
  }

  const ScoreQuestion* question_;
  const std::vector<SharedAxis>* axes_;
  std::size_t result_;
  GroupNumbers* numbers_;
  std::vector<std::vector<std::uint32_t>>* codes_of_;
  PartOfResult part_;
  std::vector<std::uint32_t> codes_;
};

std::optional<double> constant_of(const Objective& objective) {
  std::optional<double> joined;
  for (const ObjectiveTerm& term : objective.constants) {
    const SourcePosition at{.file = "score", .line = 1, .column = static_cast<std::uint32_t>(term.offset + 1)};
    try {
      const double value = term.sign * FilterExpression(term.expression, at, {}, "score").value();
      joined = joined ? PartOfResult::join(objective, *joined, value) : value;
    } catch (const UserError& error) {
      throw UsageError(error.what());
    }
  }
  return joined;
}

/// Marks machines of which no other is better in one part and as good in the others. Machines of equal parts are all
/// marked.
void mark_front(std::vector<ScoredMachine>& machines, Better direction) {
  const auto cost = [&](const ScoredMachine& machine, std::size_t part) {
    return direction == Better::lower ? machine.parts[part] : -machine.parts[part];
  };
  std::vector<ScoredMachine*> sorted;
  for (ScoredMachine& machine : machines) sorted.push_back(&machine);
  const std::size_t parts = machines.empty() ? 0 : machines.front().parts.size();
  std::stable_sort(sorted.begin(), sorted.end(), [&](const ScoredMachine* a, const ScoredMachine* b) {
    for (std::size_t p = 0; p < parts; ++p)
      if (cost(*a, p) != cost(*b, p)) return cost(*a, p) < cost(*b, p);
    return false;
  });
  std::vector<const ScoredMachine*> front;
  for (ScoredMachine* machine : sorted) {
    const bool is_dominated = std::any_of(front.rbegin(), front.rend(), [&](const ScoredMachine* other) {
      bool is_worse = false;
      for (std::size_t p = 0; p < parts; ++p) {
        if (cost(*other, p) > cost(*machine, p)) return false;
        is_worse = is_worse || cost(*other, p) < cost(*machine, p);
      }
      return is_worse;
    });
    machine->is_on_front = !is_dominated;
    if (!is_dominated && (front.empty() || front.back()->parts != machine->parts)) front.push_back(machine);
  }
}

}  // namespace

std::vector<std::string> scorable_columns(const DatasetReader& file) {
  std::vector<std::string> names;
  for (const DatasetColumn& column : file.columns())
    if (column.type != ElementType::uint64 && column.name != "status" && value_names(file, column).empty())
      names.push_back(column.name);
  return names;
}

Scores scores_of(const ScoreQuestion& question) {
  Scores scores;
  std::vector<RowFilter> filters;
  for (const RowCondition& condition : question.conditions) filters.push_back(condition.filter);
  std::vector<std::uint64_t> sizes;
  for (const std::string& name : question.by) {
    scores.axes.push_back(shared_axis(name, question.results, filters));
    sizes.push_back(scores.axes.back().size());
  }
  GroupNumbers numbers(sizes);
  std::vector<std::vector<std::uint32_t>> codes_of;
  std::vector<std::vector<BestPart>> best;
  scores.counts.resize(question.results.size());
  for (std::size_t r = 0; r < question.results.size(); ++r) {
    ResultScan scan(question, scores.axes, r, numbers, codes_of);
    scan.scan(scores.counts[r]);
    best.push_back(std::move(scan.best));
    scores.machines_of.push_back(static_cast<std::uint64_t>(std::count_if(
        best.back().begin(), best.back().end(), [](const BestPart& part) { return is_given(part.value); })));
  }
  const std::optional<double> constant = constant_of(question.objective);
  for (std::size_t m = 0; m < codes_of.size(); ++m) {
    ScoredMachine machine{.codes = codes_of[m], .score = constant.value_or(absent), .parts = {}, .rows = {}};
    for (const std::vector<BestPart>& parts : best) {
      if (m >= parts.size() || !is_given(parts[m].value)) break;
      machine.parts.push_back(parts[m].value);
      machine.rows.push_back(parts[m].row);
      machine.score = is_given(machine.score) ? PartOfResult::join(question.objective, machine.score, parts[m].value)
                                              : parts[m].value;
    }
    if (machine.parts.size() == best.size()) scores.machines.push_back(std::move(machine));
  }
  std::sort(scores.machines.begin(), scores.machines.end(), [&](const ScoredMachine& a, const ScoredMachine& b) {
    if (a.score != b.score) return is_better(a.score, b.score, question.objective.direction);
    return a.codes < b.codes;
  });
  mark_front(scores.machines, question.objective.direction);
  return scores;
}

std::vector<std::pair<std::size_t, double>> ends_of_grid(const Scores& scores) {
  std::vector<std::pair<std::size_t, double>> ends;
  if (scores.machines.empty()) return ends;
  for (std::size_t a = 0; a < scores.axes.size(); ++a) {
    const SharedAxis& axis = scores.axes[a];
    if (!axis.labels.empty() || axis.numbers.size() < 2) continue;
    const std::uint32_t code = scores.machines.front().codes[a];
    if (code == 0 || code + 1 == axis.numbers.size()) ends.emplace_back(a, axis.numbers[code]);
  }
  return ends;
}

}  // namespace dfsweep
