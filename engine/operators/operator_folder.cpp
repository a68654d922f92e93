/// Files are read one after the other, each on all threads; tables are checked in parallel.
#include "engine/operators/operator_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/operators/operator_reading.hpp"
#include "engine/parallel/threads.hpp"
#include "io/checksum.hpp"
#include "io/file_system.hpp"

namespace dfsweep::operators {

namespace {

using Paths = std::vector<std::filesystem::path>;

/// The files of measured operators at and below a folder, sorted.
Paths operator_files(const std::filesystem::path& folder) {
  Paths files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator item(folder, error), end; !error && item != end;
       item.increment(error)) {
    std::error_code ignored;
    if (!operator_file(item->path()).empty() && item->is_regular_file(ignored)) files.push_back(item->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string checksum_of(const std::filesystem::path& path) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  const std::unique_ptr<File> file = real_file_system().open(path, OpenFor::reading);
  std::vector<std::byte> piece(piece_bytes);
  ChecksumStream checksum;
  std::uint64_t offset = 0;
  for (std::size_t read = piece_bytes; read > 0; offset += read) {
    read = file->read_some(offset, piece);
    checksum.update(std::span(piece).first(read));
  }
  return to_hex(checksum.digest());
}

auto names_of(const OperatorTable& table) {
  return std::tie(table.family, table.system, table.engine, table.version, table.kernel, table.format, table.cache,
                  table.variant);
}

/// Joins tables of the same names, which several files may hold.
void join_tables(std::vector<OperatorTable>& tables) {
  std::stable_sort(tables.begin(), tables.end(),
                   [](const OperatorTable& a, const OperatorTable& b) { return names_of(a) < names_of(b); });
  std::vector<OperatorTable> joined;
  for (OperatorTable& table : tables) {
    if (joined.empty() || names_of(joined.back()) != names_of(table)) {
      joined.push_back(std::move(table));
      continue;
    }
    joined.back().keys.insert(joined.back().keys.end(), table.keys.begin(), table.keys.end());
    joined.back().seconds.insert(joined.back().seconds.end(), table.seconds.begin(), table.seconds.end());
  }
  tables = std::move(joined);
}

/// What the check of one table found.
struct CheckedTable {
  std::optional<TableSetting> setting;
  std::vector<LeftOutRows> left_out;
  std::optional<std::string> wrong_unit;
};

CheckedTable check_table(OperatorTable& table, const std::optional<TableDevice>& device) {
  CheckedTable checked;
  if (!device) {
    checked.left_out.push_back({place_text(table), LeftOutReason::unknown_system, table.rows()});
    return checked;
  }
  checked.setting = setting_of(table, *device);
  if (!checked.setting) {
    checked.left_out.push_back({place_text(table), LeftOutReason::unknown_format, table.rows()});
    return checked;
  }
  checked.wrong_unit = wrong_unit(table, *checked.setting);
  if (!checked.wrong_unit) checked.left_out = leave_out_rows(table, *checked.setting);
  return checked;
}

/// Checks all tables and keeps those that have rows left.
void check_tables(OperatorFolder& folder, const Catalogue& catalogue, const std::filesystem::path& path,
                  unsigned threads) {
  std::map<std::string, std::optional<TableDevice>> devices;
  for (const OperatorTable& table : folder.tables)
    if (!devices.contains(table.system)) devices.emplace(table.system, device_of_tables(catalogue, table.system));
  folder.left_out = leave_out_copies(folder.tables);
  std::erase_if(folder.tables, [](const OperatorTable& table) { return table.rows() == 0; });
  std::vector<CheckedTable> checked(folder.tables.size());
  parallel_for(checked.size(), threads,
               [&](std::size_t i) { checked[i] = check_table(folder.tables[i], devices.at(folder.tables[i].system)); });
  std::vector<OperatorTable> kept;
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < checked.size(); ++i) {
    if (checked[i].wrong_unit)
      problems.push_back({{path.string(), 0, 0},
                          fmt::format("wrong unit in the table '{}'", place_text(folder.tables[i])),
                          *checked[i].wrong_unit,
                          "`latency` is in milliseconds"});
    folder.left_out.insert(folder.left_out.end(), checked[i].left_out.begin(), checked[i].left_out.end());
    if (!checked[i].setting || folder.tables[i].rows() == 0) continue;
    kept.push_back(std::move(folder.tables[i]));
    folder.settings.push_back(*checked[i].setting);
  }
  if (!problems.empty()) throw UserError(std::move(problems));
  folder.tables = std::move(kept);
}

}  // namespace

std::size_t OperatorFolder::rows() const {
  std::size_t count = 0;
  for (const OperatorTable& table : tables) count += table.rows();
  return count;
}

bool has_operator_files(const std::filesystem::path& folder) {
  return !operator_files(folder).empty();
}

std::optional<TableDevice> device_of_tables(const Catalogue& catalogue, std::string_view system) {
  for (const std::string& name : catalogue.names("systems")) {
    const Entry entry = catalogue.load("systems", name).entry;
    if (name != system && entry.text_or("operators", "") != system) continue;
    return TableDevice{Throughput{entry.number_or("peak_flops", 0.0)},
                       Throughput{entry.number_or("peak_flops_8bit", 0.0)},
                       Throughput{entry.number_or("peak_flops_4bit", 0.0)},
                       Bandwidth{entry.number_or("memory_bandwidth", 0.0)},
                       Bandwidth{entry.number_or("node_bandwidth", 0.0)},
                       Bandwidth{entry.number_or("network_bandwidth", 0.0)},
                       entry.number_or("node_devices", 8.0)};
  }
  return std::nullopt;
}

OperatorFolder read_operator_folder(const std::filesystem::path& path, const Catalogue& catalogue, unsigned threads) {
  OperatorFolder folder;
  std::vector<Problem> problems;
  const Paths files = operator_files(path);
  for (const std::filesystem::path& file : files) {
    const std::string_view kind = operator_file(file);
    for (const OperatorLayout& layout : operator_layouts()) {
      if (layout.file != kind) continue;
      OperatorFile read = read_operator_file(file, layout, threads);
      problems.insert(problems.end(), read.problems.begin(), read.problems.end());
      for (OperatorTable& table : read.tables) {
        folder.rows_read += table.rows();
        folder.tables.push_back(std::move(table));
      }
    }
    folder.inputs.push_back({"operators/" + file.lexically_relative(path).generic_string(), "", ""});
  }
  parallel_for(files.size(), threads, [&](std::size_t i) { folder.inputs[i].checksum = checksum_of(files[i]); });
  if (!problems.empty()) throw UserError(std::move(problems));
  if (folder.tables.empty())
    throw UserError({{{path.string(), 0, 0},
                      "no measured operators here",
                      "files are gemm.csv, context_attention.csv, generation_attention.csv, mla.csv, mla_bmm.csv, "
                      "moe.csv, quantize.csv, nccl.csv, custom_allreduce.csv, deepep.csv, trtllm_alltoall.csv",
                      "Compressed files are not read: run 'xz -d' or 'gunzip' first"}});
  join_tables(folder.tables);
  check_tables(folder, catalogue, path, threads);
  return folder;
}

}  // namespace dfsweep::operators
