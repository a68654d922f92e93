/// Shape of a pipeline stage: how many blocks, chunks and micro-batches a processor has.
#pragma once

#include <cstdint>

#include "models/calculon/formulas/execution.hpp"

namespace dfsweep::calculon {

/// All of processor 0, which has the most blocks. Whole numbers below 2^53, kept as doubles for the formulas.
struct StageShape {
  double blocks = 1.0;          ///< ceil(L / p)
  double missing_blocks = 0.0;  ///< stages with one block less
  double chunk_blocks = 1.0;    ///< blocks of a chunk
  double base_blocks = 0.0;     ///< of a chunk: all but the last
  double stages = 1.0;
  double chunks = 1.0;  ///< of a stage
  double micro_batches = 1.0;
  double left_over = 0.0;  ///< micro-batches beyond a multiple of the stages
};

/// Pre: no rejection rule but those on memory is broken.
[[nodiscard]] constexpr StageShape stage_shape(const ModelShape& model, const Execution& x) {
  const std::int64_t p = x.pipeline_parallel;
  const std::int64_t blocks = blocks_per_processor(model, p);
  const std::int64_t micro_batches = x.global_batch / x.data_parallel / x.micro_batch;
  const auto real = [](std::int64_t whole) { return static_cast<double>(whole); };
  StageShape shape;
  shape.blocks = real(blocks);
  shape.missing_blocks = real(blocks * p - model.blocks);
  shape.chunk_blocks = real(blocks / x.interleaving);
  shape.base_blocks = shape.chunk_blocks - 1.0;
  shape.stages = real(p);
  shape.chunks = real(x.interleaving);
  shape.micro_batches = real(micro_batches);
  shape.left_over = real(micro_batches % p);
  return shape;
}

}  // namespace dfsweep::calculon
