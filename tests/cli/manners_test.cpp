/// Conventions of the command line: help, version, mistyped arguments, and standard output that cannot be written.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/program_under_test.hpp"
#include "tests/support/named_rows.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(manners_test)

namespace {

const std::vector<std::string> commands = {"plan",    "run",    "slurm",  "status",   "verify",   "publish", "show",
                                           "explain", "report", "export", "describe", "profiles", "product"};

BOOST_DATA_TEST_CASE(help_ends_with_two_examples, boost::unit_test::data::make(commands), command) {
  const ProgramResult result = dfsweep({command, "--help"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "");
  BOOST_TEST(contains(result.out, "Usage: dfsweep " + command + " "));
  const std::size_t examples = result.out.find("Examples:\n");
  BOOST_REQUIRE(examples != std::string::npos);
  std::istringstream lines(result.out.substr(examples));
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) count += contains(line, "  ") && contains(line, "dfsweep " + command) ? 1 : 0;
  BOOST_TEST(count == 2);
  BOOST_TEST(dfsweep({"help", command}).out == result.out);
}

BOOST_AUTO_TEST_CASE(the_program_says_what_it_is) {
  BOOST_TEST(dfsweep({"--version"}).out.starts_with("dfsweep 0."));
  const ProgramResult citation = dfsweep({"--cite"});
  BOOST_TEST(citation.status == 0);
  BOOST_TEST(contains(citation.out, "@software{"));
  const ProgramResult help = dfsweep({"--help"});
  for (const std::string& command : commands) BOOST_TEST(contains(help.out, "\n  " + command + " "));
}

struct Mistake {
  const char* why;
  std::vector<std::string> arguments;
  int status;
  const char* message;
};

const Mistake mistakes[] = {
    {"no command", {}, 2, "no command"},
    {"mistyped command", {"shwo", "x"}, 2, "unknown command 'shwo'. Did you mean 'show'?"},
    {"unknown command", {"frobnicate"}, 2, "Commands: plan, run,"},
    {"mistyped option", {"show", "x", "--bets", "y"}, 2, "unknown option '--bets'. Did you mean '--best'?"},
    {"mistyped option with a value", {"show", "x", "--colums=y"}, 2, "Did you mean '--columns'?"},
    {"option of another tool", {"run", "x.toml", "-o", "y"}, 2, "unknown option '-o'. Did you mean '--out'?"},
    {"option that is longer here", {"report", "x", "--out", "y"}, 2, "Did you mean '--output'?"},
    {"letter of several options", {"run", "x.toml", "-t", "3"}, 2, "Did you mean one of --threads, --time-limit?"},
    {"option of another command", {"show", "x", "--threads", "2"}, 2, "unknown option '--threads'"},
    {"one argument too many", {"status", "x", "y"}, 2, "unexpected argument 'y'"},
    {"missing argument", {"show"}, 2, "FILE|DIR is required"},
    {"missing value", {"show", "x", "--best"}, 2, "--best"},
    {"not a number", {"show", "x", "--top", "few"}, 2, "--top: must be a whole number of at least 1, not few."},
    {"zero rows", {"show", "x", "--top", "0"}, 2, "--top: must be a whole number of at least 1, not 0."},
    {"fewer than no failures", {"run", "x", "--max-failures", "-1"}, 2, "at least 0, not -1."},
    {"a point before the first", {"explain", "x", "--point", "-1"}, 2, "--point: must be a whole number"},
    {"a format that is not there", {"export", "x", "--format", "xls"}, 2, "--format: must be csv"},
    {"a catalogue that is not there", {"plan", "x", "--catalogue", "/nonexistent"}, 2, "/nonexistent"},
    {"a bad part", {"run", "x", "--part", "4/3"}, 2, "--part"},
    {"a bad time of a job", {"slurm", "x", "--time", "soon"}, 2, "--time"},
    {"a job without time", {"slurm", "x", "--time", "0"}, 2, "--time"},
    {"a sweep that does not reach the job", {"slurm", "-"}, 2, "must be a file"},
    {"a partition that Slurm cannot have", {"slurm", "x", "--partition", "a b"}, 2, "'a b' cannot be"},
    {"waiting for what is not a job", {"slurm", "x", "--after", "me"}, 2, "as in --after 4711"},
    {"parts with ranks", {"slurm", "x", "--array", "2", "--ranks", "2"}, 2, "exclude each other"},
    {"an unknown launcher", {"slurm", "x", "--launcher", "ssh"}, 2, "mpirun or srun"},
    {"a bad time", {"run", "x", "--time-limit", "soon"}, 2, "--time-limit"},
    {"two ways to fail", {"run", "x", "--fail-fast", "--max-failures", "3"}, 2, "--fail-fast"},
    {"control characters are not echoed", {"\x1b[31m"}, 2, "unknown command '\\x1b[31m'"},
    {"no such file", {"show", "/nonexistent/result.h5"}, 74, "/nonexistent/result.h5"},
    {"no such sweep", {"plan", "/nonexistent/sweep.toml"}, 74, "cannot open /nonexistent/sweep.toml"},
    {"not a result file", {"show", DFSWEEP_SOURCE_DIR "/CMakeLists.txt"}, 4, "is not a result file"},
    {"no such run directory", {"status", "/nonexistent/run"}, 74, "cannot open /nonexistent/run"},
    {"no such folder of tables", {"profiles", "/nonexistent/tables"}, 74, "cannot open /nonexistent/tables"},
    {"a value for a flag", {"show", "x", "--json=file"}, 2, "--json takes no value."},
    {"a page without a name", {"report", "x"}, 2, "--output is required"},
    {"half a front", {"report", "x", "-o", "x.html", "--pareto", "step_time"}, 2, "--pareto needs two metrics"},
    {"three results", {"report", "x", "y", "z", "-o", "x.html"}, 2, "At Most 2"},
    {"not a colour mode", {"show", "x", "--color", "red"}, 2, "--color: must be auto, always or never, not red."},
    {"only a mistyped option", {"plan", "--jsn"}, 2, "unknown option '--jsn'. Did you mean '--json'?"},
    {"too few tokens",
     {"profiles", "x", "--generate", "--tokens", "3"},
     2,
     "--tokens: must be a number from 64 to 1048576, not 3."},
    {"a seed below zero", {"profiles", "x", "--generate", "--seed", "-1"}, 2, "--seed: must be a whole number"},
    {"an entry for an estimator", {"describe", "h100"}, 2, "'dfsweep describe catalogue devices h100' shows it"},
    {"an entry for a kind", {"describe", "catalogue", "h100"}, 2, "'dfsweep describe catalogue devices h100' shows it"},
    {"a word behind an estimator",
     {"describe", "dataflow", "x"},
     2,
     "'dataflow' has no parameter, metric or status 'x'"},
    {"a run in the root", {"run", DFSWEEP_SOURCE_DIR "/sweeps/quickstart.toml", "--out", "/"}, 2, "root of the file"},
    {"not a run directory", {"status", DFSWEEP_SOURCE_DIR "/sweeps"}, 4, "sweeps"},
};

BOOST_DATA_TEST_CASE(mistakes_are_explained_on_standard_error, boost::unit_test::data::make(mistakes), mistake) {
  const ProgramResult result = dfsweep(mistake.arguments);
  BOOST_TEST(result.status == mistake.status);
  BOOST_TEST(result.out == "");
  BOOST_TEST(contains(result.err, mistake.message), result.err);
  BOOST_TEST(!contains(result.err, "\x1b"));
}

BOOST_AUTO_TEST_CASE(a_run_does_not_follow_a_link_to_nothing) {
  const ScratchFile link("link");
  std::filesystem::create_symlink("/nonexistent/folder", link.path());
  const ProgramResult result =
      dfsweep({"run", DFSWEEP_SOURCE_DIR "/sweeps/quickstart.toml", "--out", link.path().string()});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(contains(result.err, "is a symbolic link to /nonexistent/folder, which does not exist"), result.err);
}

BOOST_AUTO_TEST_CASE(fields_of_shared_entries_name_their_readers) {
  const std::string software = dfsweep({"describe", "catalogue", "software", "--json"}).out;
  BOOST_TEST(contains(software, "\"readers\": \"training, serving\""), software.substr(0, 2000));
  BOOST_TEST(contains(software, "\"readers\": \"serving\""));
  BOOST_TEST(!contains(dfsweep({"describe", "catalogue", "memories", "--json"}).out, "readers"));
}

BOOST_AUTO_TEST_CASE(errors_of_a_sweep_file_have_positions) {
  const ProgramSetting setting{
      .input = "[sweep]\nname = \"x\"\nestimator = \"dataflow\"\n[parameters]\ndevise = \"h100\"\n"};
  const ProgramResult result = dfsweep({"plan", "-"}, setting);
  BOOST_TEST(result.status == 3);
  BOOST_TEST(contains(result.err, ":5:1: unknown"), result.err);
  BOOST_TEST(contains(result.err, "Did you mean 'device'?"), result.err);
}

BOOST_AUTO_TEST_CASE(rates_of_a_sweep_file_have_the_unit_that_tables_print) {
  const auto planned = [](const std::string& rate) {
    return dfsweep(
        {"plan", "-"},
        {.input = "[sweep]\nname = \"x\"\nestimator = \"serving\"\n[parameters]\nmodel = \"llama3-8b\"\n"
                  "system = \"dgx-h100\"\nprompt_tokens = 100\noutput_tokens = 10\nqueueing = \"simulated\"\n"
                  "arrival_rate = \"" +
                  rate + "\"\n"});
  };
  for (const char* rate : {"5 /s", "5 1/s", "5 Hz"}) BOOST_TEST(planned(rate).status == 0, planned(rate).err);
  for (const char* rate : {"5 /B", "5 s", "5 /"}) BOOST_TEST(planned(rate).status == 3, rate);
}

BOOST_AUTO_TEST_CASE(errors_of_an_own_chip_are_placed_in_its_file) {
  const ScratchFile scratch("chips");
  std::filesystem::create_directories(scratch.path());
  std::ofstream(scratch.path() / "mychip.toml") << "peak_flops = \"-600 TFLOP/s\"\npower = \"300 USD\"\n";
  std::ofstream(scratch.path() / "other.json") << "{\n  \"cores\": 100,\n  \"prize\": 3\n}\n";
  std::ofstream(scratch.path() / "s.toml")
      << "[sweep]\nname = \"own\"\nestimator = \"dataflow\"\n[parameters]\nmodel = \"gpt3-1t\"\n"
         "device = [\"sn30\", \"mychip.toml\", \"other.json\"]\nmemory = \"hbm3\"\ntopology = \"ring\"\n"
         "interconnect = \"nvlink4\"\ndevice_count = 64\nmaping = \"best\"\n";
  for (const char* command : {"plan", "run"}) {
    const ProgramResult result = dfsweep({command, "s.toml"}, {.folder = scratch.path()});
    BOOST_TEST(result.status == 3);
    BOOST_TEST(result.out == "");
    BOOST_TEST(
        result.err ==
        "mychip.toml:1:14: 'peak_flops' is negative (a positive number is needed).\n"
        "mychip.toml:2:9: power = '300 USD' has the wrong unit (expected W, got USD).\n"
        "other.json:1:1: 'peak_flops' is missing (a device needs it, or all of cores, systolic_width, "
        "systolic_height, frequency; named at s.toml:6:34). 'dfsweep describe catalogue devices' lists the fields\n"
        "other.json:3:3: unknown field 'prize' (devices have no such field). Did you mean 'price'?\n"
        "s.toml:11:1: unknown parameter 'maping' in [parameters] (estimator 'dataflow' has no such parameter). "
        "Did you mean 'mapping'?\n");
  }
}

struct Output {
  const char* why;
  OutputTo output;
  int status;
  const char* message;
};

const Output outputs[] = {
    {"the reader is gone: no message", OutputTo::broken_pipe, 74, ""},
    {"the disk is full", OutputTo::full_disk, 74, "standard output"},
    {"standard output is closed", OutputTo::closed, 74, "standard output"},
};

BOOST_DATA_TEST_CASE(output_that_is_lost_is_an_error, boost::unit_test::data::make(outputs), output) {
  const ScratchFile scratch("result.h5");
  nine_rows().write(scratch.path());
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show", scratch.path()}, {"export", scratch.path(), "-o", "-"}, {"--help"}}) {
    const ProgramResult result = dfsweep(arguments, {.output = output.output});
    BOOST_TEST(result.status == output.status);
    BOOST_TEST(contains(result.err, output.message), result.err);
    if (std::string(output.message).empty()) BOOST_TEST(result.err == "");
  }
}

