/// Sorting the rows of measured tables into profiles.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "models/hash_step.hpp"
#include "models/measured_tables/sorting.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

/// Rows of a table without duplicates of earlier rows.
std::vector<std::uint32_t> distinct_rows(const Table& table) {
  std::vector<std::uint64_t> hashes(table.rows(), 0);
  for (const TableColumn& column : table.columns)
    for (std::size_t row = 0; row < table.rows(); ++row)
      hashes[row] = column.texts.empty() ? hash_step(hashes[row], {column.numbers[row]})
                                         : hash_step(hashes[row], std::hash<std::string>{}(column.texts[row]));
  const auto equal = [&table](std::uint32_t a, std::uint32_t b) {
    return std::all_of(table.columns.begin(), table.columns.end(), [a, b](const TableColumn& column) {
      return column.texts.empty()
                 ? std::bit_cast<std::uint64_t>(column.numbers[a]) == std::bit_cast<std::uint64_t>(column.numbers[b])
                 : column.texts[a] == column.texts[b];
    });
  };
  std::vector<std::uint32_t> rows;
  std::unordered_multimap<std::uint64_t, std::uint32_t> seen;
  seen.reserve(table.rows());
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    const auto [first, last] = seen.equal_range(hashes[row]);
    if (std::any_of(first, last, [&](const auto& other) { return equal(other.second, row); })) continue;
    seen.emplace(hashes[row], row);
    rows.push_back(row);
  }
  return rows;
}

/// A table with its decoded path.
struct TableInPlace {
  const Table& table;
  std::uint32_t index;
  ProfilePath at;
};

double number_at(const Table& table, std::string_view column, std::uint32_t row) {
  return table.column(column)->numbers[row];
}

std::string text_at(const TableColumn* column, std::uint32_t row) {
  return column == nullptr || column->texts.empty() ? std::string() : column->texts[row];
}

TableShape shape_at(const Table& table, ProfileFile file, std::uint32_t row) {
  TableShape shape;
  shape.hidden = number_at(table, "n_embd", row);
  shape.key_value_heads = number_at(table, "n_kv_head", row);
  if (file == ProfileFile::attention) {
    shape.heads = number_at(table, "n_q_head", row);
    return shape;
  }
  shape.heads = number_at(table, "n_head", row);
  shape.ffn_hidden = number_at(table, "n_expanded_embd", row);
  shape.vocabulary = number_at(table, "vocab_size", row);
  shape.gated_ffn = is_true(*table.column(column_names::gated), row) ? 1.0 : 0.0;
  return shape;
}

class ProfileCollector {
 public:
  explicit ProfileCollector(std::span<const Table> tables) { set_.tables = tables; }

  void add(const TableInPlace& placed) {
    switch (placed.at.file) {
      case ProfileFile::tokens:
      case ProfileFile::attention:
        return add_layers(placed);
      case ProfileFile::all_reduce:
      case ProfileFile::send_recv:
        return add_networks(placed);
      case ProfileFile::processor:
        return add_processors(placed);
    }
  }

  ProfileSet take() {
    std::stable_sort(set_.layers.begin(), set_.layers.end(), [](const LayerProfile& a, const LayerProfile& b) {
      return std::tie(a.device, a.model, a.tensor_parallel) < std::tie(b.device, b.model, b.tensor_parallel);
    });
    std::stable_sort(set_.networks.begin(), set_.networks.end(), [](const NetworkProfile& a, const NetworkProfile& b) {
      return std::tie(a.network, a.collective, a.workers, a.devices_per_node) <
             std::tie(b.network, b.collective, b.workers, b.devices_per_node);
    });
    std::stable_sort(
        set_.processors.begin(), set_.processors.end(), [](const ProcessorProfile& a, const ProcessorProfile& b) {
          return std::tie(a.device, a.model, a.tensor_parallel) < std::tie(b.device, b.model, b.tensor_parallel);
        });
    return std::move(set_);
  }

 private:
  void add_layers(const TableInPlace& placed);
  void add_networks(const TableInPlace& placed);
  void add_processors(const TableInPlace& placed);

  ProfileSet set_;
};

