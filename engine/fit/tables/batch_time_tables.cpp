/// Measured steps: what each batch of a group takes, and the batch that reaches the least loss first.
#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

struct TimedBatch {
  const GroupTimes* times;
  const BatchTime* batch;
};

}  // namespace

DataTable batch_times_table(const FitReport& report) {
  std::vector<TimedBatch> rows;
  for (const GroupTimes& times : report.fitted.batch_times)
    for (const BatchTime& batch : times.batches) rows.push_back({&times, &batch});
  TableOf<TimedBatch> table("batch_times", "measured time of every batch", std::move(rows));
  const auto of = [](auto member) { return [member](const TimedBatch& row) { return row.batch->*member; }; };
  table
      .add({"group"},
           [&](const TimedBatch& row) {
             return group_name(report.read.selected.groups[row.times->group].key, report.read.recipes);
           })
      .add({"loss_exponent"}, [](const TimedBatch& row) { return row.times->loss_exponent; })
      .add({"batch_tokens", "tokens"}, of(&BatchTime::batch_tokens))
      .add({"learning_rate"}, of(&BatchTime::learning_rate))
      .add({"loss"}, of(&BatchTime::loss))
      .add({"step_time", "s"}, of(&BatchTime::step_time))
      .add({"train_time", "s"}, of(&BatchTime::train_time))
      .add({"time_to_least_loss", "s"}, of(&BatchTime::time_to_least_loss))
      .add({"loss_at_equal_time"}, of(&BatchTime::loss_at_equal_time))
      .add({"least_loss"},
           [](const TimedBatch& row) { return row.batch == &row.times->batches[row.times->least_loss]; })
      .add({"fastest"}, [](const TimedBatch& row) { return row.batch == &row.times->batches[row.times->fastest]; });
  return table.take();
}

DataTable fastest_batches_table(const FitReport& report) {
  TableOf<GroupTimes> table("fastest_batches", "the batch that reaches the least loss first",
                            report.fitted.batch_times);
  const auto best = [](const GroupTimes& times) -> const BatchTime& { return times.batches[times.least_loss]; };
  const auto fastest = [](const GroupTimes& times) -> const BatchTime& { return times.batches[times.fastest]; };
  table
      .view("group",
            [&](const GroupTimes& times) {
              return group_name(report.read.selected.groups[times.group].key, report.read.recipes);
            })
      .view("least_loss_batch", [=](const GroupTimes& times) { return best(times).batch_tokens; })
      .view("least_loss_step_time", [=](const GroupTimes& times) { return best(times).step_time; })
      .view("fastest_batch", [=](const GroupTimes& times) { return fastest(times).batch_tokens; })
      .view("fastest_step_time", [=](const GroupTimes& times) { return fastest(times).step_time; })
      .view("tokens_time", [=](const GroupTimes& times) { return fastest(times).train_time / best(times).train_time; })
      .view("loss_time",
            [=](const GroupTimes& times) { return fastest(times).time_to_least_loss / best(times).train_time; })
      .view("equal_time_loss",
            [=](const GroupTimes& times) { return fastest(times).loss_at_equal_time / best(times).loss; });
  return table.take();
}

}  // namespace dfsweep::fit
