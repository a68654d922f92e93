/// Meaning of the columns of a file of training runs: names of dfsweep, of released files, and of --columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measurements/row_text.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep::fit {

/// What a file may say about a training run.
enum class RunColumn : std::uint8_t {
  parameters,            ///< N, non-embedding parameters of all experts
  activated_parameters,  ///< Na; N where absent
  train_tokens,          ///< D
  learning_rate,         ///< peak
  batch_tokens,          ///< tokens per step
  batch_sequences,       ///< sequences per step, where batch_tokens is absent
  loss,                  ///< smoothed final training loss
  recipe,           ///< name of everything else that runs of a group share; runs of other recipes form other groups
  sequence_length,  ///< tokens of a sequence
  flops_per_token,  ///< training FLOP per token
  iterations,       ///< steps that were run; identifies runs that stopped early
  hidden,           ///< width, and
  ffn_hidden,       ///< of the gated feed-forward network, and
  layers,           ///< give flops_per_token where that is absent
  step_time,        ///< measured seconds of a step; runs without one are kept
  seed,             ///< number or name of what is random in the run
};
inline constexpr std::size_t run_column_count = 16;
/// Whether the column holds names, or numbers that are compared and not computed with.
[[nodiscard]] constexpr bool is_name(RunColumn column) {
  return column == RunColumn::recipe || column == RunColumn::seed;
}

/// Index of the column for every RunColumn, or `absent`.
struct RunColumnMap {
  static constexpr std::size_t absent = ~std::size_t{0};
  std::array<std::size_t, run_column_count> index = filled();

  [[nodiscard]] std::size_t operator[](RunColumn column) const { return index[static_cast<std::size_t>(column)]; }
  [[nodiscard]] bool has(RunColumn column) const { return (*this)[column] != absent; }

 private:
  static constexpr std::array<std::size_t, run_column_count> filled() {
    std::array<std::size_t, run_column_count> all{};
    all.fill(absent);
    return all;
  }
};

/// Our name of a column: "learning_rate".
[[nodiscard]] std::string_view name_of(RunColumn column);

/// Finds the columns in a file's header: first what the user names, then our names and those of released files. Throws
/// UserError at `header` where a pair fits nothing, or a needed one is missing: with the mapping that the names
/// suggest.
[[nodiscard]] RunColumnMap map_columns(std::span<const std::string> names, std::span<const ColumnPair> pairs,
                                       const SourcePosition& header);

}  // namespace dfsweep::fit
