/// Levels of compute times.
#include "tests/support/shared_cores.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace dfsweep::testing {

using namespace dataflow;

constexpr double no_time = std::numeric_limits<double>::infinity();

bool SharedCores::are_of(const PartitionProblem& problem) const {
  return problem.cores == cores_ &&
         std::equal(problem.kernels.begin(), problem.kernels.end(), choices_.begin(), choices_.end(),
                    [](const PartitionKernel& kernel, const auto& choices) { return kernel.choices == choices; });
}

void SharedCores::read(const PartitionProblem& problem) {
  cores_ = problem.cores;
  choices_.clear();
  levels_.clear();
  for (const PartitionKernel& kernel : problem.kernels) {
    choices_.push_back(kernel.choices);
    for (const CoreChoice& choice : kernel.choices) levels_.push_back(choice.time.value());
  }
  std::sort(levels_.begin(), levels_.end());
  levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
  cores_for_.assign(levels_.size() * choices_.size(), no_time);
  for (std::size_t k = 0; k < choices_.size(); ++k)
    for (const CoreChoice& choice : choices_[k]) {
      const auto level = std::lower_bound(levels_.begin(), levels_.end(), choice.time.value()) - levels_.begin();
      double& fewest = cores_for_[static_cast<std::size_t>(level) * choices_.size() + k];
      fewest = std::min(fewest, choice.cores);
    }
  for (std::size_t i = choices_.size(); i < cores_for_.size(); ++i)
    cores_for_[i] = std::min(cores_for_[i], cores_for_[i - choices_.size()]);
}

double SharedCores::compute(KernelSet inside) const {
  std::size_t low = 0;
  std::size_t high = levels_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const double* const fewest = cores_for_.data() + middle * choices_.size();
    double sum = 0.0;
    for (KernelSet rest = inside; rest != 0; rest &= rest - 1) sum += fewest[std::countr_zero(rest)];
    if (sum > cores_)
      low = middle + 1;
    else
      high = middle;
  }
  return low < levels_.size() ? levels_[low] : no_time;
}

}  // namespace dfsweep::testing
