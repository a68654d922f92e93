/// Parts of `describe`: texts about an estimator and about models.
#pragma once

#include <span>
#include <string>

#include "engine/catalogue/catalogue.hpp"
#include "engine/tables/table.hpp"
#include "io/json.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// A table as text, "  none" where it has no rows.
[[nodiscard]] std::string table_text(const DataTable& table, const Terminal& terminal);

/// What an estimator needs and what decides, with the names of all else; it fits a screen.
[[nodiscard]] std::string overview_text(const Estimator& estimator, const Terminal& terminal);
/// Parameters, metrics, statuses and data of an estimator.
[[nodiscard]] std::string all_text(const Estimator& estimator, const Terminal& terminal);
/// Numbers of entries that measurements may correct.
[[nodiscard]] std::string calibration_text(const Estimator& estimator, const Terminal& terminal);

/// Everything about the parameters, metrics and statuses of these names. Throws UsageError for unknown names.
[[nodiscard]] std::string words_text(const Estimator& estimator, std::span<const std::string> words,
                                     const Terminal& terminal);

/// A model by name, or by file where the name is a path. Throws UsageError for unknown names, UserError where the file
/// is malformed.
[[nodiscard]] EntryFile model_file(const Catalogue& catalogue, const std::string& name);

/// Sizes of a transformer: parameters, layers, bytes of the cache, FLOP of a token. Throw UserError where the entry
/// lacks sizes.
[[nodiscard]] std::string sizes_text(const EntryFile& model, const Terminal& terminal);
[[nodiscard]] Json sizes_json(const EntryFile& model);

}  // namespace dfsweep
