#include "engine/sweep/kept_data.hpp"

#include <algorithm>
#include <utility>

#include "engine/catalogue/kinds.hpp"

namespace dfsweep {

namespace {

/// Folders of the catalogue that the data depends on: rates of systems decide which measured operators are of use.
std::vector<std::filesystem::path> needed_folders(const DataInfo& info, const Catalogue& catalogue) {
  std::vector<std::filesystem::path> folders;
  if (info.form != DataForm::operators) return folders;
  for (const std::filesystem::path& folder : catalogue.folders())
    for (const std::string_view place : folders_of_kind("systems")) folders.push_back(folder / place);
  return folders;
}

}  // namespace

std::shared_ptr<const ReadData> KeptData::get(const DataPlace& place, const DataInfo& info,
                                              const Catalogue& catalogue) {
  const std::lock_guard lock(mutex_);
  Kept wanted{&info, std::filesystem::absolute(place.path), needed_folders(info, catalogue), {}, nullptr};
  wanted.files = stamps_below(wanted.path);
  for (const std::filesystem::path& folder : wanted.catalogues)
    for (FileStamp& stamp : stamps_below(folder)) wanted.files.push_back(std::move(stamp));
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.info == wanted.info && kept.path == wanted.path && kept.catalogues == wanted.catalogues;
  });
  if (known != kept_.end() && known->files == wanted.files) {
    kept_.splice(kept_.begin(), kept_, known);
    return known->data;
  }
  if (known != kept_.end()) kept_.erase(known);
  ++reads_;
  wanted.data = std::make_shared<const ReadData>(read_data_at(place, info, catalogue));
  if (!wanted.data->problems.empty()) return wanted.data;
  kept_.push_front(std::move(wanted));
  if (kept_.size() > most_places) kept_.pop_back();
  return kept_.front().data;
}

std::uint64_t KeptData::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

}  // namespace dfsweep
