/// Reads data by its form.
#include "engine/sweep/data_reading.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/operators/operator_folder.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/sweep/data_tables.hpp"
#include "engine/sweep/streamed_rows.hpp"
#include "io/suggestion.hpp"
#include "models/measured_tables/profile_tables.hpp"
#include "models/operators/operator_tables.hpp"

namespace dfsweep {

namespace {

/// A folder without measured operators, and systems that the catalogue lacks, are found here.
ReadData read_operators(const DataPlace& place, const Catalogue& catalogue) {
  ReadData read;
  try {
    operators::OperatorFolder folder = operators::read_operator_folder(place.path, catalogue, allowed_cores());
    read.inputs = std::move(folder.inputs);
    if (folder.tables.empty()) {
      read.problems.push_back({{},
                               fmt::format("no measured operators of use in '{}'", place.path.string()),
                               fmt::format("all of {} rows are left out", folder.rows_read),
                               "'dfsweep profiles' names the reasons"});
      return read;
    }
    read.data.operators =
        std::make_shared<const operators::OperatorTables>(std::move(folder.tables), std::move(folder.settings));
  } catch (const UserError& error) {
    read.problems = error.problems;
  }
  return read;
}

ReadData read_stream(const DataPlace& place, const DataInfo& info) {
  StreamedFile file = read_streamed_rows(place, info.stream);
  ReadData read;
  read.problems = std::move(file.problems);
  if (!file.rows) return read;
  read.data.stream = std::move(file.rows);
  read.inputs.push_back(std::move(file.input));
  return read;
}

ReadData read_tables(const DataPlace& place, const DataInfo& info) {
  DataTables tables = read_data_tables(place, info.files, allowed_cores());
  ReadData read;
  if (tables.inputs.empty() && tables.problems.empty()) {
    const std::vector<std::string> files(info.files.begin(), info.files.end());
    read.problems.push_back(
        {{},
         fmt::format("no data in '{}'", place.path.string()),
         files.empty() ? "no CSV file below this folder" : "none of " + listed(files) + " below this folder",
         ""});
  }
  read.problems.insert(read.problems.end(), tables.problems.begin(), tables.problems.end());
  read.inputs = std::move(tables.inputs);
  read.warnings = std::move(tables.warnings);
  if (info.form == DataForm::profiles)
    read.data.profiles = std::make_shared<const ProfileTables>(std::move(tables.tables), std::string(info.name));
  else
    read.data.tables = std::make_shared<const std::vector<Table>>(std::move(tables.tables));
  return read;
}

}  // namespace

ReadData read_data_at(const DataPlace& place, const DataInfo& info, const Catalogue& catalogue) {
  ReadData read;
  switch (info.form) {
    case DataForm::operators:
      read = read_operators(place, catalogue);
      break;
    case DataForm::stream:
      read = read_stream(place, info);
      break;
    case DataForm::tables:
    case DataForm::profiles:
      read = read_tables(place, info);
      break;
  }
  read.data.name = info.name;
  return read;
}

}  // namespace dfsweep
