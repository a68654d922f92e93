/// Kinds of rows of the fit that share constants: generations of devices, stacks, ages and kernels.
#pragma once

#include <string>
#include <string_view>

#include "tests/support/measured_fit.hpp"

namespace dfsweep::testing {

/// Devices that share the share of products and the kernel of attention.
inline std::string_view family(const std::string& accelerator) {
  for (const std::string_view name : {"A100", "V100", "Gaudi2", "MI3", "L40S"})
    if (accelerator.starts_with(name)) return name;
  for (const std::string_view name : {"H100", "H200", "H800"})
    if (accelerator.starts_with(name)) return "H100";
  return accelerator.starts_with("TPU") ? "TPU" : "Blackwell";
}

inline constexpr auto is_xla = [](const FitRow& row) { return row.stack.starts_with("xla"); };
/// Scores are materialized and gradients exchanged after the last backward pass.
inline bool is_old(const FitRow& row) {
  return row.stack == "megatron-2022" || row.stack == "deepspeed";
}
inline constexpr auto is_new = [](const FitRow& row) { return !is_old(row); };
/// Kernels that permute tokens with their exchange and convert operands beside other work: DeepEP and what follows it.
inline bool fuses_dispatch(const FitRow& row) {
  return row.stack == "megatron-26.06" || row.stack == "hai-llm" || row.stack == "fsdp-te";
}

inline bool is_megatron_core(const FitRow& row) {
  return row.stack.starts_with("megatron") && !is_old(row);
}
inline constexpr auto always = [](const FitRow&) { return true; };

/// Half years by which the software of a row is older than the second year of its devices, where only adapters are
/// trained.
inline double half_years(const FitRow& row) {
  if (row.point.execution.task == Task::full) return 0;
  const std::string_view of = family(row.accelerator);
  if (of == "H100") return row.stack == "megatron-24.04" ? 1 : 0;
  if (of != "Blackwell") return 0;
  return row.stack == "megatron-24.10" ? 2 : row.stack == "megatron-25.04" ? 1 : 0;
}

/// The kernel of attention of a stack.
inline std::string attention_kernel(const FitRow& row) {
  const std::string of(family(row.accelerator));
  if (of == "A100" && is_old(row)) return "A100, materialized";
  if ((of == "A100" || of == "H100") && row.stack == "fsdp") return of + ", fsdp";
  if (of == "H100" && row.stack == "fsdp-compiled") return "H100, fsdp-compiled";
  return of;
}

}  // namespace dfsweep::testing
