#include "models/training/explain/link_section.hpp"

#include "models/machine/tier_lines.hpp"
#include "models/machine/topology.hpp"
#include "models/short_number.hpp"
#include "models/training/communication/placement.hpp"

namespace dfsweep::training {

namespace {

struct NamedTier {
  Tier tier;
  const char* name;
  LinkTier Network::*links;
};

constexpr NamedTier named_tiers[] = {{Tier::inside, "in a node", &Network::inside},
                                     {Tier::across, "between nodes", &Network::across},
                                     {Tier::between_pods, "between pods", &Network::between_pods}};

std::string words_of(DimensionKind kind) {
  if (kind == DimensionKind::ring) return "ring of ";
  return kind == DimensionKind::switched ? "switch of " : "clique of ";
}

/// "4 of a ring of 8, 2 apart; ..."
std::string words_of(const TierLines& lines) {
  std::string text;
  for (const RankLine& line : lines.all()) {
    if (!text.empty()) text += "; ";
    text += short_number(line.ranks) + " of a " + words_of(line.kind) + short_number(line.size);
    if (line.stride > 1) text += ", " + short_number(line.stride) + " apart";
  }
  return text;
}

}  // namespace

Explanation link_section(const TrainingPoint& point) {
  const Network& network = point.network;
  Explanation all{
      .title = "which links carry what, before shares of software", .facts = {}, .table = {}, .sections = {}};
  std::string joined;
  for (std::size_t d = 0; d < network.dimensions.topology.count; ++d)
    joined += (d == 0 ? "" : ", ") + words_of(network.dimensions.topology.kinds[d]) +
              short_number(network.dimensions.shape.sizes[d]);
  all.facts.push_back({"dimensions", joined, ""});
  all.table.headings = {"group", "tier", "along", "pass", "all-to-all", "to the next"};
  all.table.units = {"", "", "", "B s-1", "B s-1", "B s-1"};
  const auto rows = [&](const char* name, const GroupPlace& group) {
    for (const NamedTier& named : named_tiers) {
      const TierLines lines = tier_lines(group, network.dimensions, named.tier);
      if (lines.count == 0) continue;
      const Bandwidth device = (network.*named.links).bandwidth;
      all.table.rows.push_back({std::string(name), std::string(named.name), words_of(lines),
                                pass_bandwidth(lines, device).value(), all_to_all_bandwidth(lines, device).value(),
                                next_bandwidth(lines, device).value()});
    }
  };
  const Placement placed = place(point.execution.parallel, network.enclosures);
  rows("tensor", placed.tensor);
  rows("context", placed.context);
  rows("replicas of dense weights", placed.data_context);
  rows("expert", placed.expert);
  rows("one expert", placed.expert_tensor);
  if (point.architecture.experts.count > 0) rows("replicas of experts", placed.expert_data);
  rows("pipeline", placed.pipeline);
  return all;
}

}  // namespace dfsweep::training
