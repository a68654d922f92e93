/// Accelerators of tables of serving.
#include "models/machine/accelerator_names.hpp"
#include "models/serving/measured/reading.hpp"

namespace dfsweep::serving {

namespace {

struct ServingAccelerator {
  std::string_view accelerator;
  std::string_view system;
};

/// Those that tables of training do not have.
constexpr ServingAccelerator serving_accelerators[] = {
    {"A100-80GB-PCIe", "a100-80g-pcie"}, {"GH200-96GB", "gh200-96g"},
    {"GH200-144GB", "gh200-144g"},       {"Gaudi2-96GB", "gaudi2"},
    {"Gaudi3-128GB", "gaudi3"},          {"H100-NVL-94GB", "h100-nvl"},
    {"H100-PCIe-80GB", "h100-80g-pcie"}, {"L40S-48GB", "l40s"},
    {"Orin-64GB", "orin-64g"},           {"RTX-PRO-6000-96GB", "rtx-pro-6000"},
};

}  // namespace

std::string_view system_of_accelerator(std::string_view accelerator) {
  for (const ServingAccelerator& known : serving_accelerators)
    if (known.accelerator == accelerator) return known.system;
  return training::system_of_accelerator(accelerator);
}

}  // namespace dfsweep::serving
