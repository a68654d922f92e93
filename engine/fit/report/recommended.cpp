/// The rule of recommendation applied to all groups, judged, and carried from dense groups to MoE groups.
#include "engine/fit/report/make_report.hpp"

#include <algorithm>

#include "engine/parallel/threads.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// Groups up to which the rule is judged with inner leave-one-out; its cost grows with their cube.
constexpr std::size_t most_judged_groups = most_left_out_alone;
constexpr std::size_t shown_next_groups = 5;
constexpr std::uint64_t gain_replicates = 10000;

enum class Depth : std::uint8_t { plain, judged };

std::vector<CandidateRegrets> regrets_of(const FitReport& report, std::span<const std::size_t> groups, Depth depth) {
  const std::vector<LawCandidate> candidates = law_candidates();
  std::vector<CandidateRegrets> regrets(candidates.size());
  parallel_for(candidates.size(), report.settings.threads, [&](std::size_t c) {
    regrets[c] = depth == Depth::judged
                     ? candidate_regrets(report.read.selected, *report.judged.scoring, groups, candidates[c])
                     : left_out_regrets(report.read.selected, *report.judged.scoring, groups, candidates[c]);
  });
  return regrets;
}

/// Pre: the rule was judged.
PairedGain gain_over_published(const FitReport& report, const RecommendedLaw& law, double Regret::*count) {
  const ScoredLaw& published = report.judged.published.front();
  std::vector<double> baseline;
  std::vector<double> candidate;
  for (const JudgedGroup& group : law.judged_groups) {
    baseline.push_back(published.scores[group.score.group].regret.*count);
    candidate.push_back(group.score.regret.*count);
  }
  return paired_gain(baseline, candidate, interval_confidence, report.settings.seed, gain_replicates);
}

void carry_to_moe(const FitReport& report, RecommendedLaw& law) {
  const GroupSplit split = dense_to_moe(report.read.selected);
  if (split.train.size() < least_recommended_groups || split.test.empty()) return;
  const std::vector<CandidateRegrets> regrets = regrets_of(report, split.train, Depth::plain);
  const LawCandidate& chosen = regrets[recommend(regrets)].candidate;
  law.dense_candidate = chosen;
  const GroupSplit splits[] = {split};
  law.dense_to_moe =
      summarize(cross_validate(report.read.selected, *report.judged.scoring, splits, chosen.form, chosen.method));
}

ScalePrediction predicted(const FitReport& report, const RecommendedLaw& law, const TrainingScale& scale) {
  ScalePrediction prediction;
  prediction.scale = scale;
  prediction.value = law.law().at(scale);
  prediction.cheapest = law.fit.law().at(scale);
  if (!law.has_interval()) return prediction;
  const std::vector<std::size_t>& groups = report.fitted.subsets[law.subset].groups;
  prediction.scattered = predict(law.scattered, scale, interval_confidence);
  prediction.sensitivity =
      interval_sensitivity(report.read.selected, groups, law.candidate.form, scale, interval_confidence);
  prediction.next = rank_next_groups(law.scattered, scale, next_group_choices(report.read.selected, groups));
  if (prediction.next.size() > shown_next_groups) prediction.next.resize(shown_next_groups);
  return prediction;
}

ScoreSummary scattered_left_out(const FitReport& report, std::span<const std::size_t> groups, const LawForm& form) {
  const std::vector<GroupSplit> splits = left_out_splits(groups);
  std::vector<std::vector<GroupScore>> parts(splits.size());
  parallel_for(splits.size(), report.settings.threads, [&](std::size_t i) {
    parts[i] =
        cross_validate_scattered(report.read.selected, *report.judged.scoring, std::span(splits).subspan(i, 1), form);
  });
  std::vector<GroupScore> scores;
  for (const std::vector<GroupScore>& part : parts) scores.insert(scores.end(), part.begin(), part.end());
  return summarize(scores);
}

RecommendedLaw with_intervals(const FitReport& report, RecommendedLaw law) {
  const std::vector<std::size_t>& groups = report.fitted.subsets[law.subset].groups;
  law.scattered = fit_scattered_law(report.read.selected, groups, law.candidate.form);
  law.range = range_of_groups(report, groups);
  if (report.judged.scoring && law.has_interval())
    law.scattered_left_out = scattered_left_out(report, groups, law.candidate.form);
  for (const TrainingScale& scale : report.settings.predict) law.predictions.push_back(predicted(report, law, scale));
  return law;
}

}  // namespace

ScaleRange range_of_groups(const FitReport& report, std::span<const std::size_t> groups) {
  std::vector<TrainingScale> scales;
  for (const std::size_t g : groups) scales.push_back(report.read.selected.groups[g].scale);
  return range_of(scales);
}

std::optional<RecommendedLaw> recommended_law(const FitReport& report) {
  RecommendedLaw law;
  law.subset = report.fitted.subsets.size() - 1;
  const std::vector<std::size_t>& groups = report.fitted.subsets[law.subset].groups;
  if (groups.size() < least_recommended_groups) return std::nullopt;
  if (!report.judged.scoring) {
    if (report.settings.predict.empty()) return std::nullopt;
    law.candidate = {*find_law_form("unified"), {LawEstimator::kept_rows, report.settings.threshold}};
    law.fit = fit_law(report.read.selected, groups, law.candidate.form, law.candidate.method);
    if (law.fit.defect != FitDefect::none) return std::nullopt;
    return with_intervals(report, std::move(law));
  }
  const Depth depth = groups.size() <= most_judged_groups ? Depth::judged : Depth::plain;
  const std::vector<CandidateRegrets> regrets = regrets_of(report, groups, depth);
  const std::size_t chosen = recommend(regrets);
  law.candidate = regrets[chosen].candidate;
  law.fit = fit_law(report.read.selected, groups, law.candidate.form, law.candidate.method);
  if (law.fit.defect != FitDefect::none) return std::nullopt;
  for (const CandidateRegrets& each : regrets) {
    law.candidates.push_back(each.candidate);
    law.candidate_scores.push_back(summarize(each.left_out));
  }
  law.left_out = law.candidate_scores[chosen];
  if (depth == Depth::judged) {
    law.judged_groups = judge_recommendation(regrets);
    std::vector<GroupScore> scores;
    for (const JudgedGroup& group : law.judged_groups) scores.push_back(group.score);
    law.judged = summarize(scores);
    law.nearest_gain = gain_over_published(report, law, &Regret::nearest);
    law.bilinear_gain = gain_over_published(report, law, &Regret::bilinear);
    law.quadratic_gain = gain_over_published(report, law, &Regret::quadratic);
  }
  if (report.fitted.subsets[law.subset].name == "joint") carry_to_moe(report, law);
  return with_intervals(report, std::move(law));
}

}  // namespace dfsweep::fit
