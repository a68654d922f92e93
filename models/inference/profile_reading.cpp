/// Sorting the rows of measured tables into profiles.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "models/inference/profile_columns.hpp"
#include "models/inference/profile_tables.hpp"

namespace dfsweep {

namespace {

/// Rows of a table, less those that repeat an earlier one in every cell.
std::vector<std::uint32_t> distinct_rows(const Table& table) {
  std::vector<std::uint64_t> hashes(table.rows(), 0);
  const auto mix = [&hashes](std::size_t row, std::uint64_t bits) {
    hashes[row] = (std::rotl(hashes[row], 5) ^ bits) * 0x9e3779b97f4a7c15U;
  };
  for (const TableColumn& column : table.columns)
    for (std::size_t row = 0; row < table.rows(); ++row)
      mix(row, column.texts.empty() ? std::bit_cast<std::uint64_t>(column.numbers[row])
                                    : std::hash<std::string>{}(column.texts[row]));
  const auto equal = [&table](std::uint32_t a, std::uint32_t b) {
    return std::all_of(table.columns.begin(), table.columns.end(), [a, b](const TableColumn& column) {
      return column.texts.empty() ? std::bit_cast<std::uint64_t>(column.numbers[a]) ==
                                        std::bit_cast<std::uint64_t>(column.numbers[b])
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

/// One table on its way into profiles.
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

double gated_at(const Table& table, std::uint32_t row) {
  const TableColumn* column = table.column(column_names::gated);
  const std::string text = text_at(column, row);
  if (text.empty()) return column->numbers[row];
  return text == "True" || text == "true" ? 1.0 : 0.0;
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
  shape.gated_ffn = gated_at(table, row);
  return shape;
}

class ProfileCollector {
 public:
  ProfileCollector(std::span<const Table> tables, std::string_view data) : data_(data) {
    reading_.profiles.tables = tables;
  }

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

  /// Whether every row of the table can be found by its keys; else errors say which cannot.
  bool check_keys(const Table& table, ProfileFile file);

  void add_error(const Table& table, std::size_t line, std::string_view column, std::string problem,
                 std::string reason, std::string hint) {
    reading_.errors.push_back({std::string(data_), table.path, line, std::string(column), std::move(problem),
                               std::move(reason), std::move(hint)});
  }

  ProfileReading take() {
    ProfileSet& set = reading_.profiles;
    std::sort(set.layers.begin(), set.layers.end(), [](const LayerProfile& a, const LayerProfile& b) {
      return std::tie(a.device, a.model, a.tensor_parallel) < std::tie(b.device, b.model, b.tensor_parallel);
    });
    std::sort(set.networks.begin(), set.networks.end(), [](const NetworkProfile& a, const NetworkProfile& b) {
      return std::tie(a.network, a.collective, a.workers, a.devices_per_node) <
             std::tie(b.network, b.collective, b.workers, b.devices_per_node);
    });
    std::sort(set.processors.begin(), set.processors.end(), [](const ProcessorProfile& a, const ProcessorProfile& b) {
      return std::tie(a.device, a.model, a.tensor_parallel) < std::tie(b.device, b.model, b.tensor_parallel);
    });
    return std::move(reading_);
  }

 private:
  void add_layers(const TableInPlace& placed);
  void add_networks(const TableInPlace& placed);
  void add_processors(const TableInPlace& placed);

  std::string_view data_;
  ProfileReading reading_;
};

/// Of a size that counts and sizes of tables have.
bool is_whole(double value) {
  return value >= 0.0 && value <= 4294967295.0 && value == std::floor(value);
}

bool is_text_key(std::string_view column) {
  return column == column_names::collective || column == column_names::model_name;
}

bool ProfileCollector::check_keys(const Table& table, ProfileFile file) {
  const std::size_t before = reading_.errors.size();
  for (const std::string_view name : key_columns(file)) {
    const TableColumn* column = table.column(name);
    if (column == nullptr) {
      add_error(table, 1, "", "column '" + std::string(name) + "' is missing", "rows of this table are found by it", "");
      continue;
    }
    if (is_text_key(name) || name == column_names::gated) continue;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (!is_whole(column->numbers[row]))
        add_error(table, table.lines[row], name, std::string(name) + " is not a whole number", "", "");
  }
  return reading_.errors.size() == before;
}

void put_row(RowGroup& group, const TableInPlace& placed, std::uint32_t row) {
  group.table = &placed.table;
  group.index = placed.index;
  group.rows.push_back(row);
}

void ProfileCollector::add_layers(const TableInPlace& placed) {
  const bool attention = placed.at.file == ProfileFile::attention;
  const TableColumn* backends = placed.table.column(column_names::backend);
  std::vector<LayerProfile>& layers = reading_.profiles.layers;
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
  std::vector<NetworkProfile>& networks = reading_.profiles.networks;
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
  std::vector<ProcessorProfile>& processors = reading_.profiles.processors;
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

}  // namespace

ProfileReading read_profiles(std::span<const Table> tables, std::string_view data) {
  ProfileCollector collector(tables, data);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::optional<ProfilePath> at = profile_path(tables[i].path);
    if (!at) continue;
    if (collector.check_keys(tables[i], at->file)) collector.add({tables[i], static_cast<std::uint32_t>(i), *at});
  }
  return collector.take();
}

}  // namespace dfsweep
