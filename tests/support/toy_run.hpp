/// ToyRun: a run of a toy sweep without the main loop: blocks evaluated one by one and put into a store.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/dataset/block_encoding.hpp"
#include "engine/store/publication.hpp"
#include "engine/store/store.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/toy_sweep.hpp"

namespace dfsweep {

/// The bytes of the rows of a block. Pre: not a plan of candidates.
[[nodiscard]] BlockBytes evaluated(const ToySweep& sweep, const Block& block);

/// The candidates of a slice. Pre: a plan of candidates.
[[nodiscard]] std::vector<std::byte> evaluated_slice(const ToySweep& sweep, const Block& block);

/// Evaluates and commits the missing blocks of a part, `group` blocks per commit; returns how many. `acknowledged`
/// counts blocks whose commit returned.
std::uint32_t evaluate_missing(const ToySweep& sweep, store::Store& store, store::Part part, std::size_t group,
                               std::uint32_t* acknowledged = nullptr);

/// What `dfsweep run` does: create or resume, evaluate, publish, and again where blocks are damaged.
store::PublishReport run_toy(FileSystem& files, const std::filesystem::path& directory, const ToySweep& sweep,
                             std::uint32_t* acknowledged = nullptr);

}  // namespace dfsweep
