/// The layout of Vidur and its variants. Source: [vidur]
#include "models/measured_tables/columns.hpp"

#include <algorithm>
#include <vector>

namespace dfsweep {

namespace {

struct FileName {
  std::string_view name;
  ProfileFile file;
};
constexpr FileName files[] = {
    {"mlp.csv", ProfileFile::tokens},
    {"attention.csv", ProfileFile::attention},
    {"all_reduce.csv", ProfileFile::all_reduce},
    {"allreduce.csv", ProfileFile::all_reduce},
    {"send_recv.csv", ProfileFile::send_recv},
    {"cpu_overheads.csv", ProfileFile::processor},
};
constexpr std::array<std::string_view, std::size(files)> file_names = [] {
  std::array<std::string_view, std::size(files)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = files[i].name;
  return names;
}();

constexpr std::string_view token_keys[] = {column_names::tokens,
                                           column_names::tensor_parallel,
                                           "n_embd",
                                           "n_head",
                                           "n_kv_head",
                                           "n_expanded_embd",
                                           "vocab_size",
                                           column_names::gated};
constexpr std::string_view attention_keys[] = {column_names::chunk,
                                               column_names::cached,
                                               column_names::requests,
                                               column_names::block_size,
                                               column_names::tensor_parallel,
                                               "n_embd",
                                               "n_q_head",
                                               "n_kv_head"};
constexpr std::string_view network_keys[] = {column_names::bytes, column_names::workers, column_names::devices_per_node,
                                             column_names::max_devices_per_node, column_names::collective};
constexpr std::string_view processor_keys[] = {column_names::requests, column_names::tensor_parallel_degree,
                                               column_names::model_name};

constexpr auto token_file_operators = [] {
  std::array<Operator, token_operators.size() + head_operators.size()> all{};
  const auto rest = std::copy(token_operators.begin(), token_operators.end(), all.begin());
  std::copy(head_operators.begin(), head_operators.end(), rest);
  return all;
}();
constexpr Operator attention_operators[] = {Operator::attn_prefill, Operator::attn_decode,
                                            Operator::attn_kv_cache_save};
constexpr Operator all_reduce_operators[] = {Operator::all_reduce};
constexpr Operator send_recv_operators[] = {Operator::send_recv};
constexpr Operator processor_operators[] = {Operator::schedule, Operator::sampler_e2e, Operator::prepare_inputs_e2e,
                                            Operator::process_model_outputs, Operator::ray_comm_time};

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string_view root_of(ProfileFile file) {
  switch (file) {
    case ProfileFile::tokens:
    case ProfileFile::attention:
      return "compute";
    case ProfileFile::all_reduce:
    case ProfileFile::send_recv:
      return "network";
    case ProfileFile::processor:
      break;
  }
  return "cpu_overhead";
}

}  // namespace

std::span<const std::string_view> profile_file_names() {
  return file_names;
}

std::optional<ProfilePath> profile_path(std::string_view path) {
  const std::vector<std::string_view> parts = parts_of(path);
  const auto named =
      std::find_if(std::begin(files), std::end(files), [&](const FileName& file) { return file.name == parts.back(); });
  if (named == std::end(files)) return std::nullopt;
  const auto root = std::find(parts.begin(), parts.end() - 1, root_of(named->file));
  const auto folders = parts.end() - 1 - root;  // levels: root, device or network, model
  const bool needs_model = root_of(named->file) == "compute";
  const bool is_network = root_of(named->file) == "network";
  if (folders < (needs_model ? 3 : 2) || (is_network && folders > 2)) return std::nullopt;
  ProfilePath found{named->file, is_network ? network_name(root[1]) : std::string(root[1]), ""};
  for (auto level = root + 2; level < parts.end() - 1; ++level)
    found.model += (found.model.empty() ? "" : "/") + std::string(*level);
  return found;
}

std::string network_name(std::string_view folder) {
  constexpr std::string_view old_ending = "_pair_nvlink";
  if (!folder.ends_with(old_ending)) return std::string(folder);
  return std::string(folder.substr(0, folder.size() - old_ending.size())) + "_pairwise_nvlink";
}

std::string_view backend_name(std::string_view cell) {
  constexpr std::string_view type = "AttentionBackend.";
  return cell.starts_with(type) ? cell.substr(type.size()) : cell;
}

std::span<const std::string_view> key_columns(ProfileFile file) {
  switch (file) {
    case ProfileFile::tokens:
      return token_keys;
    case ProfileFile::attention:
      return attention_keys;
    case ProfileFile::all_reduce:
    case ProfileFile::send_recv:
      return network_keys;
    case ProfileFile::processor:
      break;
  }
  return processor_keys;
}

std::span<const Operator> operators_of(ProfileFile file) {
  switch (file) {
    case ProfileFile::tokens:
      return token_file_operators;
    case ProfileFile::attention:
      return attention_operators;
    case ProfileFile::all_reduce:
      return all_reduce_operators;
    case ProfileFile::send_recv:
      return send_recv_operators;
    case ProfileFile::processor:
      break;
  }
  return processor_operators;
}

bool may_be_missing(Operator op) {
  return op == Operator::input_layernorm || op == Operator::post_attention_layernorm || op == Operator::add ||
         op == Operator::attn_kv_cache_save || op == Operator::emb || op == Operator::lm_head;
}

bool is_true(const TableColumn& column, std::size_t row) {
  if (column.numbers[row] == 1.0) return true;
  return !column.texts.empty() && (column.texts[row] == "True" || column.texts[row] == "true");
}

std::string time_column_name(Operator op, Statistic statistic) {
  const std::string name(name_of(op));
  const std::string of(name_of(statistic));
  return kind_of(op) == OperatorKind::processor ? name + "_" + of : "time_stats." + name + "." + of;
}

const TableColumn* time_column(const Table& table, Operator op, Statistic statistic) {
  return table.column(time_column_name(op, statistic));
}

}  // namespace dfsweep
