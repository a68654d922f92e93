/// Former spellings: what a sweep that names a convention means today, and which sweeps are ambiguous.
#include "engine/sweep/former_spellings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "engine/sweep/estimators.hpp"
#include "engine/sweep/preparation.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/toml.hpp"
#include "models/place_of_name.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(former_spellings_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

/// An estimator of which only the name and one parameter matter.
class Named final : public Estimator {
 public:
  Named(std::string_view name, std::string_view parameter) : name_(name) { parameter_.name = parameter; }
  std::string_view name() const override { return name_; }
  std::string_view meaning() const override { return ""; }
  std::uint32_t version() const override { return 1; }
  std::span<const ParameterInfo> parameters() const override { return {&parameter_, 1}; }
  std::span<const MetricInfo> metrics() const override { return {}; }
  std::span<const StatusInfo> statuses() const override { return {}; }
  double seconds_per_point(const SweepValues&) const override { return 0.0; }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues&) const override { return nullptr; }

 private:
  std::string_view name_;
  ParameterInfo parameter_;
};

const Named training("training", "model");
const Named calculon("calculon", "model");
const Named serving("serving", "model");
const Named serving_with_convention("serving", "convention");
const Named serving_study("serving_study", "model");

/// A folder with the point list p.csv, for one test.
class PointFolder {
 public:
  explicit PointFolder(std::string_view points)
      : path(std::filesystem::temp_directory_path() / fmt::format("dfsweep_former_{}", ::getpid())) {
    std::filesystem::create_directories(path);
    std::ofstream(path / "p.csv") << points;
  }
  ~PointFolder() { std::filesystem::remove_all(path); }
  PointFolder(const PointFolder&) = delete;
  PointFolder& operator=(const PointFolder&) = delete;
  const std::filesystem::path path;
};

Document sweep(std::string_view estimator, std::string_view sections) {
  return parse_toml(fmt::format("[sweep]\nestimator = '{}'\n{}\n", estimator, sections), "s.toml");
}

const std::string& estimator_of(const CurrentSpelling& current) {
  return *current.sweep.find("sweep")->table()->find("estimator")->text();
}

struct Replaced {
  const char* why;
  const char* estimator;
  const char* sections;
  const char* points;  ///< content of p.csv
  const char* now;
  const char* note;  ///< empty if no note is expected
};

const Replaced replaced[] = {
    {"a fixed value", "training", "[parameters]\nconvention = 'calculon'", "", "calculon",
     "s.toml:4:1: estimator = \"calculon\" is the new spelling of convention = \"calculon\" of training."},
    {"the only one that is left", "training", "[parameters]\nconvention = 'physical'", "", "training",
     "s.toml:4:1: convention = \"physical\" can be left out (training has no other)."},
    {"an axis of one value", "training", "[parameters]\nconvention = ['calculon']", "", "calculon",
     "s.toml:4:1: estimator = \"calculon\" is the new spelling of convention = \"calculon\" of training."},
    {"a linked axis of one value", "training", "[[together]]\nconvention = ['calculon', 'calculon']\nseed = [1, 2]", "",
     "calculon", "s.toml:4:1: estimator = \"calculon\" is the new spelling of convention = \"calculon\" of training."},
    {"the new spelling of both", "calculon", "[parameters]\nconvention = 'calculon'", "", "calculon",
     "s.toml:4:1: convention = \"calculon\" can be left out (calculon has no other)."},
    {"a column", "training", "[points]\nfile = 'p.csv'", "model,convention\na,calculon\nb,calculon\n", "calculon",
     "p.csv:2:3: estimator = \"calculon\" is the new spelling of convention = \"calculon\" of training."},
    {"an empty cell was the default", "training", "[points]\nfile = 'p.csv'", "model,convention\na,\nb,physical\n",
     "training", "p.csv:2:3: convention = \"physical\" can be left out (training has no other)."},
    {"a list without the column", "training", "[points]\nfile = 'p.csv'", "model\na\n", "training", ""},
    {"no list", "training", "[points]\nfile = 'other.csv'", "model\na\n", "training", ""},
    {"no convention", "training", "[parameters]\nseed = 1", "", "training", ""},
    {"an unknown convention", "training", "[parameters]\nconvention = 'calculo'", "", "training", ""},
    {"not a text", "training", "[parameters]\nconvention = 3", "", "training", ""},
    {"an unknown estimator", "trainning", "[parameters]\nconvention = 'calculon'", "", "trainning", ""},
    {"the study of serving", "serving", "[parameters]\nconvention = 'dfmodel'", "", "serving_study",
     "s.toml:4:1: estimator = \"serving_study\" is the new spelling of convention = \"dfmodel\" of serving."},
};

struct Mixed {
  const char* why;
  const char* sections;
  const char* points;
  const char* message;
};

