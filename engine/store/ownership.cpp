#include "engine/store/ownership.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "io/json.hpp"

namespace dfsweep::store {

namespace {

bool is_json(std::string_view text) {
  try {
    static_cast<void>(parse_json(text));
    return true;
  } catch (const JsonError&) {
    return false;
  }
}

}  // namespace

bool is_run_of_ours(FileSystem& files, const RunDirectory& directory, std::string_view plan) {
  if (plan.find("dfsweep") != std::string_view::npos) return true;
  for (const std::string& name : files.list(directory.journals()))
    if (name.ends_with(".journal")) return true;
  if (is_json(plan)) return false;
  const std::vector<std::string> names = files.list(directory.path);
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::filesystem::path path = directory.path / name;
    return path == directory.journals() || path == directory.log() || path == directory.result() ||
           path == directory.partial() || path == directory.creating() || path == directory.incomplete() ||
           path == directory.former() || path == directory.compressing() ||
           name.starts_with(directory.plan().filename().string());
  });
}

std::string not_ours(const RunDirectory& directory) {
  return fmt::format("{} was not written by dfsweep: nothing is changed or discarded. Choose another --out",
                     directory.plan().string());
}

void refuse_links(FileSystem& files, const RunDirectory& directory) {
  std::vector<std::filesystem::path> written = {directory.plan(),       directory.partial(),    directory.creating(),
                                                directory.incomplete(), directory.log(),        directory.journals(),
                                                directory.former(),     directory.compressing()};
  for (const std::string& name : files.list(directory.journals())) written.push_back(directory.journals() / name);
  for (const std::filesystem::path& path : written)
    if (std::error_code ignored; std::filesystem::is_symlink(path, ignored))
      throw ForeignRun(
          fmt::format("{} is a symbolic link, and a run does not write through links in its folder. Remove "
                      "it, or choose another --out",
                      path.string()));
}

}  // namespace dfsweep::store
