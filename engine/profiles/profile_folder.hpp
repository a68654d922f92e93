/// ProfileFolder: a folder of measured tables, read and checked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep {

struct ProfileFolder {
  std::vector<Table> tables;
  inference::ProfileSet profiles;  ///< of `tables`
  std::vector<InputFile> inputs;   ///< the files read, with their checksums
  std::string warnings;            ///< lines with positions

  [[nodiscard]] std::size_t rows() const;

  ProfileFolder() = default;
  ProfileFolder(const ProfileFolder&) = delete;
  ProfileFolder& operator=(const ProfileFolder&) = delete;
  ProfileFolder(ProfileFolder&&) = default;
};

/// Times of devices that the catalogue knows are checked against their rates. Throws UserError with every problem
/// found.
[[nodiscard]] ProfileFolder read_profile_folder(const std::filesystem::path& path, const Catalogue& catalogue,
                                                unsigned threads);

}  // namespace dfsweep
