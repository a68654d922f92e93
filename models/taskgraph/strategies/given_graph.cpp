#include "models/taskgraph/strategies/given_graph.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <span>
#include <string_view>

#include "models/declared_fields.hpp"
#include "models/short_number.hpp"

namespace dfsweep::taskgraph {

namespace {

constexpr std::size_t most_tasks = 10'000;
constexpr double most_size = 1e15;
constexpr double most_bytes = 1e24;
constexpr double most_rate = 1e24;
constexpr std::string_view group_kinds[] = {"devices", "link"};
constexpr std::string_view task_parts[] = {"attention", "ffn", "other"};
constexpr Part parts_by_name[] = {Part::attention, Part::ffn, Part::other};
constexpr std::string_view transfer_kinds[] = {"send", "all_gather", "reduce_scatter", "all_reduce"};
constexpr double passes_by_kind[] = {0.0, 1.0, 1.0, 2.0};

using Names = std::map<std::string, std::size_t, std::less<>>;

std::span<const Entry> given_parts(const Entry& entry, TaskGraphField name) {
  const auto found = entry.parts.find(name.name());
  return found == entry.parts.end() ? std::span<const Entry>() : found->second;
}

std::string element(const std::string& path, std::string_view name, std::size_t index) {
  return (path.empty() ? "" : path + ".") + std::string(name) + "[" + std::to_string(index) + "]";
}

/// Decodes one graph and collects its problems.
class GraphReader {
 public:
  GraphReader(const Entry& entry, std::vector<EntryProblem>& problems) : entry_(entry), problems_(problems) {}

  GivenGraph read() {
    GivenGraph graph;
    FieldsOf<TaskGraphField> fields(entry_, problems_);
    graph.tokens = at_most(fields, "tokens", fields.positive_or("tokens", absent), most_size);
    read_groups(graph);
    read_tasks(graph, fields);
    return graph;
  }

 private:
  void read_groups(GivenGraph& graph) {
    const std::span<const Entry> groups = given_parts(entry_, "group");
    if (groups.empty()) problems_.push_back({"'group' is missing", "every task needs a group", {"group", "task"}});
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::string path = element("", "group", g);
      GivenGroup group;
      group.name = name_of(groups[g], "group.name", path, group_numbers_, g);
      FieldsOf<TaskGraphField> fields(groups[g], problems_, path, "group '" + group.name + "'");
      group.is_link = fields.choice_or("group.kind", group_kinds, 0) == 1;
      group.devices = fields.whole_or("group.devices", 1.0, 1.0, 1e9);
      group.peak_flops = Throughput{rate_of(fields, "group.peak_flops")};
      group.memory_bandwidth = Bandwidth{rate_of(fields, "group.memory_bandwidth")};
      group.link_bandwidth = Bandwidth{rate_of(fields, "group.link_bandwidth")};
      group.link_latency =
          Seconds{at_most(fields, "group.link_latency", fields.not_negative_or("group.link_latency", absent), 1.0)};
      graph.groups.push_back(std::move(group));
    }
  }

  /// `value`, or a problem where it is above `most`.
  static double at_most(FieldsOf<TaskGraphField>& fields, TaskGraphField field, double value, double most) {
    if (value > most) fields.complain(field, " is " + short_number(value), "the maximum is " + short_number(most));
    return value;
  }

  /// A rate in the range of the parameters that it replaces; absent where it is not given.
  static double rate_of(FieldsOf<TaskGraphField>& fields, TaskGraphField field) {
    const double rate = at_most(fields, field, fields.positive_or(field, absent), most_rate);
    if (rate < 1.0) fields.complain(field, " is " + short_number(rate), "the minimum is 1");
    return rate;
  }

  /// Reads the name of a part and records it with its number.
  std::string name_of(const Entry& part, TaskGraphField field, const std::string& path, Names& names,
                      std::size_t number) {
    if (!part.texts.contains(field.name())) {
      problems_.push_back({"'name' of " + path + " is missing", "other parts refer to it", {path + ".name"}});
      return path;
    }
    std::string name = part.text_or(field, "");
    if (const auto [first, is_new] = names.emplace(name, number); !is_new) {
      const std::string kind = path.substr(0, path.find('['));
      problems_.push_back({"'" + name + "' is the name of two " + kind + "s",
                           "the first one is number " + std::to_string(first->second + 1),
                           {path + ".name", element("", kind, first->second) + ".name"}});
    }
    return name;
  }

