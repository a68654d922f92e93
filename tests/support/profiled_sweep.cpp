/// Evaluation of small grids of the profiled estimator.
#include "tests/support/profiled_sweep.hpp"

#include <algorithm>
#include <charconv>

#include "models/expect.hpp"
#include "models/inference/profiled_estimator.hpp"
#include "tests/support/profile_text.hpp"

namespace dfsweep::testing {

namespace {

ParameterValue fallback_of(const ParameterInfo& info) {
  ParameterValue value;
  if (info.absence != Absence::fallback) return value;
  if (info.kind == ParameterKind::choice) {
    value.text = info.fallback;
    return value;
  }
  const char* end = info.fallback.data() + info.fallback.size();
  const auto [rest, error] = std::from_chars(info.fallback.data(), end, value.number);
  if (std::string_view(rest, static_cast<std::size_t>(end - rest)) == " us") value.number *= 1e-6;
  return value;
}

/// Transfers of 16 KiB (8 tokens of 1024 numbers) and 16 MiB, in ms.
std::string network_text(const std::string& collective, const std::string& per_node, const char* small,
                         const char* large) {
  const auto row = [&](const char* time, const char* size) {
    return std::string(time) + ",0,2," + size + "," + collective + "," + per_node + ",4\n";
  };
  return "time_stats." + collective +
         ".median,rank,num_workers,size,collective,devices_per_node,max_devices_per_node\n" + row(small, "16384") +
         row(large, "16777216");
}

}  // namespace

Entry profiled_device(const std::string& name, double capacity) {
  Entry entry;
  entry.name = name;
  entry.numbers = {{"peak_flops", 300e12}, {"memory_bandwidth", 2e12}, {"memory_capacity", capacity}};
  return entry;
}

ProfiledSweep::ProfiledSweep() {
  Entry model;
  model.name = "gpt";
  model.texts["kind"] = "transformer";
  model.numbers = {{"layers", 4},          {"hidden", 1024},   {"heads", 16},        {"head_dim", 64},
                   {"key_value_heads", 8}, {"gated_ffn", 1.0}, {"ffn_hidden", 4096}, {"vocabulary", 0}};
  Entry network;
  network.name = "net";
  network.numbers = {{"devices_per_node", 4}};
  set("model", model).set("device", profiled_device("chip", 1e9)).set("network", network);
  table("compute/chip/gpt/mlp.csv", small_layer_text());
  table("compute/chip/gpt/attention.csv", small_attention_text());
  table("network/net/all_reduce.csv", network_text("all_reduce", "2", "0.03", "0.3"));
  table("network/net/send_recv.csv", network_text("send_recv", "2", "0.04", "0.4"));
}

ProfiledSweep& ProfiledSweep::axis(const std::string& parameter, const std::vector<double>& numbers) {
  for (const double number : numbers) given_[parameter].emplace_back().number = number;
  axes_.push_back(parameter);
  return *this;
}

ProfiledSweep& ProfiledSweep::set(const std::string& parameter, double number) {
  given_[parameter].assign(1, {});
  given_[parameter].front().number = number;
  return *this;
}

ProfiledSweep& ProfiledSweep::set(const std::string& parameter, const std::string& text) {
  given_[parameter].assign(1, {});
  given_[parameter].front().text = text;
  return *this;
}

ProfiledSweep& ProfiledSweep::set(const std::string& parameter, Entry entry) {
  entries_.push_back(std::move(entry));
  given_[parameter].assign(1, {});
  given_[parameter].front().text = entries_.back().name;
  given_[parameter].front().entry = &entries_.back();
  return *this;
}

ProfiledSweep& ProfiledSweep::set_absent(const std::string& parameter) {
  given_.erase(parameter);
  return *this;
}

ProfiledSweep& ProfiledSweep::table(const std::string& path, const std::string& text) {
  tables_[path] = text;
  return *this;
}

SweepValues ProfiledSweep::values() const {
  SweepValues values;
  const std::unique_ptr<Estimator> estimator = make_profiled_estimator();
  for (const std::string& axis : axes_) values.column_sizes.push_back(given_.at(axis).size());
  std::size_t used = 0;
  for (const ParameterInfo& info : estimator->parameters()) {
    const auto given = given_.find(std::string(info.name));
    SweepValues::Parameter parameter;
    if (given == given_.end()) {
      DFSWEEP_EXPECT(info.absence != Absence::required);
      parameter.values = {fallback_of(info)};
    } else {
      ++used;
      parameter.values = given->second;
      const auto axis = std::find(axes_.begin(), axes_.end(), info.name);
      if (axis != axes_.end()) parameter.column = static_cast<std::size_t>(axis - axes_.begin());
    }
    values.parameters.push_back(std::move(parameter));
  }
  DFSWEEP_EXPECT(used == given_.size());
  values.data.push_back({"profiles", {}});
  for (const auto& [path, text] : tables_) values.data.front().tables.push_back(profile_table(path, text));
  return values;
}

std::size_t ProfiledSweep::count() const {
  std::size_t count = 1;
  for (const std::string& axis : axes_) count *= given_.at(axis).size();
  return count;
}

ProfiledSweep::Results ProfiledSweep::evaluate(const PreparedSweep& prepared, std::size_t block) const {
  const std::unique_ptr<Estimator> estimator = make_profiled_estimator();
  Results results;
  for (std::size_t first = 0; first < count(); first += block) {
    const std::size_t points = std::min(block, count() - first);
    std::vector<std::vector<std::uint32_t>> codes(axes_.size(), std::vector<std::uint32_t>(points));
    for (std::size_t i = 0; i < points; ++i) {
      std::size_t rest = first + i;
      for (std::size_t a = axes_.size(); a-- > 0; rest /= given_.at(axes_[a]).size())
        codes[a][i] = static_cast<std::uint32_t>(rest % given_.at(axes_[a]).size());
    }
    const std::vector<std::span<const std::uint32_t>> columns(codes.begin(), codes.end());
    std::vector<std::uint8_t> status(points);
    std::vector<std::vector<double>> cells(estimator->metrics().size(), std::vector<double>(points));
    const std::vector<std::span<double>> metrics(cells.begin(), cells.end());
    EstimateColumns out{status, metrics};
    prepared.evaluate(PointColumns(columns, points), out);
    for (const std::uint8_t code : status) results.status.emplace_back(estimator->statuses()[code].name);
    for (std::size_t m = 0; m < cells.size(); ++m) {
      std::vector<double>& all = results.metrics[std::string(estimator->metrics()[m].name)];
      all.insert(all.end(), cells[m].begin(), cells[m].end());
    }
  }
  return results;
}

ProfiledSweep::Results ProfiledSweep::evaluate() const {
  const SweepValues sweep = values();
  return evaluate(*make_profiled_estimator()->prepare(sweep), count());
}

Explanation ProfiledSweep::explain() const {
  const SweepValues sweep = values();
  const std::vector<std::uint32_t> zeros(axes_.size(), 0);
  std::vector<std::span<const std::uint32_t>> columns;
  for (const std::uint32_t& zero : zeros) columns.emplace_back(&zero, 1);
  return make_profiled_estimator()->prepare(sweep)->explain(PointColumns(columns, 1));
}

}  // namespace dfsweep::testing
