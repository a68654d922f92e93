#include "engine/report/reduction/kept_rows.hpp"

#include <algorithm>
#include <utility>

#include "models/expect.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t most_kept = 30000;
constexpr std::size_t most_of_a_front = 5000;  ///< of one that is thinned

using Marked = std::vector<std::pair<std::uint64_t, std::uint8_t>>;  ///< row and why

/// Each row once, with all its reasons.
void unite(Marked& marked) {
  std::sort(marked.begin(), marked.end());
  std::size_t kept = 0;
  for (const auto& [row, why] : marked) {
    if (kept != 0 && marked[kept - 1].first == row)
      marked[kept - 1].second |= why;
    else
      marked[kept++] = {row, why};
  }
  marked.resize(kept);
}

void add_bests(Marked& marked, const Reduction& reduction) {
  for (std::size_t o = 0; o < reduction.tops.size(); ++o)
    for (const BestRow& best : reduction.cube.best(o))
      if (best.row != no_row) marked.push_back({best.row, why_best});
}

void add_front(Marked& marked, const Front& front) {
  for (const FrontMember& member : front.steps()) marked.push_back({member.row, why_front});
}

Marked rows_that_must_appear(const Reduction& reduction) {
  Marked marked;
  add_bests(marked, reduction);
  for (const TopRows& top : reduction.tops)
    for (const auto& [cost, row] : top.sorted()) marked.push_back({row, why_top});
  for (const TopRows& ranked : reduction.ranked)
    for (const auto& [cost, row] : ranked.sorted()) marked.push_back({row, why_ranked});
  unite(marked);
  return marked;
}

Marked with_fronts(Marked marked, const Reduction& reduction) {
  for (const PairFronts& pair : reduction.pairs)
    for (const Front& front : pair.fronts) add_front(marked, front);
  unite(marked);
  return marked;
}

/// The rows with fronts of as many axes as fit into the page.
Marked with_fitting_fronts(const Marked& marked, Reduction& reduction, const Subject& subject, std::size_t most) {
  std::size_t axes = front_axes(reduction, subject);
  keep_front_axes(reduction, subject, axes);
  Marked all = with_fronts(marked, reduction);
  while (all.size() > most && axes > 0) {
    keep_front_axes(reduction, subject, --axes);
    all = with_fronts(marked, reduction);
  }
  if (all.size() <= most) return all;
  for (PairFronts& pair : reduction.pairs) {
    pair.is_whole = pair.is_whole && pair.members() <= most_of_a_front;
    pair.fronts.front().thin(most_of_a_front);
  }
  return with_fronts(marked, reduction);
}

std::vector<std::uint64_t> sampled_rows(const Reduction& reduction, std::size_t most) {
  std::vector<std::uint64_t> rows;
  for (const auto& [hash, row] : reduction.sample.sorted()) {
    if (rows.size() == most) break;
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// At most half of the room, so that a sample fits as well.
std::size_t most_kept_rows(const Reduction& reduction, const PageRoom& room) {
  constexpr std::size_t share = 2;
  return std::clamp<std::size_t>(room.beside(reduction.cube.cells()) / share / room.kept_bytes, 1, most_kept);
}

}  // namespace

KeptRows choose_rows(Reduction& reduction, const Subject& subject, const PageRoom& room) {
  DFSWEEP_EXPECT(room.kept_bytes != 0 && room.sampled_bytes != 0);
  KeptRows kept;
  Marked marked = rows_that_must_appear(reduction);
  while (marked.size() > most_kept_rows(reduction, room) && !reduction.axes.empty()) {
    drop_last_axis(reduction, subject);
    marked = rows_that_must_appear(reduction);
  }
  const std::size_t most = most_kept_rows(reduction, room);
  const std::size_t bytes = room.beside(reduction.cube.cells());
  const bool fits = subject.ok_rows() <= whole_rows && subject.ok_rows() * room.kept_bytes <= bytes;
  Marked all = with_fitting_fronts(marked, reduction, subject, fits ? whole_rows + most : most);
  kept.is_complete = fits;
  kept.front_axes = front_axes(reduction, subject);
  kept.are_fronts_whole =
      std::all_of(reduction.pairs.begin(), reduction.pairs.end(), [](const PairFronts& pair) { return pair.is_whole; });
  if (kept.is_complete) {
    for (const std::uint64_t row : reduction.ok_rows) all.push_back({row, std::uint8_t{0}});
    unite(all);
  }
  for (const auto& [row, why] : all) {
    kept.rows.push_back(row);
    kept.why.push_back(why);
  }
  const std::size_t used = std::min(bytes, kept.rows.size() * room.kept_bytes);
  if (!kept.is_complete) kept.sampled = sampled_rows(reduction, (bytes - used) / room.sampled_bytes);
  return kept;
}

std::size_t place_of(const KeptRows& kept, std::uint64_t row) {
  const auto found = std::lower_bound(kept.rows.begin(), kept.rows.end(), row);
  DFSWEEP_EXPECT(found != kept.rows.end() && *found == row);
  return static_cast<std::size_t>(found - kept.rows.begin());
}

}  // namespace dfsweep::report
