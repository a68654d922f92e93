/// A fit on the terminal: what was read, what was fitted, what to believe, what to use.
#pragma once

#include <string>

#include "engine/fit/output/json.hpp"
#include "engine/fit/tables/fit_tables.hpp"
#include "io/terminal.hpp"

namespace dfsweep::fit {

/// Sections in the order in which a reader needs them.
[[nodiscard]] std::string fit_text(const FitReport& report, const FitInput& from, const Terminal& terminal);

/// Recommended law and predictions only.
[[nodiscard]] std::string short_fit_text(const FitReport& report, const Terminal& terminal);

/// Parts of it, each a title and its lines.
[[nodiscard]] std::string runs_text(const FitReport& report, const FitInput& from, const Terminal& terminal);
[[nodiscard]] std::string groups_text(const FitReport& report, const Terminal& terminal);
[[nodiscard]] std::string laws_text(const FitReport& report, const Terminal& terminal);
[[nodiscard]] std::string scores_text(const FitReport& report, const Terminal& terminal);
[[nodiscard]] std::string bootstraps_text(const FitReport& report, const Terminal& terminal);
[[nodiscard]] std::string plateau_text(const FitReport& report, const Terminal& terminal);
/// Empty where no law of the loss was fitted.
[[nodiscard]] std::string loss_law_text(const FitReport& report, const Terminal& terminal);
/// Empty where no run has a measured time.
[[nodiscard]] std::string batch_time_text(const FitReport& report, const Terminal& terminal);
/// Empty where no setting was repeated.
[[nodiscard]] std::string seed_text(const FitReport& report, const Terminal& terminal);
[[nodiscard]] std::string recommended_text(const FitReport& report, const Terminal& terminal);
/// How predictions depend on the surface, and what to run next.
[[nodiscard]] std::string advice_text(const FitReport& report, const Terminal& terminal);
[[nodiscard]] std::string warnings_text(const FitReport& report, const Terminal& terminal);

/// "title" in bold and its body, or nothing where the body is empty.
[[nodiscard]] std::string section(const Terminal& terminal, std::string_view title, const std::string& body);

/// "0.056 %".
[[nodiscard]] std::string per_cent(double share);
/// "7e9".
[[nodiscard]] std::string count_text(double number);

}  // namespace dfsweep::fit