  void read_tasks(GivenGraph& graph, FieldsOf<TaskGraphField>& fields) {
    const std::span<const Entry> tasks = given_parts(entry_, "task");
    if (tasks.empty()) return fields.complain("task", " is missing", "a graph has at least one task");
    if (tasks.size() > most_tasks)
      return fields.complain("task", " has too many elements", "a graph has at most " + std::to_string(most_tasks));
    std::vector<GivenTask> in_file;
    for (std::size_t t = 0; t < tasks.size(); ++t) in_file.push_back(read_task(tasks[t], t, graph.groups));
    std::vector<std::vector<std::size_t>> after(tasks.size());
    for (std::size_t t = 0; t < tasks.size(); ++t) after[t] = predecessors_of(tasks[t], t);
    if (!graph.groups.empty()) number_tasks(graph, std::move(in_file), after);
  }

  GivenTask read_task(const Entry& entry, std::size_t number, std::span<const GivenGroup> groups) {
    const std::string path = element("", "task", number);
    GivenTask task;
    task.name = name_of(entry, "task.name", path, task_numbers_, number);
    FieldsOf<TaskGraphField> fields(entry, problems_, path, "task '" + task.name + "'");
    task.part = parts_by_name[fields.choice_or("task.part", task_parts, 2)];
    const std::optional<std::size_t> group = group_of(entry, task.name, path);
    task.group = group.value_or(0);
    const std::span<const Entry> products = given_parts(entry, "task.product");
    for (std::size_t p = 0; p < products.size(); ++p)
      task.products.push_back(read_product(products[p], element(path, "product", p), task.name));
    if (group && groups[*group].is_link && !products.empty())
      fields.complain("task.product", " is on a link",
                      "group '" + groups[*group].name + "' is a link, which cannot compute");
    const std::span<const Entry> transfers = given_parts(entry, "task.transfer");
    for (std::size_t x = 0; x < transfers.size(); ++x)
      add_transfer(task, transfers[x], element(path, "transfer", x), group ? groups[*group].devices : 1.0);
    return task;
  }

  std::optional<std::size_t> group_of(const Entry& entry, const std::string& task, const std::string& path) {
    const std::string name = entry.text_or(TaskGraphField("task.group"), "");
    if (const auto found = group_numbers_.find(name); found != group_numbers_.end()) return found->second;
    const bool is_given = entry.texts.contains(TaskGraphField("task.group").name());
    problems_.push_back({"'group' of task '" + task + "' " + (is_given ? "is '" + name + "'" : "is missing"),
                         is_given ? "no group has this name" : "every task needs a group",
                         {path + ".group", "group[].name"}});
    return std::nullopt;
  }

  Product read_product(const Entry& entry, const std::string& path, const std::string& task) {
    FieldsOf<TaskGraphField> fields(entry, problems_, path, "a product of task '" + task + "'");
    return {fields.whole_or("task.product.count", 1.0, 1.0, most_size), fields.whole("task.product.m", 1.0, most_size),
            fields.whole("task.product.k", 1.0, most_size), fields.whole("task.product.n", 1.0, most_size)};
  }

  /// A send transfers size/links bytes over a link with one latency; a pass around a ring of p devices transfers size
  /// (p-1)/p bytes with p-1 latencies.
  void add_transfer(GivenTask& task, const Entry& entry, const std::string& path, double devices) {
    FieldsOf<TaskGraphField> fields(entry, problems_, path, "a transfer of task '" + task.name + "'");
    const Bytes size{
        at_most(fields, "task.transfer.size", fields.not_negative_or("task.transfer.size", 0.0), most_bytes)};
    if (!fields.has_number("task.transfer.size")) fields.complain_missing("task.transfer.size");
    const double links = fields.whole_or("task.transfer.links", 1.0, 1.0, 1e9);
    const double passes = passes_by_kind[fields.choice_or("task.transfer.kind", transfer_kinds, 0)];
    const bool is_send = passes == 0.0;
    task.sent += is_send ? size / links : passes * (devices - 1.0) / devices * size;
    task.latencies += is_send ? 1.0 : passes * (devices - 1.0);
  }

