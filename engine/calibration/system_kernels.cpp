#include "engine/calibration/system_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/console/usage_error.hpp"
#include "engine/profiles/profile_folder.hpp"
#include "io/suggestion.hpp"
#include "models/measured_tables/columns.hpp"

namespace dfsweep {

namespace {

std::vector<std::string> folders_of(const ProfileSet& profiles) {
  std::set<std::string> folders;
  for (const LayerProfile& layer : profiles.layers) folders.insert(layer.device);
  for (const NetworkProfile& network : profiles.networks) folders.insert(network.network);
  return {folders.begin(), folders.end()};
}

System system_named(const Catalogue& catalogue, const std::string& name) {
  const std::vector<std::string> known = catalogue.names("systems");
  if (!catalogue.contains("systems", name))
    throw UsageError(fmt::format("--measured-on: no system is called '{}'. {}", name,
                                 did_you_mean(name, known, "There are: " + listed(known) + ".")));
  const Decoded<System> decoded = decode_system(catalogue.load("systems", name).entry);
  if (!decoded.problems.empty())
    throw UsageError(fmt::format("--measured-on: system '{}': {}", name, decoded.problems.front().problem));
  return decoded.value;
}

void append(std::vector<KernelTable>& all, std::vector<KernelTable> more) {
  for (KernelTable& table : more) all.push_back(std::move(table));
}

void add_tables(SystemKernels& kernels, const ProfileSet& profiles, const std::string& folder) {
  for (const LayerProfile& layer : profiles.layers) {
    if (layer.device != folder) continue;
    append(kernels.tables, product_tables(layer));
    append(kernels.tables, attention_tables(layer, ScoreCount::causal));
    append(kernels.square_attention, attention_tables(layer, ScoreCount::square));
    append(kernels.tables, vector_tables(layer));
  }
  for (const NetworkProfile& network : profiles.networks)
    if (network.network == folder) append(kernels.tables, exchange_tables(network));
}

void add_files(SystemKernels& kernels, const ProfileFolder& read, const std::string& folder) {
  for (const InputFile& file : read.inputs) {
    const auto path = profile_path(file.name);
    if (path && path->place == folder && path->file != ProfileFile::processor && path->file != ProfileFile::send_recv)
      kernels.files.push_back({file.name, file.checksum, {}});
  }
}

}  // namespace

SystemKernels& kernels_of(std::vector<SystemKernels>& systems, const std::string& name, const Catalogue& catalogue) {
  const auto found = std::find_if(systems.begin(), systems.end(), [&](const auto& s) { return s.system == name; });
  if (found != systems.end()) return *found;
  return systems.emplace_back(SystemKernels{name, system_named(catalogue, name), {}, {}, {}});
}

std::vector<SystemKernels> read_system_kernels(const std::filesystem::path& profiles,
                                               std::span<const MeasuredOn> measured_on, const Catalogue& catalogue,
                                               unsigned threads) {
  const ProfileFolder read = read_profile_folder(profiles, catalogue, threads);
  const std::vector<std::string> folders = folders_of(read.profiles);
  std::vector<SystemKernels> systems;
  for (const MeasuredOn& place : measured_on) {
    const std::string folder = network_name(place.folder);
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
      throw UsageError(fmt::format("--measured-on: no table of '{}' in {}. {}", place.folder, profiles.string(),
                                   did_you_mean(place.folder, folders, "There are: " + listed(folders) + ".")));
    SystemKernels& kernels = kernels_of(systems, place.system, catalogue);
    add_tables(kernels, read.profiles, folder);
    add_files(kernels, read, folder);
  }
  for (const SystemKernels& kernels : systems)
    if (kernels.tables.empty())
      throw UserError({{{profiles.string(), 0, 0},
                        fmt::format("no table of {} times a kernel of training steps", kernels.system),
                        "those are products, prompts of 1024 tokens and more, and all-reduces of 1 MiB and more",
                        ""}});
  return systems;
}

}  // namespace dfsweep
