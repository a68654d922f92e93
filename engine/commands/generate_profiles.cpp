/// Generated tables: entries of the catalogue become rows, rows become CSV files.
#include "engine/commands/generate_profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/catalogue/catalogue.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/console/usage_error.hpp"
#include "io/atomic_file.hpp"
#include "io/csv_writer.hpp"
#include "io/file_system.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/measured_tables/generated.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

struct GeneratedFile {
  std::filesystem::path path;
  Table table;
};

Entry entry_named(const Catalogue& catalogue, std::string_view kind, const std::string& name) {
  const std::vector<std::string> known = catalogue.names(kind);
  if (!catalogue.contains(kind, name))
    throw UsageError(fmt::format("'{}' is not in the catalogue of {}. {}", name, kind,
                                 did_you_mean(name, known, "There are: " + listed(known) + ".")));
  return catalogue.load(kind, name).entry;
}

double needed(const Entry& entry, std::string_view kind, std::string_view field) {
  if (!entry.has_number(field))
    throw UsageError(fmt::format("'{}' of {} has no {}; it is needed to generate times.", entry.name, kind, field));
  return entry.number_or(field, 0.0);
}

ServedModel model_of(const Entry& entry) {
  const Decoded<ServedModel> decoded = decode_served_model(entry);
  if (!decoded.problems.empty())
    throw UsageError(fmt::format("model '{}': {} ({}).", entry.name, decoded.problems.front().problem,
                                 decoded.problems.front().reason));
  if (decoded.value.has_experts())
    throw UsageError(
        fmt::format("model '{}' has experts; tables have no columns of expert layers. Name dense models.", entry.name));
  return decoded.value;
}

/// Those by which the heads of queries can be shared out.
std::vector<unsigned> degrees_of(const std::vector<std::string>& texts, const ServedModel& model) {
  std::vector<unsigned> degrees;
  for (const std::string& text : texts) {
    unsigned degree = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), degree);
    if (error != std::errc{} || end != text.data() + text.size() || degree < 1 || degree > 65536)
      throw UsageError(fmt::format("--degrees: '{}' must be a whole number of at least 1.", text));
    if (std::fmod(model.heads, degree) == 0.0) degrees.push_back(degree);
  }
  return degrees;
}

std::string folder_of(const Entry& entry) {
  return entry.text_or("profile", entry.name);
}

std::vector<GeneratedFile> generated_files(const GenerateProfilesOptions& options, const Catalogue& catalogue) {
  std::vector<GeneratedFile> files;
  const auto noise = [&] { return GeneratedNoise{options.noise, random_bits(options.seed, files.size())}; };
  const auto add = [&](const std::filesystem::path& path, Table table) {
    if (table.rows() > 0) files.push_back({options.folder / path, std::move(table)});
  };
  for (const std::string& device : options.devices) {
    const Entry chip = entry_named(catalogue, "devices", device);
    const DeviceRates rates{Throughput{needed(chip, "devices", "peak_flops")},
                            Bandwidth{needed(chip, "devices", "memory_bandwidth")}};
    for (const std::string& name : options.models) {
      const Entry entry = entry_named(catalogue, "models", name);
      GeneratedLayer layer{.model = model_of(entry), .rates = rates, .degrees = {}, .most_tokens = options.most_tokens};
      layer.degrees = degrees_of(options.degrees, layer.model);
      const std::filesystem::path place = std::filesystem::path("compute") / folder_of(chip) / folder_of(entry);
      add(place / "mlp.csv", generated_token_table(layer, noise()));
      add(place / "attention.csv", generated_attention_table(layer, noise()));
    }
  }
  for (const std::string& name : options.networks) {
    const Entry entry = entry_named(catalogue, "networks", name);
    const Entry link = entry_named(catalogue, "interconnects", options.interconnect);
    const GeneratedNetwork network{
        .bandwidth = Bandwidth{needed(link, "interconnects", "bandwidth")},
        .latency = Seconds{link.number_or("latency", 0.0)},
        .devices_per_node = static_cast<unsigned>(needed(entry, "networks", "devices_per_node"))};
    const std::filesystem::path place = std::filesystem::path("network") / folder_of(entry);
    add(place / "all_reduce.csv", generated_all_reduce_table(network, noise()));
    add(place / "send_recv.csv", generated_send_recv_table(network, noise()));
  }
  return files;
}

std::string csv_text(const Table& table) {
  CsvWriter csv;
  for (const TableColumn& column : table.columns) csv.cell(column.name);
  csv.end_line();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const TableColumn& column : table.columns)
      if (column.texts.empty())
        csv.cell(column.numbers[row]);
      else
        csv.cell(column.texts[row]);
    csv.end_line();
  }
  return csv.text();
}

void expect_free(const std::vector<GeneratedFile>& files) {
  for (const GeneratedFile& file : files)
    if (real_file_system().exists(file.path))
      throw UsageError(fmt::format("{} exists; generated tables never replace existing tables.", file.path.string()));
}

}  // namespace

ExitStatus run_generate_profiles(const GenerateProfilesOptions& options) {
  if (options.devices.empty() != options.models.empty())
    throw UsageError("--generate: --devices and --models must be given together.");
  if (options.devices.empty() && options.networks.empty())
    throw UsageError("--generate: give --devices and --models, or --networks.");
  if (options.networks.empty() != options.interconnect.empty())
    throw UsageError("--generate: --networks and --interconnect must be given together.");
  const std::vector<GeneratedFile> files = generated_files(options, catalogue_with(options.catalogues));
  expect_free(files);
  JsonArray written;
  std::string text;
  for (const GeneratedFile& file : files) {
    write_user_file(file.path, csv_text(file.table));
    written.emplace_back(JsonObject{{"file", file.path.string()}, {"rows", file.table.rows()}});
    text += fmt::format("{}: {}\n", file.path.string(), counted(file.table.rows(), "row"));
  }
  write_results(options.form == OutputForm::json ? to_text(JsonObject{{"written", std::move(written)}}) : text);
  return ExitStatus::complete;
}

}  // namespace dfsweep
