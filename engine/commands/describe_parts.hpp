/// Parts of `describe`: texts about an estimator and about models.
#pragma once

#include <span>
#include <string>

#include "engine/catalogue/catalogue.hpp"
#include "engine/commands/describe.hpp"
#include "engine/tables/table.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// A table as text, "  none" where it has no rows.
[[nodiscard]] std::string table_text(const DataTable& table, const Terminal& terminal);

/// An overview that fits a screen, all tables, or the numbers that measurements may correct.
[[nodiscard]] std::string estimator_text(const Estimator& estimator, DescribeTables tables, const Terminal& terminal);

/// Everything about the parameters, metrics and statuses of these names. Throws UsageError for unknown names.
[[nodiscard]] std::string words_text(const Estimator& estimator, std::span<const std::string> words,
                                     const Terminal& terminal);

/// Sizes of one transformer as a table. Throws UserError where the entry lacks sizes.
[[nodiscard]] std::string sizes_text(const EntryFile& model, const Terminal& terminal);

/// Sizes of transformers, as text or JSON: parameters, layers, bytes of the cache, FLOP of a token. Models are those
/// behind the first word of the subject, by name or file. Throws UsageError for unknown names, UserError where an entry
/// is malformed.
[[nodiscard]] std::string models_text(const DescribeOptions& options, const Terminal& terminal);

}  // namespace dfsweep