void put_row(RowGroup& group, const TableInPlace& placed, std::uint32_t row) {
  group.table = &placed.table;
  group.index = placed.index;
  group.rows.push_back(row);
}

void ProfileCollector::add_layers(const TableInPlace& placed) {
  const bool attention = placed.at.file == ProfileFile::attention;
  const TableColumn* backends = placed.table.column(column_names::backend);
  std::vector<LayerProfile>& layers = set_.layers;
  for (const std::uint32_t row : distinct_rows(placed.table)) {
    const auto degree = static_cast<unsigned>(number_at(placed.table, column_names::tensor_parallel, row));
    const TableShape shape = shape_at(placed.table, placed.at.file, row);
    auto layer = std::find_if(layers.rbegin(), layers.rend(), [&](const LayerProfile& known) {
      return known.device == placed.at.place && known.model == placed.at.model && known.tensor_parallel == degree &&
             agree(known.shape, shape);
    });
    if (layer == layers.rend()) {
      layers.push_back({placed.at.place, placed.at.model, degree, shape, {}, {}, {}, {}});
      layer = layers.rbegin();
    }
    put_row(attention ? layer->attention : layer->tokens, placed, row);
    if (!attention) {
      layer->shape = shape;
      continue;
    }
    layer->backend = backend_name(text_at(backends, row));
    const double pages = number_at(placed.table, column_names::block_size, row);
    const auto place = std::lower_bound(layer->block_sizes.begin(), layer->block_sizes.end(), pages);
    if (place == layer->block_sizes.end() || *place != pages) layer->block_sizes.insert(place, pages);
  }
}

void ProfileCollector::add_networks(const TableInPlace& placed) {
  const Operator collective = operators_of(placed.at.file).front();
  const TableColumn* names = placed.table.column(column_names::collective);
  std::vector<NetworkProfile>& networks = set_.networks;
  for (const std::uint32_t row : distinct_rows(placed.table)) {
    if (text_at(names, row) != name_of(collective)) continue;
    const auto workers = static_cast<unsigned>(number_at(placed.table, column_names::workers, row));
    const auto per_node = static_cast<unsigned>(number_at(placed.table, column_names::devices_per_node, row));
    const auto most = static_cast<unsigned>(number_at(placed.table, column_names::max_devices_per_node, row));
    auto network = std::find_if(networks.rbegin(), networks.rend(), [&](const NetworkProfile& known) {
      return known.network == placed.at.place && known.collective == collective && known.workers == workers &&
             known.devices_per_node == per_node;
    });
    if (network == networks.rend()) {
      networks.push_back({placed.at.place, collective, workers, per_node, most, {}});
      network = networks.rbegin();
    }
    put_row(network->rows, placed, row);
  }
}

void ProfileCollector::add_processors(const TableInPlace& placed) {
  const TableColumn* models = placed.table.column(column_names::model_name);
  std::vector<ProcessorProfile>& processors = set_.processors;
  for (const std::uint32_t row : distinct_rows(placed.table)) {
    const std::string model = text_at(models, row);
    const auto degree = static_cast<unsigned>(number_at(placed.table, column_names::tensor_parallel_degree, row));
    auto processor = std::find_if(processors.rbegin(), processors.rend(), [&](const ProcessorProfile& known) {
      return known.device == placed.at.place && known.model == model && known.tensor_parallel == degree;
    });
    if (processor == processors.rend()) {
      processors.push_back({placed.at.place, model, degree, {}});
      processor = processors.rbegin();
    }
    put_row(processor->rows, placed, row);
  }
}

/// Detects duplicates: two spellings of a file (all_reduce.csv, allreduce.csv), or folders at different depths.
class PlacesTaken {
 public:
  bool take(const Table& table, const ProfilePath& at, TableProblems& errors) {
    const auto [known, is_new] = taken_.emplace(std::tuple(at.file, at.place, at.model), table.path);
    if (!is_new) errors.add(table, 0, "", "duplicate table", "the other one is " + known->second, "Remove one of them");
    return is_new;
  }

 private:
  std::map<std::tuple<ProfileFile, std::string, std::string>, std::string> taken_;
};

