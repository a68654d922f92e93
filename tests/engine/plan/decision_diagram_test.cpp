/// Decision diagrams: many filters keep the tuples that brute force keeps, for work that follows what they leave out.
#include "engine/plan/decision_diagram.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(decision_diagram_test)

using namespace dfsweep;

namespace {

using Codes = std::vector<std::uint32_t>;

std::vector<DecisionDiagram::Level> levels_of(std::size_t axes, std::uint32_t size) {
  std::vector<DecisionDiagram::Level> levels;
  for (std::size_t axis = 0; axis < axes; ++axis) levels.push_back({axis, size});
  return levels;
}

/// Leaves out one combination of codes of some axes.
struct Forbidden {
  std::vector<DecisionDiagram::Level> levels;
  Codes codes;
  [[nodiscard]] DecisionDiagram diagram(std::size_t searched_axis) const {
    return {levels, searched_axis, [this](std::span<const std::uint32_t> tuple) {
              return !std::equal(tuple.begin(), tuple.end(), codes.begin());
            }};
  }
  [[nodiscard]] bool keeps(const Codes& tuple) const {
    for (std::size_t i = 0; i < levels.size(); ++i)
      if (tuple[levels[i].axis] != codes[i]) return true;
    return false;
  }
};

/// Combinations of `width` neighbouring axes.
std::vector<Forbidden> drawn(std::uint64_t seed, std::size_t count, std::size_t axes, std::uint32_t size,
                             std::size_t width) {
  const CounterRandom random(seed);
  std::vector<Forbidden> all;
  for (std::size_t i = 0; i < count; ++i) {
    Forbidden& one = all.emplace_back();
    const std::size_t first = random.index(i, 0, axes - width + 1);
    for (std::size_t j = 0; j < width; ++j) {
      one.levels.push_back({first + j, size});
      one.codes.push_back(static_cast<std::uint32_t>(random.index(i, 1 + j, size)));
    }
  }
  return all;
}

DecisionDiagram everything(std::size_t axes, std::uint32_t size, std::size_t searched_axis) {
  return {levels_of(axes, size), searched_axis, [](std::span<const std::uint32_t>) { return true; }};
}

/// Tuples in the order of the diagram.
void list(const DecisionDiagram& diagram, DecisionDiagram::NodeId node, Codes& codes, std::vector<Codes>& out) {
  if (node == DecisionDiagram::complete) out.push_back(codes);
  if (node <= DecisionDiagram::complete) return;
  for (const DecisionDiagram::Arc& arc : diagram.arcs(node)) {
    codes.push_back(arc.code);
    list(diagram, arc.child, codes, out);
    codes.pop_back();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(filters_keep_what_brute_force_keeps) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t searched_axis = seed % 5;
    const std::vector<Forbidden> filters = drawn(seed, 5 + 3 * seed, 4, 4, 1 + seed % 4);
    DecisionDiagram diagram = everything(4, 4, searched_axis);
    DecisionDiagram joined = everything(4, 4, searched_axis);
    for (const Forbidden& filter : filters) {
      diagram.keep(filter.diagram(searched_axis));
      joined = DecisionDiagram::intersection(filter.diagram(searched_axis), joined);
    }
    diagram.compact();
    std::vector<Codes> expected, kept;
    for (std::uint32_t point = 0; point < 256; ++point) {
      const Codes codes{point >> 6, point >> 4 & 3, point >> 2 & 3, point & 3};
      bool keeps = true;
      for (const Forbidden& filter : filters) keeps = keeps && filter.keeps(codes);
      if (keeps) expected.push_back(codes);
    }
    Codes codes;
    list(diagram, diagram.root(), codes, kept);
    BOOST_TEST_REQUIRE((kept == expected));
    BOOST_TEST_REQUIRE(diagram.tuples() == expected.size());
    BOOST_TEST_REQUIRE(diagram.groups(diagram.root()) == joined.groups(joined.root()));
    BOOST_TEST_REQUIRE(diagram.largest_group() == joined.largest_group());
    std::uint64_t of_root = 0;
    for (const DecisionDiagram::NodeId node : diagram.nodes_of(0)) of_root += diagram.tuples(node);
    BOOST_TEST_REQUIRE(of_root == expected.size());  // nothing that is no longer reachable
  }
}

/// Each filter leaves out one of 400 combinations of two axes. Joining it with the whole diagram looks at all nodes
/// that exist; keeping looks at those on its paths.
BOOST_AUTO_TEST_CASE(many_filters_cost_what_they_leave_out) {
  const std::vector<Forbidden> filters = drawn(3, 800, 6, 20, 2);
  DecisionDiagram diagram = everything(6, 20, 6);
  for (const Forbidden& filter : filters) diagram.keep(filter.diagram(6));
  BOOST_TEST(diagram.tuples() > 0U);
  BOOST_TEST(diagram.joined_pairs() < 150U * filters.size());
}

BOOST_AUTO_TEST_SUITE_END()
