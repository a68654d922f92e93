#include "engine/foreign/launch_quantities.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/number_format.hpp"

namespace dfsweep::foreign {

namespace {

using MaybeNumber = std::optional<double>;

/// Parameters as numbers, with the values of what a launch command does not say.
class LaunchExecution {
 public:
  explicit LaunchExecution(const ParameterText& value_of) : value_of_(value_of) {}

  [[nodiscard]] MaybeNumber given(std::string_view name) const {
    const std::optional<std::string> text = value_of_(name);
    double value = 0.0;
    if (!text) return std::nullopt;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    return error == std::errc{} && end == text->data() + text->size() ? MaybeNumber(value) : std::nullopt;
  }
  [[nodiscard]] double or_one(std::string_view name) const { return given(name).value_or(1.0); }
  [[nodiscard]] bool says(std::string_view name, std::string_view text) const { return value_of_(name) == text; }

  [[nodiscard]] double tensor() const { return or_one("tensor_parallel"); }
  [[nodiscard]] double stages() const { return or_one("pipeline_parallel"); }
  [[nodiscard]] double context() const { return or_one("context_parallel"); }
  [[nodiscard]] double expert() const { return or_one("expert_parallel"); }
  [[nodiscard]] double model_ranks() const { return tensor() * stages() * context(); }
  [[nodiscard]] MaybeNumber replicas() const {
    if (const MaybeNumber degree = given("data_parallel")) return degree;
    const MaybeNumber devices = given("device_count");
    return devices ? MaybeNumber(std::floor(*devices / model_ranks())) : std::nullopt;
  }
  [[nodiscard]] MaybeNumber devices() const {
    if (const MaybeNumber count = given("device_count")) return count;
    const MaybeNumber degree = given("data_parallel");
    return degree ? MaybeNumber(*degree * model_ranks()) : std::nullopt;
  }
  [[nodiscard]] bool is_uneven() const { return says("stage_split", "balanced") && stages() > 1; }
  /// Whether chunks are equal where embedding and output layer count as a layer each.
  [[nodiscard]] bool ends_less() const {
    const MaybeNumber layers = given("model.layers");
    return layers && std::fmod(*layers + 2, stages() * or_one("interleaving")) == 0;
  }
  /// Replicas among which gradients, and perhaps weights, are divided.
  [[nodiscard]] MaybeNumber shard_degree() const {
    if (or_one("optimizer_sharding") < 2) return 1.0;
    const double group = given("sharding_group").value_or(0.0);
    return group > 0 ? MaybeNumber(group / context()) : replicas();
  }
  /// Whether ranks that divide weights can be grouped by experts, with whole context groups in a group, and whole
  /// tensor groups where experts are not divided among their ranks.
  [[nodiscard]] bool experts_fit() const {
    const double divided = or_one("expert_tensor_parallel");
    if (divided != 1 && divided != tensor()) return false;
    const double inner = context() * (divided == tensor() ? 1.0 : tensor());
    const MaybeNumber shards = shard_degree();
    return shards && std::fmod(expert(), inner) == 0 && std::fmod(*shards * inner, expert()) == 0;
  }