/// Warns where the attention tables of one model on one device use different backends, whose speeds differ.
void check_backends(const ProfileSet& set, TableProblems& warnings) {
  for (std::size_t i = 1; i < set.layers.size(); ++i) {
    const LayerProfile& a = set.layers[i - 1];
    const LayerProfile& b = set.layers[i];
    if (a.device != b.device || a.model != b.model || a.attention.empty() || b.attention.empty()) continue;
    if (a.backend != b.backend)
      warnings.add(*b.attention.table, b.attention.table->lines[b.attention.rows.front()], column_names::backend,
                   "attention backend '" + b.backend + "' is not that of other degrees", "'" + a.backend + "'");
  }
}

/// Warns where rows of a folder have different shapes, since a folder is for one model.
void check_shapes(const ProfileSet& set, TableProblems& warnings) {
  for (std::size_t i = 1; i < set.layers.size(); ++i) {
    const LayerProfile& a = set.layers[i - 1];
    const LayerProfile& b = set.layers[i];
    if (a.device != b.device || a.model != b.model || agree(a.shape, b.shape)) continue;
    const RowGroup& rows = b.tokens.empty() ? b.attention : b.tokens;
    warnings.add(*rows.table, rows.table->lines[rows.rows.front()], "n_embd",
                 "the rows from here on have another model shape",
                 "n_embd " + short_number(b.shape.hidden) + ", heads " + short_number(b.shape.heads) + ", before " +
                     short_number(a.shape.hidden) + ", " + short_number(a.shape.heads),
                 "A sweep uses the rows that match its model");
  }
}

void append(ProfileReading& reading, ProfileProblems problems) {
  for (DataProblem& error : problems.errors.take()) reading.errors.push_back(std::move(error));
  for (DataProblem& warning : problems.warnings.take()) reading.warnings.push_back(std::move(warning));
}

}  // namespace

SortedTables sort_tables(std::span<const Table> tables, std::string_view data) {
  SortedTables sorted{{}, {}, TableProblems(data)};
  ProfileCollector collector(tables);
  PlacesTaken places;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    CheckedTable& checked = sorted.tables.emplace_back(CheckedTable{{}, {TableProblems(data), TableProblems(data)}});
    const std::optional<ProfilePath> at = profile_path(tables[i].path);
    if (!at) {
      checked.problems.warnings.add(
          tables[i], 0, "", "the table is not used", "its path does not follow the layout of measured tables",
          "Tables are compute/DEVICE/MODEL/mlp.csv and attention.csv, network/NETWORK/all_reduce.csv "
          "and send_recv.csv, cpu_overhead/DEVICE/cpu_overheads.csv");
      continue;
    }
    if (!places.take(tables[i], *at, checked.problems.errors) || !check_cells(tables[i], at->file, checked.problems))
      continue;
    checked.used = at;
    collector.add({tables[i], static_cast<std::uint32_t>(i), *at});
  }
  sorted.profiles = collector.take();
  check_backends(sorted.profiles, sorted.warnings);
  check_shapes(sorted.profiles, sorted.warnings);
  return sorted;
}

ProfileProblems with_rates(const CheckedTable& checked, const Table& table, const DeviceRates* device) {
  ProfileProblems problems = checked.problems;
  if (checked.used) check_rates(table, checked.used->file, device, problems);
  return problems;
}

const DeviceRates* rates_of(std::span<const NamedRates> devices, std::string_view place) {
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.name == place; });
  return found == devices.end() || !found->rates.known() ? nullptr : &found->rates;
}

ProfileReading read_profiles(std::span<const Table> tables, std::string_view data,
                             std::span<const NamedRates> devices) {
  SortedTables sorted = sort_tables(tables, data);
  ProfileReading reading;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const CheckedTable& checked = sorted.tables[i];
    const DeviceRates* const device = checked.used ? rates_of(devices, checked.used->place) : nullptr;
    append(reading, with_rates(checked, tables[i], device));
  }
  reading.profiles = std::move(sorted.profiles);
  for (DataProblem& warning : sorted.warnings.take()) reading.warnings.push_back(std::move(warning));
  return reading;
}

}  // namespace dfsweep
