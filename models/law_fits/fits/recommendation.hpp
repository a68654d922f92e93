/// Which law to use: the form and estimator that cost least on groups they were not fitted to.
///
/// The rule. Candidates are all law forms by the estimators that average over several runs of a group: kept rows at
/// three thresholds and surfaces at the window of 1 %. (The best run alone is no candidate: on runs of known truth its
/// law scatters 1.4 to 3 times as much. Wider windows move the optimum, which is an error of the surface.) Among
/// given groups, each is left out in turn, every candidate is fitted to the others, and its prediction is charged what
/// the runs of the left-out group show around it: regret_bilinear, which of the two counts that rest on losses alone
/// has a third of the noise. The candidate of least mean charge is recommended; of equal ones the first in the order
/// of candidates, which says what to prefer where runs cannot tell, as with dense models, whose parameters are all
/// activated.
///
/// The rule itself is judged by applying it without a group, inner leave-one-out included, and then looking at that
/// group: it never sees what it is judged on.
#pragma once

#include <span>
#include <vector>

#include "models/law_fits/fits/validation.hpp"

namespace dfsweep::hyperparameters {

struct LawCandidate {
  LawForm form;
  FitMethod method;
  bool operator==(const LawCandidate&) const = default;
};

/// Unified before step_full before the others; for each form kept rows at 0.125, 0.25 and 0.5 %, then quadratic,
/// quadratic_weighted and joint_surface at 1 %.
[[nodiscard]] std::vector<LawCandidate> law_candidates();

/// How a candidate fares on groups that it was not fitted to. NaN where there is no fit.
struct CandidateRegrets {
  LawCandidate candidate;
  std::vector<GroupScore> left_out;  ///< [group] fitted without the group, or without its fold of groups
  std::vector<GroupScore> pairs;     ///< [i][j] on j, fitted without i and j; unused where i = j. May be empty
  /// Regrets on group `judged`, fitted without it and without `left_out_too`. Pre: pairs, or both are the same group.
  [[nodiscard]] const GroupScore& at(std::size_t left_out_too, std::size_t judged) const {
    return left_out_too == judged ? left_out[judged] : pairs[left_out_too * left_out.size() + judged];
  }
};
/// One candidate, all pairs of groups left out; its cost grows with the cube of the groups.
[[nodiscard]] CandidateRegrets candidate_regrets(const SelectedRuns& runs, const ScoringGroups& scoring,
                                                 std::span<const std::size_t> groups, const LawCandidate& candidate);
/// One candidate by left_out_splits and without pairs, which is all that `recommend` needs; linear in the groups.
[[nodiscard]] CandidateRegrets left_out_regrets(const SelectedRuns& runs, const ScoringGroups& scoring,
                                                std::span<const std::size_t> groups, const LawCandidate& candidate);

/// Number of the recommended candidate by `left_out`. Pre: candidates not empty, with the same groups.
[[nodiscard]] std::size_t recommend(std::span<const CandidateRegrets> candidates);

/// The rule judged: for each group the candidate recommended without it and how that one fares there.
struct JudgedGroup {
  std::size_t candidate = 0;
  GroupScore score;
};
/// Pre: as recommend, with pairs.
[[nodiscard]] std::vector<JudgedGroup> judge_recommendation(std::span<const CandidateRegrets> candidates);

}  // namespace dfsweep::hyperparameters
