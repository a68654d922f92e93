/// Sampling: rounds of growing size, each evaluated twice to separate warm-up from steady state.
#include "engine/evaluation/cost_sample.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/evaluation/search_evaluation.hpp"
#include "engine/evaluation/search_reduction.hpp"
#include "engine/sweep/preparation.hpp"
#include "engine/sweep/statuses.hpp"
#include "models/cost/source.hpp"
#include "models/enum_array.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

/// Consecutive points of a piece, as in a run, because estimators share work among neighbours.
constexpr std::uint64_t max_piece = 4096;
constexpr std::uint64_t growth = 8;            // factor from round to round
constexpr std::uint64_t max_points = 262'144;  // per round
constexpr std::uint64_t status_seed = 1;
constexpr std::uint64_t max_status_points = 8'192;

/// Pieces of consecutive points at equal distances.
struct Round {
  std::uint64_t piece = 1;     ///< points
  std::uint64_t distance = 1;  ///< between the first points of consecutive pieces
  std::uint64_t first = 0;     ///< index of the first kept point
  std::uint64_t points = 1;
};

/// A round of `count` kept points: all of them, or a power of 8. Rounds of different `number` have different points.
Round round_of(const Plan& plan, std::uint64_t count, std::size_t number) {
  constexpr double golden = 0.6180339887498949;
  const std::uint64_t kept = plan.rows().kept();
  if (count >= kept) return {.piece = max_piece, .distance = max_piece, .first = 0, .points = kept};
  const std::uint64_t longest = std::min(max_piece, std::bit_floor(plan.points_per_block()));
  Round round{.piece = std::clamp<std::uint64_t>(count / growth, 1, longest), .points = count};
  round.distance = kept / (count / round.piece);
  const double place = std::fmod(0.5 + golden * static_cast<double>(number), 1.0);
  round.first = static_cast<std::uint64_t>(place * static_cast<double>(round.distance - round.piece));
  return round;
}

/// The even and the odd pieces as two rounds; a round of one piece or of all points is not split.
std::vector<Round> halves_of(const Round& round) {
  if (round.points == round.piece || round.distance == round.piece) return {round};
  Round half = round;
  half.distance = 2 * round.distance;
  half.points = round.points / 2;
  Round other = half;
  other.first += round.distance;
  return {half, other};
}

/// Calls `use` with the points of each piece.
template <class Use>
void for_each_piece(const RowSource& rows, const Round& round, const Use& use) {
  PointBuffer points;
  std::uint64_t first = round.first;
  for (std::uint64_t left = round.points; left > 0; first += round.distance) {
    const std::uint64_t count = std::min(round.piece, left);
    rows.decode(first, count, points);
    use(first, points);
    left -= count;
  }
}

/// Evaluates the points of a round the way a run does.
void evaluate_round(const Plan& plan, const PreparedSweep& prepared, const Wanted& wanted, const Round& round,
                    Tally& tally) {
  EstimateBuffer estimates;
  SearchEvaluation evaluation(plan.spec(), plan.rows(), prepared);
  for_each_piece(plan.rows(), round, [&](std::uint64_t first, const PointBuffer& points) {
    evaluation.evaluate(first, points, estimates, tally, wanted);
    if (!plan.spec().search) return;
    const std::uint64_t group = group_of(plan.rows(), first);
    const std::uint64_t last_group = group_of(plan.rows(), first + points.points.size() - 1);
    SearchReduction(plan, group, last_group - group + 1).add(first, points, estimates);
  });
}

/// A kept point at random in each of `count` equal parts of all kept points. Neighbours share the values of the outer
/// axes, and points at equal distances may share those of inner axes: whether any is ok would depend on the order of
/// the axes. A random place in each part depends on no axis.
PointBuffer scattered_points(const RowSource& rows, std::uint64_t count) {
  const CounterRandom random(status_seed);
  const double part = static_cast<double>(rows.kept()) / static_cast<double>(count);
  PointBuffer all;
  PointBuffer one;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double place = (static_cast<double>(i) + random.uniform(i)) * part;
    rows.decode(std::min(static_cast<std::uint64_t>(place), rows.kept() - 1), 1, one);
    all.codes.resize(one.codes.size());
    for (std::size_t c = 0; c < one.codes.size(); ++c) all.codes[c].push_back(one.codes[c].front());
    all.points.push_back(one.points.front());
  }
  all.columns.assign(all.codes.begin(), all.codes.end());
  return all;
}

/// For every status other than ok, the point with the least shortfall, or the first point.
std::vector<SampledMiss> misses_of(const Estimator& estimator, const PointBuffer& points,
                                   const EstimateBuffer& estimates, std::vector<std::size_t>& places) {
  const std::optional<MetricIndex> shortfall = estimator.shortfall();
  std::vector<SampledMiss> misses;
  std::vector<double> least;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    const std::uint8_t status = estimates.status[i];
    if (status == status_ok) continue;
    const double here = shortfall ? estimates.metrics[*shortfall][i] : std::nan("");
    const auto known =
        std::find_if(misses.begin(), misses.end(), [&](const SampledMiss& m) { return m.status == status; });
    const auto m = static_cast<std::size_t>(known - misses.begin());
    if (known == misses.end()) {
      misses.push_back({.status = status, .points = 0, .point = points.points[i], .is_nearest = false, .reason = {}});
      least.push_back(std::numeric_limits<double>::infinity());
      places.push_back(i);
    }
    ++misses[m].points;
    if (!(here < least[m])) continue;
    least[m] = here;
    misses[m].point = points.points[i];
    misses[m].is_nearest = true;
    places[m] = i;
  }
  return misses;
}

