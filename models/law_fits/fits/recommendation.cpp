#include "models/law_fits/fits/recommendation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep::law_fits {

namespace {

constexpr FitMethod candidate_methods[] = {
    {LawEstimator::kept_rows, 0.00125}, {LawEstimator::kept_rows, 0.0025},        {LawEstimator::kept_rows, 0.005},
    {LawEstimator::quadratic, 0.01},    {LawEstimator::quadratic_weighted, 0.01}, {LawEstimator::joint_surface, 0.01},
};

GroupScore judged_without(const SelectedRuns& runs, const ScoringGroups& scoring, const LawFit& fit,
                          std::size_t group) {
  const bool fitted = fit.defect == FitDefect::none;
  return score(scoring, group, fitted ? fit.law().at(runs.groups[group].scale) : LogPoint{absent, absent});
}

/// `groups` without `first` and `second`, which may be equal.
std::vector<std::size_t> others(std::span<const std::size_t> groups, std::size_t first, std::size_t second) {
  std::vector<std::size_t> rest;
  rest.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (i != first && i != second) rest.push_back(groups[i]);
  return rest;
}

/// The cost by the rule; infinite for a candidate without a fit.
double charge(const GroupScore& scored) {
  const double regret = scored.regret.bilinear;
  return !is_given(regret) ? std::numeric_limits<double>::infinity() : regret;
}

/// The first candidate with the least cost `total`.
template <typename Total>
std::size_t cheapest(std::span<const CandidateRegrets> candidates, Total total) {
  DFSWEEP_EXPECT(!candidates.empty());
  std::size_t best = 0;
  double least = total(candidates[0]);
  for (std::size_t c = 1; c < candidates.size(); ++c) {
    const double sum = total(candidates[c]);
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  return best;
}

}  // namespace

std::vector<LawCandidate> law_candidates() {
  constexpr std::array preferred = {"unified", "step_full"};
  std::vector<LawForm> forms;
  for (const std::string_view name : preferred) forms.push_back(*find_law_form(name));
  for (const LawForm& form : law_forms())
    if (std::find(preferred.begin(), preferred.end(), form.name) == preferred.end()) forms.push_back(form);
  std::vector<LawCandidate> candidates;
  for (const LawForm& form : forms)
    for (const FitMethod& method : candidate_methods) candidates.push_back({form, method});
  return candidates;
}

CandidateRegrets candidate_regrets(const SelectedRuns& runs, const ScoringGroups& scoring,
                                   std::span<const std::size_t> groups, const LawCandidate& candidate) {
  const std::size_t n = groups.size();
  CandidateRegrets regrets{candidate, std::vector<GroupScore>(n), std::vector<GroupScore>(n * n)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const LawFit fit = fit_law(runs, others(groups, i, j), candidate.form, candidate.method);
      (i == j ? regrets.left_out[i] : regrets.pairs[i * n + j]) = judged_without(runs, scoring, fit, groups[j]);
      if (i != j) regrets.pairs[j * n + i] = judged_without(runs, scoring, fit, groups[i]);
    }
  }
  return regrets;
}

CandidateRegrets left_out_regrets(const SelectedRuns& runs, const ScoringGroups& scoring,
                                  std::span<const std::size_t> groups, const LawCandidate& candidate) {
  CandidateRegrets regrets{
      candidate, cross_validate(runs, scoring, left_out_splits(groups), candidate.form, candidate.method), {}};
  std::sort(regrets.left_out.begin(), regrets.left_out.end(),
            [](const GroupScore& a, const GroupScore& b) { return a.group < b.group; });
  return regrets;
}

std::size_t recommend(std::span<const CandidateRegrets> candidates) {
  return cheapest(candidates, [](const CandidateRegrets& candidate) {
    double sum = 0.0;
    for (const GroupScore& score : candidate.left_out) sum += charge(score);
    return sum;
  });
}

std::vector<JudgedGroup> judge_recommendation(std::span<const CandidateRegrets> candidates) {
  DFSWEEP_EXPECT(!candidates.empty());
  std::vector<JudgedGroup> judged;
  for (std::size_t left_out = 0; left_out < candidates[0].left_out.size(); ++left_out) {
    const std::size_t chosen = cheapest(candidates, [left_out](const CandidateRegrets& candidate) {
      double sum = 0.0;
      for (std::size_t j = 0; j < candidate.left_out.size(); ++j)
        if (j != left_out) sum += charge(candidate.at(left_out, j));
      return sum;
    });
    judged.push_back({chosen, candidates[chosen].at(left_out, left_out)});
  }
  return judged;
}

}  // namespace dfsweep::law_fits
