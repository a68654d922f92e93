/// ToySweep: a sweep of the toy estimator from the text of its sweep file, prepared and ready to be evaluated.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "engine/plan/plan.hpp"
#include "engine/plan/row_source.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/sweep.hpp"
#include "tests/support/toy_estimator.hpp"

namespace dfsweep {

class ToySweep {
 public:
  /// `text` follows the [sweep] table, which is added: name "toy", estimator "toy". Throws UserError.
  explicit ToySweep(std::string_view text)
      : spec(read_sweep_text("[sweep]\nname = 'toy'\nestimator = 'toy'\n" + std::string(text), "toy.toml", ".",
                             reading())),
        rows(spec),
        plan(spec, rows),
        prepared(spec.estimator->prepare(spec.values)) {}
  ToySweep(const ToySweep&) = delete;
  ToySweep& operator=(const ToySweep&) = delete;

 private:
  ToyEstimator toy_;
  std::array<const Estimator*, 1> known_ = {&toy_};
  SweepReading reading() const {
    SweepReading result;
    result.estimators = known_;
    return result;
  }

 public:
  SweepSpec spec;
  RowSource rows;
  Plan plan;
  std::unique_ptr<PreparedSweep> prepared;
};

}  // namespace dfsweep
