/// Recommendation: the law form and method with the least regret on left-out groups.
///
/// Rule: candidates are all law forms with the methods that average over several runs of a group: kept rows at three
/// thresholds and surfaces at the window of 1 %. (The best run is not a candidate: on runs with known truth its law
/// scatters 1.4 to 3 times as much. Wider windows bias the optimum.) Each group is left out in turn, every candidate is
/// fitted to the others, and its prediction costs the regret of the left-out group: regret_bilinear, the less noisy of
/// the two regrets that use losses only (a third of the noise). The candidate with the least mean cost is recommended.
/// Ties: the first in the order of candidates, which is the preferred one where runs cannot distinguish them, as with
/// dense models, whose parameters are all activated.
///
/// The rule is evaluated by nested cross-validation: it is applied without a group, including its inner leave-one-out,
/// and then scored on this group.
#pragma once

#include <span>
#include <vector>

#include "models/law_fits/fits/validation.hpp"

namespace dfsweep::law_fits {

struct LawCandidate {
  LawForm form;
  FitMethod method;
  bool operator==(const LawCandidate&) const = default;
};

/// Order: unified, step_full, then the other forms; for each form kept rows at 0.125, 0.25 and 0.5 %, then quadratic,
/// quadratic_weighted and joint_surface at 1 %.
[[nodiscard]] std::vector<LawCandidate> law_candidates();

/// Regrets of a candidate on left-out groups. NaN without a fit.
struct CandidateRegrets {
  LawCandidate candidate;
  std::vector<GroupScore> left_out;  ///< [group] score of a fit without the group or its fold
  std::vector<GroupScore> pairs;     ///< [i][j] score on j of a fit without i and j; unused for i = j. May be empty
  /// Regrets on group `judged` of a fit without it and without `left_out_too`. Pre: `pairs` is not empty, or both
  /// groups are equal.
  [[nodiscard]] const GroupScore& at(std::size_t left_out_too, std::size_t judged) const {
    return left_out_too == judged ? left_out[judged] : pairs[left_out_too * left_out.size() + judged];
  }
};
/// Regrets of one candidate with all pairs of groups left out; cubic in the number of groups.
[[nodiscard]] CandidateRegrets candidate_regrets(const SelectedRuns& runs, const ScoringGroups& scoring,
                                                 std::span<const std::size_t> groups, const LawCandidate& candidate);
/// Regrets of one candidate by left_out_splits without pairs, enough for recommend(); linear in the number of groups.
[[nodiscard]] CandidateRegrets left_out_regrets(const SelectedRuns& runs, const ScoringGroups& scoring,
                                                std::span<const std::size_t> groups, const LawCandidate& candidate);

/// Index of the recommended candidate by `left_out`. Pre: candidates not empty, with the same groups.
[[nodiscard]] std::size_t recommend(std::span<const CandidateRegrets> candidates);

/// Evaluation of the rule on one group: the candidate recommended without the group, and its score.
struct JudgedGroup {
  std::size_t candidate = 0;
  GroupScore score;
};
/// Pre: as recommend, with pairs.
[[nodiscard]] std::vector<JudgedGroup> judge_recommendation(std::span<const CandidateRegrets> candidates);

}  // namespace dfsweep::law_fits
