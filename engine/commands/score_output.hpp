/// What `score` writes: the machines as a table, the words around it, a page.
#pragma once

#include <string>
#include <vector>

#include "engine/scores/scores.hpp"
#include "engine/tables/table.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// A question with its answer.
struct ShownScores {
  const ScoreQuestion* question = nullptr;
  const Scores* scores = nullptr;
  std::vector<std::string> paths;  ///< [result] as the user wrote it
};

/// Machines with their score, the metrics of the objective, and the point of each result. `machines`: places in the
/// scores.
[[nodiscard]] DataTable score_table(const ShownScores& shown, const std::vector<std::size_t>& machines);
/// Places of the first `most` machines, of all and of those on the front.
[[nodiscard]] std::vector<std::size_t> best_machines(const Scores& scores, std::size_t most);
[[nodiscard]] std::vector<std::size_t> machines_of_front(const Scores& scores, std::size_t most);

[[nodiscard]] std::string score_text(const ShownScores& shown, const std::vector<std::size_t>& machines,
                                     const Terminal& terminal);
[[nodiscard]] JsonObject score_json(const ShownScores& shown, const std::vector<std::size_t>& machines);
[[nodiscard]] html::Page score_page(const ShownScores& shown);

}  // namespace dfsweep
