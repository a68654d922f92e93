#include "models/law_fits/runs/runs.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

#include "models/expect.hpp"

namespace dfsweep::law_fits {

GroupKey TrainingRuns::key(std::size_t run) const {
  return {recipes[recipe[run]].family, activated_parameters[run], parameters[run], train_tokens[run], recipe[run]};
}

void GridBox::add(LogPoint point) {
  x_low = std::min(x_low, point.x);
  x_high = std::max(x_high, point.x);
  y_low = std::min(y_low, point.y);
  y_high = std::max(y_high, point.y);
}

bool GridBox::contains(LogPoint point) const {
  return point.x >= x_low && point.x <= x_high && point.y >= y_low && point.y <= y_high;
}

void GroupMinimum::add(double run_learning_rate, double run_batch_tokens, double run_loss) {
  runs += 1.0;
  low_learning_rate = std::min(low_learning_rate, run_learning_rate);
  high_learning_rate = std::max(high_learning_rate, run_learning_rate);
  low_batch_tokens = std::min(low_batch_tokens, run_batch_tokens);
  high_batch_tokens = std::max(high_batch_tokens, run_batch_tokens);
  if (run_loss < loss) {
    second_loss = loss;
    loss = run_loss;
    learning_rate = run_learning_rate;
    batch_tokens = run_batch_tokens;
  } else {
    second_loss = std::min(second_loss, run_loss);
  }
}

void GroupMinimum::merge(const GroupMinimum& later) {
  runs += later.runs;
  low_learning_rate = std::min(low_learning_rate, later.low_learning_rate);
  high_learning_rate = std::max(high_learning_rate, later.high_learning_rate);
  low_batch_tokens = std::min(low_batch_tokens, later.low_batch_tokens);
  high_batch_tokens = std::max(high_batch_tokens, later.high_batch_tokens);
  second_loss = std::min({std::max(loss, later.loss), second_loss, later.second_loss});
  if (later.loss < loss) {
    loss = later.loss;
    learning_rate = later.learning_rate;
    batch_tokens = later.batch_tokens;
  }
}

LogPoint GroupMinimum::argmin() const {
  return {std::log(learning_rate), std::log(batch_tokens)};
}

GridBox GroupMinimum::box() const {
  return {std::log(low_learning_rate), std::log(high_learning_rate), std::log(low_batch_tokens),
          std::log(high_batch_tokens)};
}

TrainingScale RunGroup::scale() const {
  return {key.parameters, key.activated_parameters, key.train_tokens, flops_per_token, minimum.loss};
}

GroupedRuns group_runs(const TrainingRuns& runs) {
  struct Members {
    std::size_t first = 0;  ///< run
    std::size_t count = 0;
    std::size_t group = 0;
  };
  std::map<GroupKey, Members> members;
  std::vector<Members*> of_run(runs.size());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto [found, is_new] = members.try_emplace(runs.key(run));
    if (is_new) found->second.first = run;
    ++found->second.count;
    of_run[run] = &found->second;
  }

  GroupedRuns grouped;
  grouped.recipes = runs.recipes;
  grouped.groups.reserve(members.size());
  std::size_t begin = 0;
  for (auto& [key, of_group] : members) {
    of_group.group = grouped.groups.size();
    grouped.groups.push_back({key, runs.flops_per_token[of_group.first], {}, begin, begin});
    begin += of_group.count;
  }
  grouped.file_row.resize(runs.size());
  grouped.learning_rate.resize(runs.size());
  grouped.batch_tokens.resize(runs.size());
  grouped.loss.resize(runs.size());
  grouped.rel.resize(runs.size());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    RunGroup& group = grouped.groups[of_run[run]->group];
    const std::size_t at = group.end++;
    grouped.file_row[at] = run;
    grouped.learning_rate[at] = runs.learning_rate[run];
    grouped.batch_tokens[at] = runs.batch_tokens[run];
    grouped.loss[at] = runs.loss[run];
    group.minimum.add(runs.learning_rate[run], runs.batch_tokens[run], runs.loss[run]);
  }
  for (const RunGroup& group : grouped.groups)
    for (std::size_t at = group.begin; at < group.end; ++at)
      grouped.rel[at] = grouped.loss[at] / group.minimum.loss - 1.0;
  return grouped;
}

std::string group_name(const GroupKey& key, const std::vector<Recipe>& recipes) {
  DFSWEEP_EXPECT(key.recipe < recipes.size());
  char text[64];
  std::snprintf(text, sizeof text, "_N%.0f_D%.0f", key.parameters, key.train_tokens);
  return recipes[key.recipe].name + text;
}

}  // namespace dfsweep::law_fits