const Mixed mixed[] = {
    {"an axis", "[parameters]\nconvention = ['calculon', 'physical']", "",
     "s.toml:4:1: convention = \"physical\" beside \"calculon\" (they are two estimators now, training and calculon). "
     "Write a sweep for each"},
    {"a column", "[points]\nfile = 'p.csv'", "convention,model\nphysical,a\ncalculon,a\n",
     "p.csv:3:1: convention = \"calculon\" beside \"physical\" (they are two estimators now, calculon and training). "
     "Write a sweep for each"},
};

}  // namespace

BOOST_DATA_TEST_CASE(conventions_become_estimators, bdata::make(replaced)) {
  const std::array<const Estimator*, 4> known{&training, &calculon, &serving, &serving_study};
  const PointFolder folder(sample.points);
  const CurrentSpelling current = in_current_spelling(sweep(sample.estimator, sample.sections), folder.path, known);
  BOOST_TEST(estimator_of(current) == sample.now);
  const bool is_replaced = *sample.note != '\0';
  BOOST_TEST_REQUIRE(current.notes.size() == (is_replaced ? 1u : 0u));
  for (const Problem& note : current.notes) {
    const std::string text = to_string(note);
    BOOST_TEST(text.ends_with(sample.note), text);
  }
  const Node* parameters = current.sweep.find("parameters");
  const bool is_left = parameters != nullptr && parameters->table()->find("convention") != nullptr;
  BOOST_TEST(is_left == (!is_replaced && std::string_view(sample.sections).find("convention") != std::string::npos));
}

BOOST_DATA_TEST_CASE(sweeps_of_two_estimators_are_refused, bdata::make(mixed)) {
  const std::array<const Estimator*, 2> known{&training, &calculon};
  const PointFolder folder(sample.points);
  try {
    static_cast<void>(in_current_spelling(sweep("training", sample.sections), folder.path, known));
    BOOST_ERROR("accepted");
  } catch (const UserError& error) {
    BOOST_TEST(std::string(error.what()).ends_with(sample.message), error.what());
  }
}

BOOST_AUTO_TEST_CASE(estimators_that_have_conventions_keep_them) {
  const std::array<const Estimator*, 2> with{&serving_with_convention, &serving_study};
  const CurrentSpelling kept = in_current_spelling(sweep("serving", "[parameters]\nconvention = 'dfmodel'"), ".", with);
  BOOST_TEST(estimator_of(kept) == "serving");
  BOOST_TEST(kept.notes.empty());
  const std::array<const Estimator*, 1> alone{&serving};
  BOOST_TEST(estimator_of(in_current_spelling(sweep("serving", "[parameters]\nconvention = 'dfmodel'"), ".", alone)) ==
             "serving");
}

struct Unread {
  const char* why;
  const char* line;  ///< a line of [parameters]
  bool is_left;
};

const Unread unread[] = {
    {"a default of the other estimator", "context_parallel = 1", false},
    {"as a real number", "recomputed_layers = 1.0", false},
    {"a choice", "schedule = 'one_forward_one_backward'", false},
    {"not the default", "context_parallel = 2", true},
    {"another choice", "schedule = 'dual_pipe'", true},
    {"a parameter of both", "recompute = 'none'", true},
    {"a parameter of neither", "contxt_parallel = 1", true},
};

BOOST_DATA_TEST_CASE(defaults_that_the_convention_did_not_read_are_left_out, bdata::make(unread)) {
  const std::string sections = fmt::format("[parameters]\nconvention = 'calculon'\n{}", sample.line);
  const CurrentSpelling current = in_current_spelling(sweep("training", sections), ".", estimators());
  BOOST_TEST(estimator_of(current) == "calculon");
  BOOST_TEST(current.sweep.find("parameters")->table()->members.size() == (sample.is_left ? 1u : 0u));
}

namespace {

struct RenamedList {
  const char* why;
  const char* sections;
  const char* points;
  bool is_renamed;
};
const RenamedList renamed_lists[] = {
    {"a list of requests", "[parameters]\nrequests = '8xd1@1000'", "", true},
    {"an axis", "[parameters]\nrequests = ['8xd1@1000', 'p5@0']", "", true},
    {"a linked axis", "[[together]]\nrequests = ['d1@1', 'd1@2']\nseed = [1, 2]", "", true},
    {"a column, with an empty cell", "[points]\nfile = 'p.csv'", "model,requests\na,d1@5\nb,\n", true},
    {"a number", "[parameters]\nrequests = 100", "", false},
    {"a column of numbers", "[points]\nfile = 'p.csv'", "model,requests\na,100\n", false},
    {"the new name", "[parameters]\nbatch_requests = 'd1@5'", "", false},
};

}  // namespace

