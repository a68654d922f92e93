/// KernelFit: numbers of software fitted to kernels that were measured one by one on a system.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/system_kernels.hpp"
#include "models/calibration/error_summary.hpp"
#include "models/calibration_info.hpp"

namespace dfsweep {

/// What kernels say of a number.
enum class KernelVerdict : std::uint8_t {
  told,
  not_told,      ///< the times hardly depend on it: it stays
  contradicted,  ///< it would have to be further from what is known beforehand than three spreads: it stays, since the
                 ///< kernels or the machine are then not those of the model
};

inline constexpr double most_kernel_spreads = 3.0;

struct KernelNumber {
  std::string field;
  double before = 0.0;
  double after = 0.0;         ///< what the kernels say, whatever the verdict
  double displacement = 0.0;  ///< of the number, as of calibration::displaced
  double spread = 0.0;        ///< of its logarithm with these kernels known; that of before where they do not tell it
  KernelVerdict verdict = KernelVerdict::not_told;
  std::vector<std::string> kept_by;  ///< further entries, whose own value the kernels contradict
};

/// The fit of one class of kernels.
struct KernelClassFit {
  training::KernelClass kind = training::KernelClass::products;
  std::size_t kernels = 0;
  std::size_t tables = 0;
  std::size_t groups = 0;
  bool counts_square = false;  ///< attention: the masked half of scores is counted, since that fits better
  calibration::ErrorSummary before;
  calibration::ErrorSummary after;
  std::optional<calibration::ErrorSummary> left_out;  ///< by model, or by ranks; nothing where there is one group
  std::optional<double> latency;  ///< s, of a step of an exchange: a number of systems, not fitted there
  std::vector<KernelNumber> numbers;
};

struct KernelFit {
  std::string system;
  std::vector<InputFile> files;
  std::vector<KernelClassFit> classes;
};

/// `classes`: those that are fitted; empty: all. `software`: the entry whose numbers are where the fit starts and what
/// it is drawn to; `infos`: the numbers that may be corrected, Estimator::calibration().
[[nodiscard]] KernelFit fit_kernels(const SystemKernels& kernels, const Entry& software,
                                    std::span<const CalibrationInfo> infos,
                                    std::span<const training::KernelClass> classes = {});

}  // namespace dfsweep