 private:
  const ParameterText& value_of_;
};

MaybeNumber above_one(double value) {
  return value > 1 ? MaybeNumber(value) : std::nullopt;
}
MaybeNumber whole(MaybeNumber value) {
  return value && *value == std::floor(*value) && *value >= 1 ? value : std::nullopt;
}
MaybeNumber quotient(MaybeNumber a, MaybeNumber b) {
  return a && b && *b > 0 ? MaybeNumber(*a / *b) : std::nullopt;
}

struct Quantity {
  std::string_view name;
  MaybeNumber (*value)(const LaunchExecution& e);
};

/// A quantity that one of these does not give is not given: a group of one, what divides nothing.
constexpr Quantity quantities[] = {
    // ranks and nodes of `torchrun`
    {"node_ranks",
     [](const LaunchExecution& e) { return MaybeNumber(std::min(e.or_one("node_devices"), *e.devices())); }},
    {"nodes",
     [](const LaunchExecution& e) {
       return MaybeNumber(std::ceil(*e.devices() / std::min(e.or_one("node_devices"), *e.devices())));
     }},
    // groups of more than one
    {"tensor_group", [](const LaunchExecution& e) { return above_one(e.tensor()); }},
    {"stages", [](const LaunchExecution& e) { return above_one(e.stages()); }},
    {"context_group", [](const LaunchExecution& e) { return above_one(e.context()); }},
    {"chunks", [](const LaunchExecution& e) { return above_one(e.or_one("interleaving")); }},
    {"experts", [](const LaunchExecution& e) { return above_one(e.given("model.experts").value_or(0.0)); }},
    {"misplaced_experts",
     [](const LaunchExecution& e) { return e.expert() > 1 && !e.experts_fit() ? MaybeNumber(1.0) : MaybeNumber(); }},
    {"offloaded_activations", [](const LaunchExecution& e) { return whole(e.given("activation_offload")); }},
    // replicas
    {"shard_degree", [](const LaunchExecution& e) { return whole(e.shard_degree()); }},
    {"replicate_degree", [](const LaunchExecution& e) { return whole(quotient(e.replicas(), e.shard_degree())); }},
    {"optimizer_instances",
     [](const LaunchExecution& e) {
       const double group = e.given("sharding_group").value_or(0.0);
       return group > 0 ? whole(*e.replicas() * e.context() / group) : MaybeNumber(1.0);
     }},
    // axes of a mesh in which experts have one of their own
    {"shard_axis",
     [](const LaunchExecution& e) {
       return e.shard_degree() > 1.0 ? whole(quotient(e.shard_degree(), e.expert())) : MaybeNumber(1.0);
     }},
    {"replicate_axis",
     [](const LaunchExecution& e) {
       const double shared = e.shard_degree() > 1.0 ? 1.0 : e.expert();
       return whole(quotient(quotient(e.replicas(), e.shard_degree()), shared));
     }},
    {"tensor_axis",
     [](const LaunchExecution& e) { return MaybeNumber(e.or_one("sequence_parallel") == 0 ? e.tensor() : 1.0); }},
    {"tensor_sequence_axis",
     [](const LaunchExecution& e) { return MaybeNumber(e.or_one("sequence_parallel") != 0 ? e.tensor() : 1.0); }},
    // batches
    {"micro_batches",
     [](const LaunchExecution& e) {
       return whole(quotient(e.given("global_batch"), *e.replicas() * e.or_one("micro_batch")));
     }},
    {"replica_batch",
     [](const LaunchExecution& e) {
       return e.stages() > 1 ? whole(quotient(e.given("global_batch"), e.replicas())) : e.or_one("micro_batch");
     }},
    {"device_batch",
     [](const LaunchExecution& e) { return MaybeNumber(e.or_one("micro_batch") * *e.replicas() / *e.devices()); }},
    {"steps",
     [](const LaunchExecution& e) {
       const MaybeNumber tokens = e.given("train_tokens");
       const MaybeNumber step = e.or_one("global_batch") * e.or_one("sequence_length");
       return tokens ? MaybeNumber(std::ceil(*tokens / *step)) : std::nullopt;
     }},
    // layers
    {"expert_layers",
     [](const LaunchExecution& e) {
       const MaybeNumber layers = e.given("model.layers");
       return layers ? whole(*layers - e.given("model.dense_layers").value_or(0.0)) : std::nullopt;
     }},
    {"window_period",
     [](const LaunchExecution& e) {
       const double full = 1.0 - e.given("model.windowed_layers").value_or(1.0);
       const double period = std::round(1.0 / full);
       // Entries round the share: 0.8333 is 5 layers of 6.
       return full > 0 && std::abs(period * full - 1.0) < 1e-3 ? MaybeNumber(period) : std::nullopt;
     }},
    {"layers_per_chunk",
     [](const LaunchExecution& e) {
       const MaybeNumber layers = e.given("model.layers");
       const double at_ends = e.is_uneven() && e.ends_less() ? 2.0 : 0.0;  // embedding and output layer
       return layers ? whole((*layers + at_ends) / (e.stages() * e.or_one("interleaving"))) : std::nullopt;
     }},
    {"ends_less",
     [](const LaunchExecution& e) { return e.is_uneven() && e.ends_less() ? MaybeNumber(1.0) : MaybeNumber(); }},
    {"uneven_stages",
     [](const LaunchExecution& e) { return e.is_uneven() && !e.ends_less() ? MaybeNumber(1.0) : MaybeNumber(); }},
    {"recomputed_stage_layers",
     [](const LaunchExecution& e) {
       const double share = e.or_one("recomputed_layers");
       const MaybeNumber layers = quotient(e.given("model.layers"), e.stages() * e.or_one("interleaving"));
       return share < 1 && layers ? whole(std::round(1e9 * *layers * share) / 1e9) : std::nullopt;
     }},
    {"recomputed_layer_period",
     [](const LaunchExecution& e) {
       const double share = e.or_one("recomputed_layers");
       return share < 1 && share > 0 ? whole(1.0 / share) : std::nullopt;
     }},
};

/// Sets parameters from quantities, which it takes out.
class Solver {
 public:
  Solver(LaunchValues& values, const LaunchValues& known)
      : values_(values),
        known_(known),
        value_of_([this](std::string_view name) -> std::optional<std::string> {
          const auto found = values_.find(name);
          return found == values_.end() ? std::nullopt : std::optional(found->second);
        }),
        execution_(value_of_) {}

  void solve() {
    set_degrees();
    set_replicas();
    set_batches();
    set_layers();
  }

 private:
  MaybeNumber taken(std::string_view name) {
    const MaybeNumber value = execution_.given(name);
    if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
    return value;
  }
  void set(const std::string& name, double value) { values_.emplace(name, shortest(value)); }

