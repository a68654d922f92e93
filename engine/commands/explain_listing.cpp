/// The files of `explain --requests` and `--batches`: long tables as CSV.
#include <fmt/format.h>

#include <algorithm>

#include "engine/commands/explain_parts.hpp"
#include "engine/console/usage_error.hpp"
#include "io/atomic_file.hpp"
#include "io/csv_writer.hpp"

namespace dfsweep {

void write_listing(const std::filesystem::path& file, const std::string& name, const Explanation& explanation) {
  const auto& listings = explanation.listings;
  const auto found =
      std::find_if(listings.begin(), listings.end(), [&](const Listing& listing) { return listing.name == name; });
  if (found == listings.end())
    throw UsageError(fmt::format("--{} '{}': this point has no simulated run with {}.", name, file.string(), name));
  CsvWriter csv;
  for (const std::string& heading : found->table.headings) csv.cell(heading);
  csv.end_line();
  for (const auto& row : found->table.rows) {
    for (const auto& cell : row) {
      if (const double* number = std::get_if<double>(&cell))
        csv.cell(*number);
      else
        csv.cell(std::get<std::string>(cell));
    }
    csv.end_line();
  }
  write_user_file(file, csv.text());
}

}  // namespace dfsweep
