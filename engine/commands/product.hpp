/// `dfsweep product`: the time of a matrix product on devices of the catalogue, and what bounds it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct ProductOptions {
  std::vector<std::string> shapes;   ///< "MxKxN"
  std::vector<std::string> devices;  ///< entries of the catalogue
  std::string memory;                ///< entry of the catalogue; empty: the memory on the board of the device
  std::string precision = "bf16";    ///< fp32, bf16, fp16 or fp8
  double utilization = 1.0;          ///< share of the peak rate that products reach
  double count = 1.0;                ///< equal products, one after the other
  std::vector<std::filesystem::path> catalogues;  ///< as SweepReading::catalogues
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
};

/// Bytes of a number of each precision, as the estimator `taskgraph` has them.
struct PrecisionBytes {
  std::string_view name;
  double bytes = 0.0;
};
inline constexpr PrecisionBytes product_precisions[] = {{"fp32", 4.0}, {"bf16", 2.0}, {"fp16", 2.0}, {"fp8", 1.0}};

/// Prints a row for each device and shape. Throws UsageError for other shapes, for unknown entries and for devices
/// without a peak rate or a memory bandwidth.
[[nodiscard]] ExitStatus run_product(const ProductOptions& options);

}  // namespace dfsweep
