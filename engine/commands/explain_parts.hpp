/// Parts of what `explain` says: the short form that fits on one screen, drawings, sensitivities.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "engine/console/output_form.hpp"
#include "engine/evaluation/sensitivity.hpp"
#include "models/estimator.hpp"
#include "models/explanation.hpp"

namespace dfsweep {

/// The metrics that decide (`headline`) and the first others, as far as they have a value, then the longest rows of the
/// first table with a column "time"; without such a table what the estimator says in facts instead. A point that is not
/// "ok" has the outermost facts too: they say why. `status`: of the point; `metrics`: facts of all metrics; `whole`:
/// what the estimator says.
[[nodiscard]] std::vector<Explanation> explanation_summary(const StatusInfo& status,
                                                           std::span<const std::string_view> headline,
                                                           const Explanation& metrics, const Explanation& whole);

/// Throws UsageError where the name ends neither with .svg nor with .dot. An empty one means no picture.
void check_drawing_name(const std::filesystem::path& file);

/// Writes what the explanation draws. Throws UsageError where it draws nothing, or nothing in that format.
/// Pre: check_drawing_name() accepts the name, which is not empty.
void write_drawing(const std::filesystem::path& file, const Explanation& explanation, const std::string& title);

/// Writes a listing of the explanation as CSV. Throws UsageError if it has no listing of this
/// name.
void write_listing(const std::filesystem::path& file, const std::string& name, const Explanation& explanation);

/// The metrics of numbers with these names. Throws UsageError if one of them is not a metric that is a number.
[[nodiscard]] std::vector<MetricIndex> sensitivity_metrics(const SweepSpec& spec,
                                                           const std::vector<std::string>& names);

/// sensitivity_of() on the cores of this process, with a line on a terminal that says how far it is.
[[nodiscard]] Sensitivity sensitivity_with_progress(const SweepSpec& spec, std::span<const std::uint32_t> codes,
                                                    std::span<const MetricIndex> metrics);

/// Two tables: by how many per cent metrics change with 1 % more of each number, and what another value of each choice
/// gives, the best on the first metric first; what is not possible is counted by status. At most `most_rows` each; how
/// many are left out is said. Pre: `metrics` is not empty.
[[nodiscard]] Explanation sensitivity_explanation(const SweepSpec& spec, const Sensitivity& found,
                                                  std::span<const MetricIndex> metrics, std::size_t most_rows);

/// Command lines that start the servers of a point with an engine, or the training of a point with a trainer, for a
/// shell or as JSON. `codes`: of the point. Throws UsageError where the catalogue has no such engine or trainer, or
/// points of the estimator are no commands.
[[nodiscard]] std::string launch_answer(const SweepSpec& spec, const std::vector<std::uint32_t>& codes,
                                        const std::string& engine, const Catalogue& catalogue, OutputForm form);

/// The same with an entry of "trainers".
[[nodiscard]] std::string training_launch_answer(const SweepSpec& spec, const std::vector<std::uint32_t>& codes,
                                                 const Entry& trainer, OutputForm form);

}  // namespace dfsweep
