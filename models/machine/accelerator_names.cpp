#include "models/machine/accelerator_names.hpp"

namespace dfsweep {

namespace {

struct AcceleratorName {
  std::string_view accelerator;
  std::string_view system;
  std::string_view family;     ///< prefix of its software entries; "": no such entries
  std::string_view like = {};  ///< prefix of entries that serve where the family has none of a stack
};

constexpr AcceleratorName names[] = {
    {"A100-40GB", "dgx-a100-40g", "a100"},
    {"A100-80GB", "dgx-a100-80g", "a100"},
    {"A100-80GB-PCIe", "a100-80g-pcie", ""},
    {"B200-180GB", "dgx-b200", "b200"},
    {"B300-270GB", "dgx-b300", "b300"},
    {"Gaudi2", "gaudi2", "gaudi2"},
    {"Gaudi2-96GB", "gaudi2", ""},
    {"Gaudi3-128GB", "gaudi3", ""},
    {"GB200-186GB", "gb200-nvl72", "gb200"},
    {"GB300-279GB", "gb300-nvl72", "gb300"},
    {"GH200-144GB", "gh200-144g", ""},
    {"GH200-96GB", "gh200-96g", ""},
    {"H100-80GB", "dgx-h100", "h100"},
    {"H100-96GB-HBM2e", "h100-96g", "h100-500w"},
    {"H100-NVL-94GB", "h100-nvl", ""},
    {"H100-PCIe-80GB", "h100-80g-pcie", ""},
    {"H200-141GB", "dgx-h200", "h200", "h100"},
    {"H200-NVL-141GB", "h200-nvl", "h200-nvl", "h200"},
    {"H800-80GB", "h800", "h100"},
    {"L40S-48GB", "l40s", "l40s"},
    {"MI300X-192GB", "mi300x", "mi300x"},
    {"MI325X-256GB", "mi325x", "mi325x"},
    {"MI350X-288GB", "mi350x", "mi350x"},
    {"MI355X-288GB", "mi355x", "mi355x"},
    {"Orin-64GB", "orin-64g", ""},
    {"RTX-PRO-6000-96GB", "rtx-pro-6000", ""},
    {"TPU7x", "tpu-7x", "tpu-7x"},
    {"TPUv4", "tpu-v4", "tpu-v4"},
    {"TPUv5e", "tpu-v5e", "tpu-v5e"},
    {"TPUv5p", "tpu-v5p", "tpu-v5p"},
    {"TPUv6e", "tpu-v6e", "tpu-v6e"},
    {"V100-16GB", "v100-16g", "v100"},
    {"V100-32GB", "v100-32g", "v100"},
};

const AcceleratorName* find(std::string_view accelerator) {
  for (const AcceleratorName& name : names)
    if (name.accelerator == accelerator) return &name;
  return nullptr;
}

}  // namespace

std::string_view system_of_accelerator(std::string_view accelerator) {
  const AcceleratorName* name = find(accelerator);
  return name == nullptr ? std::string_view{} : name->system;
}

std::vector<std::string> software_entries(std::string_view accelerator, std::string_view stack) {
  const AcceleratorName* name = find(accelerator);
  if (name == nullptr || name->family.empty()) return {"default"};
  const std::string family{name->family};
  // XLA of 2023 differs only in the attention kernel, which is an option of the execution.
  const std::string same = stack == "xla-2023" ? "xla" : std::string(stack);
  std::vector<std::string> entries{family + "-" + same};
  if (!name->like.empty()) entries.push_back(std::string(name->like) + "-" + same);
  entries.push_back(family + "-megatron");
  entries.push_back("default");
  return entries;
}

}  // namespace dfsweep
