/// Removal of a run: the files of a run directory that dfsweep has written, and no others.
#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/store/locks.hpp"
#include "engine/store/opening.hpp"
#include "engine/store/ownership.hpp"

namespace dfsweep::store {

void remove_run(FileSystem& files, const RunDirectory& directory, Part own_part) {
  if (files.exists(directory.plan())) {
    const std::vector<std::byte> bytes = read_file(files, directory.plan(), max_plan_bytes);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!is_run_of_ours(files, directory, text))
      throw ForeignRun(fmt::format(
          "{} was not written by dfsweep, and there are other files beside it: nothing is discarded. Choose "
          "another --out",
          directory.plan().string()));
  }
  const std::string own_lock = name_of(own_part) + ".lock";
  const std::string working = working_part(files, directory, [&](const std::string& lock) { return lock != own_lock; });
  if (!working.empty())
    throw NotReady(fmt::format("{} cannot be discarded while {} works in it", directory.path.string(), working));
  for (const std::string& name : files.list(directory.journals()))
    if (name.ends_with(".journal")) files.remove(directory.journals() / name);
  for (const std::filesystem::path& path :
       {directory.result(), directory.partial(), directory.creating(), directory.incomplete(), directory.former(),
        directory.compressing(), directory.log(), directory.plan()})
    if (files.exists(path)) files.remove(path);
  files.sync_directory(directory.path);
}

}  // namespace dfsweep::store