DerivedFigures derived_figures(const Estimator& estimator, const EstimateBuffer& estimates) {
  const std::span<const MetricInfo> infos = estimator.metrics();
  const auto points_of = [&](std::string_view name) -> std::uint64_t {
    const auto info = std::find_if(infos.begin(), infos.end(), [&](const MetricInfo& m) { return m.name == name; });
    if (info == infos.end()) return 0;
    const auto& column = estimates.metrics[static_cast<std::size_t>(info - infos.begin())];
    std::uint64_t points = 0;
    for (std::size_t i = 0; i < estimates.status.size(); ++i)
      if (estimates.status[i] == status_ok && column[i] == index_of(cost::Source::derived)) ++points;
    return points;
  };
  const auto ok = std::count(estimates.status.begin(), estimates.status.end(), status_ok);
  return {static_cast<std::uint64_t>(ok), points_of("price_source"), points_of("power_source")};
}

/// The conditions of the search that a point violates.
std::string violated_conditions(SearchConditions& conditions, const PointBuffer& points,
                                const EstimateBuffer& estimates, std::size_t place) {
  std::vector<std::uint32_t> codes;
  for (const auto& column : points.codes) codes.push_back(column[place]);
  std::vector<double> metrics;
  for (const auto& column : estimates.metrics) metrics.push_back(column[place]);
  return fmt::format("{}", fmt::join(conditions.violated(codes, metrics), "; "));
}

/// Statuses and misses of at most `count` points: all points where there are no more.
void evaluate_statuses(const Plan& plan, const PreparedSweep& prepared, std::uint64_t count, CostSample& sample) {
  const Estimator& estimator = *plan.spec().estimator;
  PointBuffer points;
  if (count < plan.rows().kept())
    points = scattered_points(plan.rows(), count);
  else
    plan.rows().decode(0, plan.rows().kept(), points);
  EstimateBuffer estimates;
  sample.tally = {};
  evaluate_range(estimator, prepared, points, estimates, sample.tally);
  SearchConditions conditions(plan.spec());
  conditions.apply(points, estimates, sample.tally);
  sample.evaluated += points.points.size();
  std::vector<std::size_t> places;
  sample.misses = misses_of(estimator, points, estimates, places);
  sample.derived = derived_figures(estimator, estimates);
  const std::uint8_t limit_not_met = code_of(SearchStatus::limit_not_met, estimator);
  std::vector<std::span<const std::uint32_t>> columns;
  for (std::size_t m = 0; m < places.size(); ++m) {
    SampledMiss& miss = sample.misses[m];
    if (miss.status == limit_not_met)
      miss.reason = violated_conditions(conditions, points, estimates, places[m]);
    else if (miss.status != status_failed)
      miss.reason = prepared.reason(points.part(places[m], 1, columns));
  }
}

}  // namespace

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

CostSample sample_cost(const Plan& plan, const CostSampling& sampling) {
  CostSample sample;
  const double start = sampling.now();
  const std::unique_ptr<PreparedSweep> prepared = prepare(plan.spec());
  sample.preparation_seconds = sampling.now() - start;
  sample.is_prepared = true;
  sample.warnings = warnings_text(plan.spec(), *prepared);
  sampling.seen(sample);
  const Wanted wanted = wanted_of(plan.spec(), *prepared);
  const std::uint64_t kept = plan.rows().kept();
  const auto seconds_of = [&](const Round& round) {
    sample.tally = {};
    const double begin = sampling.now();
    evaluate_round(plan, *prepared, wanted, round, sample.tally);
    sample.evaluated += round.points;
    return sampling.now() - begin;
  };
  std::vector<CostRound> rounds;
  std::uint64_t count = 1;
  for (std::size_t number = 0;; ++number) {
    const double begin = sampling.now();
    for (const Round& half : halves_of(round_of(plan, count, number))) {
      const double first_seconds = seconds_of(half);
      rounds.push_back({.points = half.points, .first_seconds = first_seconds, .again_seconds = seconds_of(half)});
    }
    sample.cost = cost_of_all(rounds, kept);
    sampling.seen(sample);
    const double next = static_cast<double>(growth) * (sampling.now() - begin);
    const bool is_enough = count >= std::min(max_points, kept) || next > sampling.enough_seconds;
    // At least two rounds are needed to separate the shared cost from the cost per point.
    if (is_enough && (rounds.size() > 1 || kept == 1)) break;
    count = is_enough ? 1 : std::min(count * growth, kept);
  }
  evaluate_statuses(plan, *prepared, std::min(count, max_status_points), sample);
  return sample;
}

}  // namespace dfsweep
