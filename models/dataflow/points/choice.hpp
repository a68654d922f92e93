/// ChoiceSearch: the exact choice of degrees and micro-batch at the points where they are given as "best".
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/dataflow/points/candidates.hpp"
#include "models/dataflow/points/combination_source.hpp"

namespace dfsweep::dataflow {

/// Points of a sweep with candidates: the columns of the sweep and a writable column per searched parameter.
class CandidatePoints {
 public:
  /// Copies the codes of the searched parameters from the sweep. Pre: the arguments outlive the object.
  CandidatePoints(const CandidateSweep& sweep, const PointColumns& points);
  [[nodiscard]] PointColumns columns() const { return {columns_, count_}; }
  /// Code of a searched parameter (index into CandidateSweep::searched) at point `i`.
  [[nodiscard]] std::uint32_t code(std::size_t searched, std::size_t i) const { return codes_[searched][i]; }
  void set_code(std::size_t searched, std::size_t i, std::uint32_t code) { codes_[searched][i] = code; }

 private:
  std::vector<std::vector<std::uint32_t>> codes_;  ///< [searched][point]
  std::vector<std::span<const std::uint32_t>> columns_;
  std::size_t count_;
};

/// Enumerates degrees whose product is the number of chips and micro-batches that divide the batch of a replica. It
/// prunes candidates whose least_step() exceeds the best time or that provably equal an earlier candidate, and returns
/// the fastest feasible one. Ties: the smallest tensor_parallel, then pipeline_parallel, then data_parallel, then the
/// first dimension_roles, then the smallest micro_batch, as a [search] over ascending axes. DLRM, HPL and FFT ignore
/// roles and micro-batches, so the first candidate is enough. Where no candidate is feasible, it returns the nearest
/// one: out_of_sram before out_of_memory (smallest shortfall first) before no_mapping before invalid.
/// Not thread-safe.
class ChoiceSearch {
 public:
  /// Pre: the arguments outlive the search.
  ChoiceSearch(const CandidateSweep& sweep, const DecodedValues& decoded, const PointModel& model,
               CombinationSource& source)
      : sweep_(sweep), decoded_(decoded), model_(model), source_(source) {}

  /// Writes the choice for point `i` into its codes; false where there are no candidates.
  [[nodiscard]] bool choose(CandidatePoints& points, std::size_t i);

 private:
  static constexpr std::size_t choices = chosen_parameters.size();
  struct Candidate {
    Seconds bound;
    bool fits = true;  ///< false: certain to exceed DRAM
    std::size_t order = 0;
    std::array<std::uint32_t, choices> codes{};  ///< [chosen_parameters]
  };
  struct Choice {
    Step step;
    const Candidate* candidate = nullptr;
  };
  /// The open choices at a point, in the order of chosen_parameters.
  struct Question {
    std::array<const CandidateSweep::Searched*, choices> searched{};  ///< null: given
    std::array<std::uint32_t, choices> codes{};
    double chips = 0.0;  ///< NaN where the degrees are given or the number is unknown
  };

  [[nodiscard]] Question question(const CandidatePoints& points, std::size_t i) const;
  void add_candidates(CandidatePoints& points, std::size_t i, Question question, std::size_t choice, double left);
  void add_micro_batches(CandidatePoints& points, std::size_t i, const Question& question);
  /// Whether an earlier candidate of the same degrees has the same step time; if not, records this one.
  [[nodiscard]] bool repeats(const Layout& layout, const StepInputs& inputs);
  [[nodiscard]] const MappedWorkload* whole(const Codes& codes, const Combination& at);
  void set_codes(CandidatePoints& points, std::size_t i, const std::array<std::uint32_t, choices>& codes) const;
  [[nodiscard]] Step step_at(const PointColumns& columns, std::size_t i);
  [[nodiscard]] static bool is_better(const Choice& a, const Choice& b);

  const CandidateSweep& sweep_;
  const DecodedValues& decoded_;
  const PointModel& model_;
  CombinationSource& source_;
  std::vector<Candidate> candidates_;
  std::vector<Layout> layouts_;  ///< layouts of the candidates without repetitions
  std::map<std::pair<Codes, double>, std::optional<MappedWorkload>>
      wholes_;  ///< by the codes and the degree that a sharding depends on
  std::vector<NetworkTime> scratch_;
};

}  // namespace dfsweep::dataflow
