/// A fitted law as a file that sweeps name: an entry of catalogue `laws` as TOML or JSON.
#pragma once

#include <optional>
#include <string>

#include "engine/fit/report/fit_report.hpp"
#include "models/laws/law_entry.hpp"

namespace dfsweep::fit {

struct LawFile {
  std::string name;         ///< of the entry, its file's stem
  std::string description;  ///< one line
  std::string source;       ///< "dfsweep fit steplaw ..."
  EntryLaw law;
};

[[nodiscard]] std::string law_toml(const LawFile& file);
[[nodiscard]] std::string law_json(const LawFile& file);

/// A law by its name: the recommended law with its intervals, or one of the fits.
struct NamedLaw {
  std::size_t subset = 0;
  const LawForm* form = nullptr;
  ScalingLaw law;
  bool has_interval = false;
};
[[nodiscard]] bool is_law_with_interval(const FitReport& report, const std::string& law);
/// Throws as fit_named.
[[nodiscard]] NamedLaw law_named(const FitReport& report, const std::string& law);

/// The fit of that name, which may have a defect. Throws UsageError with a suggestion if the name is unknown.
[[nodiscard]] const SubsetFit& find_named(const FitReport& report, const std::string& law);

/// The same. Throws UsageError also where it has a defect.
[[nodiscard]] const SubsetFit& fit_named(const FitReport& report, const std::string& law);

/// The law "FAMILY/FORM/METHOD" with the curvature that the groups of its family share, the range of these groups and,
/// where it is the recommended one, its intervals. Throws as fit_named.
[[nodiscard]] LawFile law_file_of(const FitReport& report, const std::string& law, const std::string& name,
                                  const std::string& source);

}  // namespace dfsweep::fit
