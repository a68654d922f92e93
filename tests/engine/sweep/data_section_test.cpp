/// [data]: where it is looked for, what becomes of CSV files, and what is missing.
#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/sweep/preparation.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/sweep.hpp"

BOOST_AUTO_TEST_SUITE(data_section_test)

using namespace dfsweep;

namespace {

/// An estimator of which only the tables matter: it needs profiles.
class Measured : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "measured"; }
  [[nodiscard]] std::string_view meaning() const override { return "needs data"; }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return {}; }
  [[nodiscard]] std::span<const MetricInfo> metrics() const override { return metrics_; }
  [[nodiscard]] std::span<const StatusInfo> statuses() const override { return {}; }
  [[nodiscard]] std::span<const DataInfo> data() const override { return data_; }
  [[nodiscard]] double seconds_per_point(const SweepValues&) const override { return 1e-6; }
  [[nodiscard]] std::unique_ptr<PreparedSweep> prepare(const SweepValues&) const override { return nullptr; }

 private:
  std::array<MetricInfo, 1> metrics_{{{.name = "time", .unit = "s", .meaning = "time"}}};
  std::array<DataInfo, 1> data_{{{"profiles", "measured times", true}}};
};

constexpr std::string_view wanted_files[] = {"mlp.csv"};

/// The same, but of a folder it reads certain files only, and finds fault with all of them.
class Picky final : public Measured {
 public:
  [[nodiscard]] std::string_view name() const override { return "picky"; }
  [[nodiscard]] std::span<const DataInfo> data() const override { return data_; }
  [[nodiscard]] std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    const Table& table = values.data.at(0).tables->at(0);
    throw InvalidValues({}, {{"profiles", table.path, table.lines[1], "time", "too slow", "2.5 s", "Measure again"},
                             {"profiles", table.path, 2, "", "column is missing", "", ""},
                             {"profiles", table.path, 0, "", "no rows", "", ""}});
  }

 private:
  std::array<DataInfo, 1> data_{{{"profiles", "measured times", true, wanted_files}}};
};

