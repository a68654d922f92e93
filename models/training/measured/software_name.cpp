#include "models/training/measured/software_name.hpp"

namespace dfsweep::training {

namespace {

struct SourceStack {
  std::string_view source;
  std::string_view software;
};

constexpr SourceStack stacks[] = {
    {"bigscience-1b3", "megatron-2022"},
    {"bigscience-bloom", "megatron-2022"},
    {"deepseek-v3-report", "hai-llm"},
    {"deepspeed-azure", "deepspeed"},
    {"fms-fsdp", "fsdp"},
    {"gpu-recipes-a4", "xla"},
    {"intel-gaudi2", "optimum"},
    {"internevo", "internevo"},
    {"korthikanti-22", "megatron-2022"},
    {"llama3-paper", "megatron"},
    {"llm-foundry", "fsdp"},
    {"maxtext-configs", "xla-2023"},
    {"megatron-bridge", "megatron"},
    {"megatron-h100-2024", "megatron"},
    {"megatron-llama-example", "megatron"},
    {"megatron-sc21", "megatron-2022"},
    {"nemo-24.07", "megatron"},
    {"nemo-automodel", "fsdp"},
    {"nemo-long-sequence", "megatron"},
    {"torchtitan", "fsdp"},
    {"tpu-recipes", "xla"},
    {"tpu-recipes-ironwood", "xla"},
};

constexpr std::string_view mlperf = "mlperf-training-";

/// A round of MLPerf runs software of about two months before.
struct Round {
  std::string_view round;
  std::string_view megatron;
};

constexpr Round rounds[] = {{"4.0", "megatron-24.04"}, {"4.1", "megatron-24.10"}, {"5.0", "megatron-25.04"}};

std::string software_of_round(const MeasuredRow& row) {
  const std::string_view accelerator = row.text("accelerator");
  if (accelerator.starts_with("TPU")) return "xla";
  if (accelerator.starts_with("Gaudi")) return "optimum";
  if (row.says("sharding", "zero-3")) return "fsdp";
  for (const Round& round : rounds)
    if (row.text("source").substr(mlperf.size()) == round.round) return std::string(round.megatron);
  return "megatron";
}

}  // namespace

std::string_view software_of_source(std::string_view source) {
  for (const SourceStack& stack : stacks)
    if (stack.source == source) return stack.software;
  return "default";
}

std::string software_of_row(const MeasuredRow& row) {
  if (row.says("source", mlperf)) return software_of_round(row);
  const std::string stack{software_of_source(row.text("source"))};
  if (stack == "fsdp" && row.says("notes", "compiled")) return "fsdp-compiled";
  if (stack == "fsdp" && row.says("notes", "TE ")) return "fsdp-te";
  if (row.text("source") == "nemo-24.07") return "megatron-24.04";
  if (stack != "megatron") return stack;
  const double release = number_after(row.text("version_or_date"), "NeMo container ").value_or(0);
  return release >= 26.06 ? "megatron-26.06" : "megatron";
}

}  // namespace dfsweep::training