BOOST_AUTO_TEST_CASE(lists_of_requests_have_a_new_name) {
  const Named profiled("profiled", "requests");
  const std::array<const Estimator*, 1> known{&profiled};
  for (const RenamedList& sample : renamed_lists) {
    const PointFolder folder(sample.points);
    const CurrentSpelling current = in_current_spelling(sweep("profiled", sample.sections), folder.path, known);
    BOOST_TEST(current.notes.size() == (sample.is_renamed ? 1u : 0u), sample.why);
    const bool is_column = std::string_view(sample.points).starts_with("model");
    BOOST_TEST(current.renamed_columns.size() == (sample.is_renamed && is_column ? 1u : 0u), sample.why);
    if (is_column || current.sweep.find("parameters") == nullptr) continue;
    const bool has_old = current.sweep.find("parameters")->table()->find("requests") != nullptr;
    const bool is_number = std::string_view(sample.sections).ends_with("100");
    BOOST_TEST(has_old == is_number, sample.why);
  }
}

BOOST_AUTO_TEST_CASE(users_of_replicas_are_noted) {
  const std::array<const Estimator*, 1> known{&serving};
  const auto notes = [&](const char* sections) {
    return in_current_spelling(sweep("serving", sections), {}, known).notes.size();
  };
  BOOST_TEST(notes("[parameters]\nconcurrency = 64\ndevice_count = 16") == 1u);
  BOOST_TEST(notes("[parameters]\nconcurrency = 64") == 0u);  // of one replica
  BOOST_TEST(notes("[parameters]\ndevice_count = 16") == 0u);
}

// One link is not all links of a device where there is no switch, which an entry or a topology decides.
BOOST_AUTO_TEST_CASE(links_of_devices_are_noted) {
  const std::array<const Estimator*, 1> known{&serving};
  const auto notes = [&](const char* estimator, const char* sections) {
    return in_current_spelling(sweep(estimator, sections), {}, known).notes.size();
  };
  BOOST_TEST(notes("serving", "[parameters]\nlink_bandwidth = '1 GB/s'\nsystem = 'gaudi3'") == 1u);
  BOOST_TEST(notes("training", "[parameters]\nlink_bandwidth = '1 GB/s'\nnode_links = 'direct'") == 1u);
  BOOST_TEST(notes("training", "[parameters]\nlink_bandwidth = '1 GB/s'\ndevice = 'h100-80g'") == 0u);  // a switch
  BOOST_TEST(notes("training", "[parameters]\ndevice_link_bandwidth = '1 GB/s'\nsystem = 'gaudi3'") == 0u);
  BOOST_TEST(notes("dataflow", "[parameters]\nlink_bandwidth = '1 GB/s'\ntopology = 'ring'") == 0u);
}

// From the file to the specification: the sweep gets the other estimator, and users see the note.
BOOST_AUTO_TEST_CASE(former_sweeps_are_read) {
  const SweepSpec spec = read_sweep_text(
      "[sweep]\nname = 'former'\nestimator = 'training'\n[parameters]\nmodel = 'gpt3-13b'\nsystem = 'a100_80g'\n"
      "device_count = 8\nmax_batch = 8\ntensor_network = 1\nconvention = 'calculon'\n",
      "s.toml", ".", {});
  BOOST_TEST(spec.estimator->name() == "calculon");
  BOOST_TEST(
      notes_text(spec) ==
      "s.toml:10:1: note: estimator = \"calculon\" is the new spelling of convention = \"calculon\" of training.\n");
  try {
    static_cast<void>(
        read_sweep_text("[sweep]\nname = 'former'\nestimator = 'training'\n[parameters]\nmodel = 'gpt3-13b'\n"
                        "system = 'a100_80g'\ndevice_count = 8\nmax_batch = 8\ntensor_network = 1\n",
                        "s.toml", ".", {}));
    BOOST_ERROR("accepted");
  } catch (const UserError& error) {
    std::string text;
    for (const Problem& found : error.problems) text += found.problem + " " + found.reason + " " + found.hint + "\n";
    BOOST_TEST(text.find("unknown parameter 'tensor_network'") != std::string::npos, text);
    BOOST_TEST(text.find("Estimator 'calculon' has it") != std::string::npos, text);
    BOOST_TEST(text.find("it is one of calculon_systems, not of systems") != std::string::npos, text);
  }
}

BOOST_AUTO_TEST_CASE(software_brings_its_engine) {
  const SweepSpec spec = read_sweep_text(
      "[sweep]\nname = 'engine'\nestimator = 'serving'\n[parameters]\nmodel = 'llama3-8b'\nsystem = 'dgx-h100'\n"
      "software = 'sglang'\n",
      "engine.toml", {}, {});
  const auto place = place_of_name(spec.estimator->parameters(), "software");
  BOOST_TEST_REQUIRE(place.has_value());
  const Entry& software = *spec.values.parameters[*place].values.front().entry;
  BOOST_TEST_REQUIRE(software.parts.count("engine") == 1u);
  BOOST_TEST(software.parts.at("engine").front().name == "sglang");
  const auto is_engine = [](const InputFile& file) { return file.name.ends_with("engines/sglang.toml"); };
  BOOST_TEST(std::count_if(spec.inputs.begin(), spec.inputs.end(), is_engine) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