/// A folder with two tables, for one test.
class DataFolder {
 public:
  DataFolder() : path_(std::filesystem::temp_directory_path() / fmt::format("dfsweep_data_{}", ::getpid())) {
    std::filesystem::create_directories(path_ / "profiles" / "a100");
    std::ofstream(path_ / "profiles" / "a100" / "mlp.csv") << "# device a100\nop,time\nup,1e-3\ndown,2.5\n";
    std::ofstream(path_ / "profiles" / "all.csv") << "n\n1\n2\n3\n";
    std::ofstream(path_ / "profiles" / "notes.txt") << "not read";
    std::ofstream(path_ / "bad.csv") << "n,m\n1\n";
  }
  ~DataFolder() { std::filesystem::remove_all(path_); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  [[nodiscard]] SweepSpec read(std::string_view section, SweepReading reading = {},
                               std::string_view estimator = "measured") const {
    static const Measured measured;
    static const Picky picky;
    static const std::array<const Estimator*, 2> known{&measured, &picky};
    reading.estimators = known;
    return read_sweep_text(fmt::format("[sweep]\nname = \"d\"\nestimator = \"{}\"\n{}", estimator, section), "s", path_,
                           reading);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(folders_become_tables_sorted_by_path) {
  const DataFolder folder;
  const SweepSpec spec = folder.read("[data]\nprofiles = \"profiles\"\n");
  BOOST_REQUIRE(spec.values.data.size() == 1);
  const auto& tables = *spec.values.data[0].tables;
  BOOST_REQUIRE(tables.size() == 2);
  BOOST_TEST(tables[0].path == "a100/mlp.csv");
  BOOST_TEST(tables[0].rows() == 2);
  BOOST_TEST(tables[0].lines[0] == 3);
  BOOST_TEST(tables[0].column("op")->texts[1] == "down");
  BOOST_TEST(tables[0].column("time")->numbers[1] == 2.5);
  BOOST_TEST(tables[1].column("n")->numbers.size() == 3);
  BOOST_REQUIRE(spec.inputs.size() == 2);
  BOOST_TEST(spec.inputs[0].name == "profiles/a100/mlp.csv");
}

BOOST_AUTO_TEST_CASE(the_command_line_goes_before_the_file_and_the_file_before_the_environment) {
  const DataFolder folder;
  ::setenv("DFSWEEP_PROFILES", (folder.path() / "profiles" / "a100").c_str(), 1);
  BOOST_TEST(folder.read("").values.data[0].tables->at(0).path == "mlp.csv");
  BOOST_TEST(folder.read("[data]\nprofiles = \"profiles/all.csv\"\n").values.data[0].tables->at(0).path == "all.csv");
  SweepReading reading;
  reading.data = {{"profiles", (folder.path() / "profiles").string()}};
  BOOST_TEST(folder.read("[data]\nprofiles = \"profiles/all.csv\"\n", reading).values.data[0].tables->size() == 2);
  ::unsetenv("DFSWEEP_PROFILES");
}

BOOST_AUTO_TEST_CASE(missing_and_malformed_data_are_errors) {
  const DataFolder folder;
  const auto message = [&](std::string_view section) {
    try {
      static_cast<void>(folder.read(section));
      return std::string("accepted");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
  };
  BOOST_TEST(message("") ==
             "s:1:1: data 'profiles' is missing (measured times). Give it in [data], with --data profiles=PATH or the "
             "environment variable DFSWEEP_PROFILES");
  BOOST_TEST(message("[data]\nprofils = \"x\"\n")
                 .starts_with("s:5:1: unknown data 'profils' (data here: profiles). Did you mean 'profiles'?"));
  BOOST_TEST(message("[data]\nprofiles = 3\n").starts_with("s:5:12: 'profiles' must be a path, not an integer."));
  BOOST_TEST(message("[data]\nprofiles = \"bad.csv\"\n").ends_with("bad.csv:2:1: line has 1 cell (the header has 2)."));
  BOOST_TEST(message("[data]\nprofiles = \"none.csv\"\n").starts_with("s:5:12: data 'profiles' cannot be found"));
}

BOOST_AUTO_TEST_CASE(estimators_may_name_the_files_they_read) {
  const DataFolder folder;
  const SweepSpec spec = folder.read("[data]\nprofiles = \"profiles\"\n", {}, "picky");
  BOOST_REQUIRE(spec.values.data[0].tables->size() == 1);  // not all.csv
  BOOST_TEST(spec.values.data[0].tables->at(0).path == "a100/mlp.csv");
  BOOST_TEST(spec.inputs.size() == 1);
}

BOOST_AUTO_TEST_CASE(what_an_estimator_finds_in_tables_has_a_place_in_the_file) {
  const DataFolder folder;
  const SweepSpec spec = folder.read("[data]\nprofiles = \"profiles\"\n", {}, "picky");
  const std::string file = (folder.path() / "profiles" / "a100" / "mlp.csv").string();
  std::string message;
  try {
    static_cast<void>(prepare(spec));
  } catch (const UserError& error) {
    message = error.what();
  }
  // Line 4 is "down,2.5"; line 1 is a comment and line 2 the header.
  BOOST_TEST(message == file + ": no rows.\n" + file + ":2:1: column is missing.\n" + file +
                            ":4:6: too slow (2.5 s). Measure again");
}

BOOST_AUTO_TEST_CASE(a_pointer_to_a_large_file_is_a_warning_and_no_table) {
  const DataFolder folder;
  const auto pointer = folder.path() / "profiles" / "a100" / "attention.csv";
  std::ofstream(pointer) << "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
  const SweepSpec spec = folder.read("[data]\nprofiles = \"profiles\"\n");
  BOOST_TEST(spec.values.data[0].tables->size() == 2);
  BOOST_TEST(spec.inputs.size() == 3);  // it decides what there is, hence it counts
  BOOST_TEST(warnings_text(spec.warnings) ==
             pointer.string() +
                 ":1:1: warning: the table is not there (this is a pointer of Git Large File Storage to "
                 "it). Fetch it with 'git lfs pull' where the file is from\n");
}

BOOST_AUTO_TEST_CASE(a_last_line_without_end_is_a_warning) {
  const DataFolder folder;
  const auto file = folder.path() / "profiles" / "cut.csv";
  std::ofstream(file) << "n\n10\n2";
  const SweepSpec spec = folder.read("[data]\nprofiles = \"profiles/cut.csv\"\n");
  BOOST_TEST(spec.values.data[0].tables->at(0).rows() == 2);
  BOOST_TEST(warnings_text(spec.warnings) ==
             file.string() + ":3:1: warning: the last line does not end (the file may have been cut off).\n");
}

BOOST_AUTO_TEST_SUITE_END()
