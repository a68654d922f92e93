/// `dfsweep import KIND FILE... -o OUT`: files of other programs as catalogue entries and point lists.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "engine/foreign/imported_files.hpp"

namespace dfsweep {

struct ImportCalculonOptions {
  std::vector<std::filesystem::path>
      files;                     ///< models, systems and executions (JSON), tables of models or systems (CSV)
  std::filesystem::path rows;    ///< table of executions (CSV); empty: none
  std::filesystem::path output;  ///< folder of a catalogue; with rows alone the file of the point list
  std::string model;             ///< of executions in `files`
  std::string system;            ///< of executions in `files`
  foreign::Existing existing = foreign::Existing::keep;
  Verbosity verbosity = Verbosity::normal;
};

/// Models and systems become OUT/models/NAME.toml and OUT/calculon_systems/NAME.toml, executions one list
/// OUT/points.csv. Everything is read before anything is written, and no entry is overwritten with another text unless
/// `existing` says so. Throws UsageError, UserError, IoError.
[[nodiscard]] ExitStatus run_import_calculon(const ImportCalculonOptions& options);

struct ImportHuggingfaceOptions {
  std::filesystem::path config;  ///< config.json of a model
  std::filesystem::path output;  ///< folder of a catalogue
  std::string model;  ///< name of the entry; empty: as the file names the model, else of the file or its folder
  foreign::Existing existing = foreign::Existing::keep;
  Verbosity verbosity = Verbosity::normal;
};

/// The model becomes OUT/models/NAME.toml, which is not overwritten with another text unless `existing` says so. Throws
/// UsageError, UserError, IoError.
[[nodiscard]] ExitStatus run_import_huggingface(const ImportHuggingfaceOptions& options);

struct ImportMeasuredOptions {
  std::vector<std::filesystem::path> files;  ///< one table of measured rows (CSV), or results of load generators
  std::filesystem::path output;  ///< point list; notes and models that the catalogue lacks are written beside it
  std::vector<std::pair<std::string, std::string>> settings;  ///< parameters that all results of load generators share
  std::vector<std::filesystem::path> catalogues;              ///< further folders of the catalogue
  foreign::Existing existing = foreign::Existing::keep;       ///< what happens to models with other numbers
  Verbosity verbosity = Verbosity::normal;
};

/// Rows become points of the estimator `training` or `serving`: OUT, OUT with the ending .measured.csv (the points
/// again with what was measured, for calibrate), OUT with the ending .notes.csv (what was assumed, and what cannot be
/// expressed) and models/NAME.toml beside it. Throws UsageError, UserError, IoError.
[[nodiscard]] ExitStatus run_import_measured(const ImportMeasuredOptions& options);

struct ImportLaunchOptions {
  std::vector<std::filesystem::path> files;                   ///< scripts with command lines, TOML or YAML files
  std::filesystem::path output;                               ///< point list
  std::vector<std::pair<std::string, std::string>> settings;  ///< parameters; they replace what files say
  std::vector<std::filesystem::path> catalogues;              ///< further folders of the catalogue
  Verbosity verbosity = Verbosity::normal;
};

/// Flags of a program that trains (entries of "trainers") become points of the estimator `training`, a line for each
/// file. Throws UsageError, UserError, IoError.
[[nodiscard]] ExitStatus run_import_launch(const ImportLaunchOptions& options);

}  // namespace dfsweep