  void set_degrees() {
    const MaybeNumber whole_layers = taken("tensor_axis");
    const MaybeNumber split_layers = taken("tensor_sequence_axis");
    if (whole_layers || split_layers) {
      set("tensor_parallel", whole_layers.value_or(1.0) * split_layers.value_or(1.0));
      set("sequence_parallel", split_layers.value_or(1.0) > 1 ? 1 : 0);
    }
    const MaybeNumber ranks = taken("node_ranks");
    const MaybeNumber nodes = taken("nodes");
    if (nodes || ranks) set("device_count", nodes.value_or(1.0) * ranks.value_or(1.0));
  }

  void set_replicas() {
    MaybeNumber shards = taken("shard_degree");
    MaybeNumber copies = taken("replicate_degree");
    const MaybeNumber shard_axis = taken("shard_axis");
    const MaybeNumber copy_axis = taken("replicate_axis");
    if (shard_axis || copy_axis) {
      // Experts divide what is sharded, or else the copies.
      const double expert = execution_.expert();
      const bool is_sharded = shard_axis.value_or(1.0) != 1;
      shards = is_sharded && *shard_axis > 0 ? MaybeNumber(*shard_axis * expert) : shard_axis.value_or(1.0);
      copies = copy_axis.value_or(1.0) * (is_sharded ? 1.0 : expert);
    }
    const MaybeNumber devices = execution_.given("device_count");
    const MaybeNumber all = devices ? MaybeNumber(*devices / execution_.model_ranks()) : std::nullopt;
    if (shards && *shards < 0) shards = quotient(all, copies.value_or(1.0));  // -1: all that is left
    if (shards) {
      set("data_parallel", *shards * copies.value_or(1.0));
      if (*shards == 1 && *execution_.replicas() > 1 && execution_.or_one("optimizer_sharding") > 1)
        if (!known_.contains("optimizer_sharding")) values_["optimizer_sharding"] = "0";
      if (*shards > 1 && copies > 1.0) set("sharding_group", *shards * execution_.context());
    } else if (all) {
      set("data_parallel", std::floor(*all));
    }
    if (const MaybeNumber count = execution_.devices()) set("device_count", *count);
    if (const MaybeNumber instances = taken("optimizer_instances"); instances > 1.0 && execution_.replicas())
      set("sharding_group", *execution_.replicas() * execution_.context() / *instances);
  }

  void set_batches() {
    const MaybeNumber replicas = execution_.replicas();
    const MaybeNumber of_replica = taken("replica_batch");
    const MaybeNumber of_device = taken("device_batch");
    const MaybeNumber repeats = taken("micro_batches");
    if (of_device) set("micro_batch", *of_device * execution_.model_ranks());
    if (of_replica && execution_.stages() <= 1) set("micro_batch", *of_replica);
    if (replicas && of_replica) set("global_batch", *replicas * *of_replica);
    if (replicas && of_device)
      set("global_batch", *replicas * execution_.or_one("micro_batch") * repeats.value_or(1.0));
    const MaybeNumber steps = taken("steps");
    const MaybeNumber batch = execution_.given("global_batch");
    const MaybeNumber sequence = execution_.given("sequence_length");
    if (steps && batch && sequence) set("train_tokens", *steps * *batch * *sequence);
  }

  void set_layers() {
    const MaybeNumber layers = execution_.given("model.layers");
    if (const MaybeNumber of_chunk = taken("layers_per_chunk"); of_chunk && layers && execution_.stages() > 1)
      set("interleaving", std::max(1.0, std::round(*layers / execution_.stages() / *of_chunk)));
    if (const MaybeNumber chunks = taken("default_chunks")) set("interleaving", *chunks);
    const MaybeNumber of_stage = taken("recomputed_stage_layers");
    if (of_stage && layers)
      set("recomputed_layers",
          std::min(1.0, *of_stage * execution_.stages() * execution_.or_one("interleaving") / *layers));
    if (const MaybeNumber period = taken("recomputed_layer_period"); period > 0.0)
      set("recomputed_layers", 1.0 / *period);
  }

  LaunchValues& values_;
  const LaunchValues& known_;
  ParameterText value_of_;
  LaunchExecution execution_;
};

}  // namespace

std::optional<std::string> quantity_of(std::string_view name, const ParameterText& value_of) {
  const auto found =
      std::find_if(std::begin(quantities), std::end(quantities), [&](const Quantity& q) { return q.name == name; });
  if (found == std::end(quantities)) return value_of(name);
  const LaunchExecution execution(value_of);
  if (!execution.devices()) {
    // Where the devices are not known, only what does not count them is.
    constexpr std::string_view of_model[] = {"tensor_group", "stages",        "context_group", "chunks",
                                             "experts",      "expert_layers", "window_period"};
    if (std::find(std::begin(of_model), std::end(of_model), name) == std::end(of_model)) return std::nullopt;
  }
  const MaybeNumber value = found->value(execution);
  return value ? std::optional(shortest(*value)) : std::nullopt;
}

void replace_quantities(LaunchValues& values, const LaunchValues& known) {
  Solver(values, known).solve();
}

}  // namespace dfsweep::foreign
