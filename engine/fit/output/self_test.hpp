/// The self-test of intervals as text and JSON.
#pragma once

#include <string>

#include "engine/fit/report/self_test.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep::fit {

/// A line per kind of interval: coverage beside the nominal one, mean half-width; the recommended kind is marked.
[[nodiscard]] std::string self_test_text(const SelfTest& test, const Terminal& terminal);
[[nodiscard]] Json self_test_json(const SelfTest& test);

}  // namespace dfsweep::fit
