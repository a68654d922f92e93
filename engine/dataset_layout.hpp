/// DatasetLayout: the columns of result.h5 for a plan, and the bytes of a block's rows in each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation.hpp"
#include "engine/plan.hpp"
#include "io/dataset.hpp"

namespace dfsweep {

/// Every dataset, attribute, label table and text of the file; column order is file order.
[[nodiscard]] DatasetDescription describe_dataset(const Plan& plan);

/// Bytes of one block, one vector per column of describe_dataset(plan).columns that blocks fill, in that order.
using BlockBytes = std::vector<std::vector<std::byte>>;

/// Pre: plan.kind() is aligned or small.
[[nodiscard]] BlockBytes encode_block(const Plan& plan, const BlockResult& result);

/// Candidates of a slice as bytes for the journal, and back.
[[nodiscard]] std::vector<std::byte> encode_candidates(const GroupResult& group);
[[nodiscard]] GroupResult decode_candidates(std::span<const std::byte> bytes, const Plan& plan);

}  // namespace dfsweep
