/// ValueReader: reads a value of a parameter from TOML or from a cell of a point list, and checks it against the table
/// of the estimator.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/diagnostic.hpp"
#include "io/toml.hpp"

namespace dfsweep {

class ValueReader {
 public:
  /// `base`: folder for relative paths of entry files. Pre: `reading` and `problems` outlive the reader.
  ValueReader(const SweepReading& reading, std::filesystem::path base, Problems& problems);

  /// Records a problem and returns nothing if the value is wrong.
  [[nodiscard]] std::optional<ParameterValue> from_toml(const ParameterInfo& parameter, const Node& value);
  /// `text`: a cell of a point list or a default; as in TOML, but without quotes.
  [[nodiscard]] std::optional<ParameterValue> from_text(const ParameterInfo& parameter, std::string_view text,
                                                        const SourcePosition& at);
  /// Checks a number of a range, in base SI.
  [[nodiscard]] std::optional<ParameterValue> from_number(const ParameterInfo& parameter, double number,
                                                          const SourcePosition& at);

  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
  [[nodiscard]] std::span<const Estimator* const> estimators() const { return reading_.estimators; }
  [[nodiscard]] std::vector<InputFile> inputs() const;
  [[nodiscard]] std::vector<std::shared_ptr<const EntryFile>> entries() const;

 private:
  std::optional<ParameterValue> from_name(const ParameterInfo& parameter, std::string_view text,
                                          const SourcePosition& at);
  std::optional<ParameterValue> from_quantity(const ParameterInfo& parameter, std::string_view text,
                                              const SourcePosition& at, std::uint32_t text_column);
  std::optional<ParameterValue> named_entry(const ParameterInfo& parameter, std::string_view name,
                                            const SourcePosition& at);
  std::optional<ParameterValue> entry_of_file(const ParameterInfo& parameter, std::string_view path,
                                              const SourcePosition& at);
  template <class Load>
  std::optional<ParameterValue> loaded(const ParameterInfo& parameter, const std::string& input_name,
                                       std::string_view text, Load load);
  /// Adds the entries that fields of an entry name, as its parts.
  void add_references(const ParameterInfo& parameter, EntryFile& file);
  /// How a dataset that keeps the entry of that name names it as an input; empty: none does.
  [[nodiscard]] std::string stored_name_of(const std::string_view& kind, std::string_view name) const;
  [[nodiscard]] const InputFile* stored(const std::string& input_name) const;

  const SweepReading& reading_;
  std::filesystem::path base_;
  Problems& problems_;
  Catalogue catalogue_;
  /// By kind and input name; null if the file could not be parsed.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const EntryFile>> loaded_;
};

/// "1 to 65536": the allowed range with its unit.
[[nodiscard]] std::string range_text(const ParameterInfo& parameter);

}  // namespace dfsweep