  std::vector<std::size_t> predecessors_of(const Entry& entry, std::size_t number) {
    std::vector<std::size_t> found;
    const auto after = entry.text_lists.find(TaskGraphField("task.after").name());
    if (after == entry.text_lists.end()) return found;
    for (std::size_t i = 0; i < after->second.size(); ++i) {
      const std::string& name = after->second[i];
      const auto task = task_numbers_.find(name);
      if (task == task_numbers_.end())
        problems_.push_back({"'after' names '" + name + "'",
                             "no task has this name",
                             {element(element("", "task", number), "after", i), "task[].name"}});
      else
        found.push_back(task->second);
    }
    return found;
  }

  /// Numbers the tasks in topological order; among ready tasks the first in the file is next.
  void number_tasks(GivenGraph& graph, std::vector<GivenTask> in_file,
                    const std::vector<std::vector<std::size_t>>& after) {
    std::vector<std::size_t> missing;
    std::vector<std::vector<std::size_t>> before(in_file.size());
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> next;
    for (std::size_t t = 0; t < after.size(); ++t) {
      missing.push_back(after[t].size());
      for (const std::size_t predecessor : after[t]) before[predecessor].push_back(t);
      if (after[t].empty()) next.push(t);
    }
    std::vector<TaskIndex> numbers(in_file.size());
    graph.dependences = Dependences(graph.groups.size());
    while (!next.empty()) {
      const std::size_t t = next.top();
      next.pop();
      std::vector<TaskIndex> predecessors;
      for (const std::size_t predecessor : after[t]) predecessors.push_back(numbers[predecessor]);
      numbers[t] = graph.dependences.add(in_file[t].group, predecessors);
      graph.tasks.push_back(std::move(in_file[t]));
      for (const std::size_t successor : before[t])
        if (--missing[successor] == 0) next.push(successor);
    }
    if (graph.tasks.size() < after.size()) complain_of_cycle(after, missing);
  }

  /// Reports a cycle. Pre: each unnumbered task has an unnumbered predecessor, so following predecessors ends in a
  /// cycle.
  void complain_of_cycle(const std::vector<std::vector<std::size_t>>& after, const std::vector<std::size_t>& missing) {
    const auto cause = [&](std::size_t t) {
      return *std::find_if(after[t].begin(), after[t].end(), [&](std::size_t p) { return missing[p] > 0; });
    };
    auto at = static_cast<std::size_t>(
        std::find_if(missing.begin(), missing.end(), [](std::size_t count) { return count > 0; }) - missing.begin());
    for (std::size_t step = 0; step < missing.size(); ++step) at = cause(at);
    std::vector<std::size_t> cycle{at};
    while (cause(cycle.back()) != at) cycle.push_back(cause(cycle.back()));
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    EntryProblem problem{"the tasks form a cycle", "", {}};
    for (const std::size_t t : cycle) {
      problem.reason += "'" + task_name(t) + "' after ";
      problem.fields.push_back(element("", "task", t) + ".after");
    }
    problem.reason += "'" + task_name(cycle.front()) + "'";
    problems_.push_back(std::move(problem));
  }
  [[nodiscard]] std::string task_name(std::size_t number) const {
    return given_parts(entry_, "task")[number].text_or(TaskGraphField("task.name"), "");
  }

  const Entry& entry_;
  std::vector<EntryProblem>& problems_;
  Names group_numbers_;
  Names task_numbers_;
};

}  // namespace

Decoded<GivenGraph> decode_given_graph(const Entry& entry) {
  Decoded<GivenGraph> decoded;
  decoded.value = GraphReader(entry, decoded.problems).read();
  return decoded;
}

}  // namespace dfsweep::taskgraph