BOOST_AUTO_TEST_CASE(colour_is_for_terminals_and_for_those_who_force_it) {
  const ScratchFile scratch("result.h5");
  nine_rows().write(scratch.path());
  const auto shows_colour = [&](const ProgramSetting& setting, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"show", scratch.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return contains(dfsweep(arguments, setting).out, "\x1b[");
  };
  BOOST_TEST(!shows_colour({}));
  BOOST_TEST(shows_colour({.environment = {{"FORCE_COLOR", "1"}}}));
  BOOST_TEST(shows_colour({.environment = {{"CLICOLOR_FORCE", "1"}}}));
  BOOST_TEST(!shows_colour({.environment = {{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}}));
  BOOST_TEST(shows_colour({.environment = {{"NO_COLOR", "1"}}}, {"--color", "always"}));
  BOOST_TEST(!shows_colour({.environment = {{"FORCE_COLOR", "1"}}}, {"--color=never"}));
}

BOOST_AUTO_TEST_CASE(the_locale_changes_nothing) {
  const ScratchFile scratch("result.h5");
  nine_rows().write(scratch.path());
  const std::vector<std::string> arguments = {"export", scratch.path()};
  const ProgramSetting german{.environment = {{"LC_ALL", "de_DE.UTF-8"}}};
  BOOST_TEST(dfsweep(arguments, german).out == dfsweep(arguments).out);
}

BOOST_AUTO_TEST_CASE(every_command_and_option_is_in_the_manual) {
  std::ifstream file(DFSWEEP_SOURCE_DIR "/docs/command-line.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& command : commands) {
    BOOST_TEST(contains(manual, "\n## " + command), command);
    const std::size_t begin = manual.find("\n## " + command);
    const std::string section =
        begin == std::string::npos ? "" : manual.substr(begin, manual.find("\n## ", begin + 1) - begin);
    std::istringstream words(dfsweep({command, "--help"}).out);
    for (std::string word; words >> word && word != "Examples:";)
      for (std::istringstream names(word); std::getline(names, word, ',');)
        if (word.starts_with("--") && word != "--help") BOOST_TEST(contains(section, word), command << " " << word);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
