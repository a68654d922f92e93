/// What other tools call parameters and metrics, for hints.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/estimator.hpp"

namespace dfsweep {

/// The name in `known` that other tools call `word`: "tp" is "tensor_parallel". Ignores case; '-' equals '_'. Empty if
/// there is none.
[[nodiscard]] std::string own_word(std::string_view word, std::span<const std::string> known);

/// "'tp' is called 'tensor_parallel' here" where that is so, else did_you_mean().
[[nodiscard]] std::string word_hint(std::string_view word, std::span<const std::string> known,
                                    std::string_view otherwise = {});

/// What to write for `name`, which is no parameter of `estimator`: its own word; how a metric, or the limit of one,
/// decides about rows; the estimators among `known` that have it; else the nearest name.
[[nodiscard]] std::string unknown_parameter_hint(std::string_view name, const Estimator& estimator,
                                                 std::span<const Estimator* const> known);

}  // namespace dfsweep
