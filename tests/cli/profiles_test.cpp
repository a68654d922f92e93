/// `dfsweep profiles`: tables are made, read back, validated and refused.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "io/json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(profiles_test)

namespace {

ProgramResult profiles(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "profiles");
  return run_program(DFSWEEP_PROGRAM, arguments);
}

/// A folder of small generated tables, removed at the end.
class Tables {
 public:
  Tables() : scratch_("tables") {
    const ProgramResult made =
        profiles({folder(), "--generate", "--devices", "h100", "--models", "microsoft/phi-2", "--degrees", "1,3,4",
                  "--tokens", "256", "--networks", "h100_dgx", "--interconnect", "nvlink4", "--json"});
    BOOST_TEST_REQUIRE(made.status == 0, made.err);
    BOOST_TEST(parse_json(made.out).at("written").array().size() == 4);
  }
  ~Tables() { std::filesystem::remove_all(folder()); }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;
  [[nodiscard]] std::string folder() const { return scratch_.path().string(); }
  [[nodiscard]] std::filesystem::path layer() const { return scratch_.path() / "compute/h100/microsoft/phi-2/mlp.csv"; }

 private:
  ScratchFile scratch_;
};

BOOST_AUTO_TEST_CASE(what_was_made_is_found) {
  const Tables tables;
  const ProgramResult listed = profiles({tables.folder(), "--json"});
  BOOST_TEST_REQUIRE(listed.status == 0, listed.err);
  BOOST_TEST(listed.err == "");
  const Json json = parse_json(listed.out);
  BOOST_REQUIRE(json.at("layers").array().size() == 2);  // 32 heads cannot be shared out over 3 devices
  const Json& layer = json.at("layers").array()[1];
  BOOST_TEST(layer.at("model").text() == "microsoft/phi-2");
  BOOST_TEST(layer.at("tensor_parallel").whole() == 4);
  BOOST_TEST(layer.at("operators").array().size() == 12);
  BOOST_TEST(json.at("networks").array().size() == 5);  // sums among 2, 4 and 8, transfers in a node and between nodes
  BOOST_TEST(json.at("holes").array().empty());
  BOOST_TEST(json.find("cross_validation") == nullptr);
  BOOST_TEST(profiles({tables.folder()}).out.find("h100_dgx") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(validation_does_not_depend_on_the_number_of_threads) {
  const Tables tables;
  const ProgramResult one = profiles({tables.folder(), "--validate", "--json", "--threads", "1"});
  BOOST_TEST_REQUIRE(one.status == 0, one.err);
  const Json json = parse_json(one.out);
  BOOST_TEST(json.at("cross_validation").at("operators").array().size() == 14);
  BOOST_TEST(profiles({tables.folder(), "--validate", "--json", "--threads", "3"}).out == one.out);
}

BOOST_AUTO_TEST_CASE(existing_tables_stay) {
  const Tables tables;
  const ProgramResult again = profiles(
      {tables.folder(), "--generate", "--devices", "h100", "--models", "microsoft/phi-2,meta-llama/Llama-2-7b-hf"});
  BOOST_TEST(again.status == 2);
  BOOST_TEST(again.err.find("mlp.csv exists; generated tables never replace existing tables") != std::string::npos,
             again.err);
  BOOST_TEST(!std::filesystem::exists(std::filesystem::path(tables.folder()) / "compute/h100/meta-llama"));
}

BOOST_AUTO_TEST_CASE(defects_end_with_status_three_and_a_position) {
  const Tables tables;
  std::ofstream(tables.layer(), std::ios::app) << "1,2,3\n";
  const ProgramResult torn = profiles({tables.folder()});
  BOOST_TEST(torn.status == 3);
  BOOST_TEST(torn.out == "");
  BOOST_TEST(torn.err.find("mlp.csv:") != std::string::npos);
  BOOST_TEST(torn.err.find(":1: line has 3 cells (the header has 53).") != std::string::npos, torn.err);

  std::ofstream(tables.layer()) << "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n";
  const ProgramResult pointer = profiles({tables.folder(), "--json"});
  BOOST_TEST(pointer.status == 0);
  BOOST_TEST(pointer.err.find("mlp.csv:1:1: warning: the table is not there") != std::string::npos, pointer.err);
  BOOST_TEST(parse_json(pointer.out).at("holes").array().size() == 1);
}

// Below compute/ the paths of tables say neither device nor model; a file is no folder.
BOOST_AUTO_TEST_CASE(folders_inside_the_layout_and_files_are_refused) {
  const Tables tables;
  const ProgramResult inside = profiles({(std::filesystem::path(tables.folder()) / "compute").string()});
  BOOST_TEST(inside.status == 3);
  BOOST_TEST(inside.out.empty());
  BOOST_TEST(inside.err.find("no measured tables in their places (") != std::string::npos, inside.err);
  const ProgramResult file = profiles({tables.layer().string()});
  BOOST_TEST(file.status == 3);
  BOOST_TEST(file.err.ends_with(": not a folder. Give the folder that holds compute/ and network/\n"), file.err);
}

BOOST_AUTO_TEST_CASE(folders_and_options_that_make_no_sense_are_refused) {
  const ScratchFile none("none");
  BOOST_TEST(profiles({none.path().string()}).status == 74);
  std::filesystem::create_directories(none.path());
  const ProgramResult empty = profiles({none.path().string()});
  BOOST_TEST(empty.status == 3);
  BOOST_TEST(empty.err.find("no measured tables here") != std::string::npos);
  const std::string folder = none.path().string();
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {folder, "--generate"},
           {folder, "--generate", "--devices", "h100"},
           {folder, "--generate", "--devices", "h1000", "--models", "microsoft/phi-2"},
           {folder, "--generate", "--devices", "sn10", "--models", "microsoft/phi-2"},
           {folder, "--generate", "--devices", "h100", "--models", "dlrm-793b"},
           {folder, "--generate", "--networks", "h100_dgx"},
           {folder, "--generate", "--devices", "h100", "--models", "microsoft/phi-2", "--degrees", "0"},
           {folder, "--generate", "--validate", "--devices", "h100", "--models", "microsoft/phi-2"},
           {folder, "--models", "microsoft/phi-2"}}) {
    const ProgramResult refused = profiles(arguments);
    BOOST_TEST(refused.status == 2, refused.err);
    BOOST_TEST(std::filesystem::is_empty(none.path()));
  }
  std::filesystem::remove_all(none.path());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
