/// Reads tables from files and peak rates from the catalogue; problems have positions.
#include "engine/profiles/profile_folder.hpp"

#include <fmt/format.h>

#include "engine/sweep/data_tables.hpp"
#include "engine/sweep/preparation.hpp"
#include "io/file_system.hpp"
#include "models/measured_tables/columns.hpp"

namespace dfsweep {

namespace {

constexpr const char* layout_meaning =
    "tables are compute/DEVICE/MODEL/mlp.csv and attention.csv, network/NETWORK/all_reduce.csv and send_recv.csv, "
    "cpu_overhead/DEVICE/cpu_overheads.csv";

std::vector<NamedRates> known_rates(const Catalogue& catalogue) {
  std::vector<NamedRates> rates;
  for (const std::string& name : catalogue.names("devices")) {
    const Entry entry = catalogue.load("devices", name).entry;
    if (entry.has_number("peak_flops") && entry.has_number("memory_bandwidth"))
      rates.push_back(
          {name,
           {Throughput{entry.number_or("peak_flops", 0.0)}, Bandwidth{entry.number_or("memory_bandwidth", 0.0)}}});
  }
  return rates;
}

}  // namespace

std::size_t ProfileFolder::rows() const {
  std::size_t count = 0;
  for (const Table& table : tables) count += table.rows();
  return count;
}

ProfileFolder read_profile_folder(const std::filesystem::path& path, const Catalogue& catalogue, unsigned threads) {
  expect_readable(path);
  std::error_code ignored;
  const DataPlace place{"profiles", path};
  if (!std::filesystem::is_directory(path, ignored))
    throw UserError({{{path.string(), 0, 0}, "not a folder", "", "Give the folder that holds compute/ and network/"}});
  DataTables read = read_data_tables(place, profile_file_names(), threads);
  if (!read.problems.empty()) throw UserError(std::move(read.problems));
  if (read.inputs.empty()) throw UserError({{{path.string(), 0, 0}, "no measured tables here", layout_meaning, ""}});
  ProfileFolder folder;
  folder.tables = std::move(read.tables);
  folder.inputs = std::move(read.inputs);
  ProfileReading reading = read_profiles(folder.tables, place.name, known_rates(catalogue));
  const std::span<const DataPlace> places(&place, 1);
  std::vector<Problem> warnings = std::move(read.warnings);
  for (Problem& problem : located(reading.warnings, places)) warnings.push_back(std::move(problem));
  if (!reading.errors.empty()) throw UserError(located(reading.errors, places));
  folder.profiles = std::move(reading.profiles);
  if (folder.profiles.layers.empty() && folder.profiles.networks.empty() && folder.profiles.processors.empty())
    throw UserError({{{path.string(), 0, 0},
                      "no measured tables in their places",
                      layout_meaning,
                      "Give the folder that holds compute/ and network/, not one below it"}});
  folder.warnings = warnings_text(std::move(warnings));
  return folder;
}

}  // namespace dfsweep
