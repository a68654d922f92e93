#include "engine/steplaw/uncertainty.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "engine/parallel.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t gain_replicates = 10000;
constexpr std::size_t fewest_groups = 8;  ///< of a recommendation: two are left out, and laws have three coefficients
constexpr std::size_t shown_next_groups = 12;

std::vector<CandidateRegrets> regrets_of(const SelectedRuns& runs, const ScoringGroups& scoring,
                                         std::span<const std::size_t> groups, unsigned threads,
                                         CandidateRegrets (*judge)(const SelectedRuns&, const ScoringGroups&,
                                                                   std::span<const std::size_t>, const LawCandidate&)) {
  const std::vector<LawCandidate> candidates = law_candidates();
  std::vector<CandidateRegrets> regrets(candidates.size());
  parallel_for(candidates.size(), threads,
               [&](std::size_t c) { regrets[c] = judge(runs, scoring, groups, candidates[c]); });
  return regrets;
}

ScoreSummary left_out_summary(const CandidateRegrets& regrets) {
  std::vector<GroupScore> scores;
  for (std::size_t g = 0; g < regrets.groups; ++g) scores.push_back(regrets.at(g, g));
  return summarize(scores);
}

/// Regrets of the published law less those of the rule, on the same groups.
PairedGain gain_over_published(const SelectedRuns& runs, const ScoringGroups& scoring,
                               std::span<const JudgedGroup> judged, std::uint64_t seed) {
  const PublishedLaw* published = find_published_law("published_mean");
  std::vector<double> baseline;
  std::vector<double> candidate;
  for (const JudgedGroup& each : judged) {
    const std::size_t g = each.score.group;
    baseline.push_back(score(scoring, g, published->at(runs.groups[g].scale)).regret.nearest);
    candidate.push_back(each.score.regret.nearest);
  }
  return paired_gain(baseline, candidate, 0.95, seed, gain_replicates);
}

void judge_transfer(const SelectedRuns& runs, const ScoringGroups& scoring, unsigned threads, RecommendedLaw& law) {
  const GroupSplit split = dense_to_moe(runs);
  if (split.test.empty() || split.train.size() < fewest_groups) return;
  const auto regrets = regrets_of(runs, scoring, split.train, threads, leave_one_out_regrets);
  law.dense_choice = regrets[recommend(regrets)].candidate;
  const LawFit fit = fit_law(runs, split.train, law.dense_choice->form, law.dense_choice->method);
  std::vector<GroupScore> scores;
  for (const std::size_t g : split.test) scores.push_back(score(scoring, g, fit.law().at(runs.groups[g].scale)));
  law.dense_to_moe = summarize(scores);
}

std::optional<RecommendedLaw> recommended_law(const SelectedRuns& runs, const ScoringGroups& scoring,
                                              std::span<const std::size_t> groups,
                                              const UncertaintySettings& settings) {
  if (groups.size() < fewest_groups) return std::nullopt;
  const auto regrets = regrets_of(runs, scoring, groups, settings.threads, candidate_regrets);
  const CandidateRegrets& chosen = regrets[recommend(regrets)];
  RecommendedLaw law;
  law.fit = fit_law(runs, groups, chosen.candidate.form, chosen.candidate.method);
  if (law.fit.defect != FitDefect::none) return std::nullopt;
  law.left_out = left_out_summary(chosen);
  for (const CandidateRegrets& each : regrets) law.candidates.emplace_back(each.candidate, left_out_summary(each));
  law.judged = judge_recommendation(regrets);
  std::vector<GroupScore> scores;
  for (const JudgedGroup& each : law.judged) scores.push_back(each.score);
  law.judged_summary = summarize(scores);
  law.gain = gain_over_published(runs, scoring, law.judged, settings.seed);
  judge_transfer(runs, scoring, settings.threads, law);
  return law;
}

}  // namespace

Uncertainty uncertainty_of(const SelectedRuns& runs, const ScoringGroups* scoring,
                           const UncertaintySettings& settings) {
  std::vector<std::size_t> groups(runs.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  Uncertainty out;
  out.settings = settings;
  if (scoring != nullptr) out.recommended = recommended_law(runs, *scoring, groups, settings);
  const LawForm form = out.recommended ? out.recommended->fit.form : *find_law_form("unified");
  out.law = fit_scattered_law(runs, groups, form);
  if (scoring != nullptr && out.law.defect == FitDefect::none)
    out.left_out = summarize(cross_validate_scattered(runs, *scoring, leave_one_group_out(groups), form));
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (const TrainingScale& scale : settings.predict) {
    ScalePrediction prediction;
    prediction.scale = scale;
    prediction.recommended = out.recommended ? out.recommended->fit.law().at(scale) : LogPoint{unknown, unknown};
    prediction.interval = predict(out.law, scale, settings.confidence);
    prediction.sensitivity = interval_sensitivity(runs, groups, form, scale, settings.confidence);
    out.predictions.push_back(std::move(prediction));
  }
  if (!settings.predict.empty())
    out.next = rank_next_groups(out.law, settings.predict.front(), next_group_choices(runs, groups));
  if (out.next.size() > shown_next_groups) out.next.resize(shown_next_groups);
  return out;
}

}  // namespace dfsweep
