/// `dfsweep fit steplaw` as a program: what it prints, writes and refuses, and that a fitted law serves a sweep.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "io/json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(fit_test)

namespace {

namespace tt = boost::test_tools;

/// Runs of a law without noise: lr* = 20 N^-0.7 D^0.2, B* = 10 D^0.4, H = (0.012, -0.004, 0.012).
std::string clean_runs() {
  std::ostringstream text;
  text.precision(17);
  text << "lr,bs,N,D,loss\n";
  for (const double n : {1e8, 2e8, 4e8})
    for (const double d : {2e9, 8e9, 3.2e10})
      for (int a = 0; a < 9; ++a)
        for (int b = 0; b < 7; ++b) {
          const double rate = 20.0 * std::pow(n, -0.7) * std::pow(d, 0.2) * std::exp(0.3 * (a - 4) + 0.03);
          const double sequences = std::round(10.0 * std::pow(d, 0.4) / 16.0 * std::exp(0.4 * (b - 3) - 0.05));
          const double u = 0.3 * (a - 4) + 0.03;
          const double v = std::log(sequences * 16.0) - std::log(10.0 * std::pow(d, 0.4));
          const double excess = 0.5 * (0.012 * u * u - 0.008 * u * v + 0.012 * v * v);
          text << rate << "," << sequences << "," << n << "," << d << ","
               << (2.0 + 1e3 / std::pow(n, 0.4)) * std::exp(excess) << "\n";
        }
  return text.str();
}

struct Fitted {
  ScratchFile runs{"runs.csv"};
  explicit Fitted(const std::string& text = clean_runs()) { std::ofstream(runs.path()) << text; }
  [[nodiscard]] ProgramResult fit(std::vector<std::string> options) const {
    std::vector<std::string> words = {"fit", "steplaw", runs.path().string(), "--sequence-length", "16"};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(DFSWEEP_PROGRAM, words);
  }
};

const Json& law_named(const Json& fit, const std::string& name) {
  for (const Json& law : fit.at("fits").array())
    if (law.at("law").text() == name) return law;
  throw JsonError("no law " + name);
}

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_law_without_noise_is_found_again) {
  const ProgramResult result = Fitted().fit({"--json", "--replicates", "20", "--predict", "1e9,1e11"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  const Json fit = parse_json(result.out);
  for (const char* method : {"dense/step/quad1_Hweighted", "dense/step/joint_surface1"}) {
    const Json& law = law_named(fit, method);
    BOOST_TEST(law.at("learning_rate").at("coefficients").at("lnN").number() == -0.7, tt::tolerance(1e-6));
    BOOST_TEST(law.at("learning_rate").at("coefficients").at("lnD").number() == 0.2, tt::tolerance(1e-6));
    BOOST_TEST(law.at("batch_tokens").at("coefficients").at("lnD").number() == 0.4, tt::tolerance(1e-6));
  }
  const Json& surface = fit.at("surfaces").array().front();
  BOOST_TEST(surface.at("cxx").number() == 0.006, tt::tolerance(1e-6));
  BOOST_TEST(surface.at("cxy").number() == -0.004, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(the_same_bytes_for_any_number_of_threads) {
  const Fitted runs;
  const ProgramResult one = runs.fit({"--json", "--threads", "1", "--replicates", "700", "--predict", "1e9,1e11"});
  const ProgramResult three = runs.fit({"--json", "--threads", "3", "--replicates", "700", "--predict", "1e9,1e11"});
  BOOST_TEST_REQUIRE(one.status == 0, one.err);
  BOOST_TEST(one.out == three.out);
}

BOOST_AUTO_TEST_CASE(streamed_fits_are_the_fits_of_single_runs) {
  const Fitted runs;
  const Json single = parse_json(runs.fit({"--json", "--replicates", "0"}).out);
  const Json streamed = parse_json(runs.fit({"--json", "--replicates", "0", "--stream"}).out);
  BOOST_TEST(streamed.at("input").at("mode").text() == "sums per group");
  for (const Json& law : streamed.at("fits").array())
    BOOST_TEST(to_text(law) == to_text(law_named(single, law.at("law").text())));
  BOOST_TEST(to_text(streamed.at("recommended")) == "null\n");
}

// Sums per group carry a quadratic surface, and that an interval; groups cannot be left out in turn.
BOOST_AUTO_TEST_CASE(streamed_fits_give_intervals_where_predictions_are_asked_for) {
  const Fitted runs;
  const Json streamed = parse_json(runs.fit({"--json", "--replicates", "0", "--stream", "--predict", "1e9,1e11"}).out);
  const Json& law = streamed.at("recommended");
  BOOST_TEST(law.at("scattered").at("shape").text() == "quadratic");
  BOOST_TEST(law.at("cheapest").at("candidates").array().empty());
  BOOST_TEST(law.at("cheapest").find("left_out") == nullptr);
  BOOST_TEST(law.at("predictions").array().size() == 1u);
  const ProgramResult text = runs.fit({"--stream", "--quiet", "--predict", "1e9,1e11"});
  BOOST_TEST(text.out.find("not chosen by what it costs") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(malformed_runs_are_refused_with_their_places) {
  const Fitted runs("lr,bs,N,D,loss\n1e-3,64,1e8,1e9,2.5\n1e-3,x,1e8,1e9,2.5\n1e-3,64,1e8,1e9\n");
  const ScratchFile law("law.toml");
  const ProgramResult result = runs.fit({"-o", law.path().string(), "--json"});
  BOOST_TEST(result.status == 3);
  BOOST_TEST(result.out.empty());
  const std::string file = runs.runs.path().string();
  BOOST_TEST(result.err == file + ":3:6: 'x' is not a number (column 'bs' is the batch_sequences).\n" + file +
                               ":4:1: line has 4 cells (the header has 5).\n");
  BOOST_TEST(!std::filesystem::exists(law.path()));
}

// A law that was not fitted is refused also where nothing is written.
BOOST_AUTO_TEST_CASE(unknown_laws_are_refused) {
  const ProgramResult result = Fitted().fit({"--quiet", "--replicates", "0", "--law", "dense/unifed/near0.25"});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(result.out.empty());
  BOOST_TEST(result.err.find("no law 'dense/unifed/near0.25' was fitted. Did you mean 'dense/unified/near0.25'?") !=
             std::string::npos);
}

// Two groups of one size determine no exponent of N: the report says so once, and no law is written.
BOOST_AUTO_TEST_CASE(runs_that_give_no_law_are_told_as_such) {
  const Fitted runs("lr,bs,N,D,loss\n1e-3,64,1e8,1e9,2.5\n2e-3,64,1e8,1e9,2.4\n1e-3,64,1e8,2e9,2.3\n");
  const ProgramResult report = runs.fit({"--replicates", "0", "--predict", "1e9,1e11"});
  BOOST_TEST(report.status == 0, report.err);
  BOOST_TEST(report.out.find("  none could be fitted: ") != std::string::npos);
  BOOST_TEST(report.out.find("no law dense/") == std::string::npos);
  BOOST_TEST(report.out.find("none, and no predictions: leaving groups out needs at least 5 groups, found 2") !=
             std::string::npos);
  const ScratchFile law("law.toml");
  const ProgramResult written = runs.fit({"--replicates", "0", "-o", law.path().string()});
  BOOST_TEST(written.status == 3);
  BOOST_TEST(written.err.starts_with(runs.runs.path().string() + ": these runs give no law ("));
  BOOST_TEST(!std::filesystem::exists(law.path()));
}

BOOST_AUTO_TEST_CASE(predictions_beyond_reason_are_refused) {
  for (const char* scale : {"7e9", "1e31,1e12", "1e9,0.5", "1e9,nan", "7B,1.4T"})
    BOOST_TEST(Fitted().fit({"--predict", scale}).status == 2, scale);
}

BOOST_AUTO_TEST_CASE(a_fitted_law_serves_a_sweep_as_toml_and_as_json) {
  const Fitted runs;
  const ScratchFile folder("laws");
  std::filesystem::create_directories(folder.path());
  const std::string name = "dense/step/joint_surface1";
  const ProgramResult fitted =
      runs.fit({"--quiet", "--law", name, "--replicates", "0", "-o", (folder.path() / "mine.toml").string(), "-o",
                (folder.path() / "mine.json").string(), "-o", (folder.path() / "fit.h5").string()});
  BOOST_TEST_REQUIRE(fitted.status == 0, fitted.err);
  BOOST_TEST(read(folder.path() / "fit.h5").substr(1, 3) == "HDF");
  std::string rows[2];
  for (const std::string type : {"toml", "json"}) {
    const std::filesystem::path sweep = folder.path() / (type + "-sweep.toml");
    std::ofstream(sweep) << "[sweep]\nname = \"fitted\"\nestimator = \"hyperparameters\"\n[parameters]\n"
                            "parameters = 1e9\ntrain_tokens = [1e10, 1e11]\nsequence_length = 16\nlaw = \"mine."
                         << type << "\"\n";
    const std::filesystem::path out = folder.path() / type;
    const ProgramResult run = run_program(DFSWEEP_PROGRAM, {"run", sweep.string(), "--out", out.string(), "--quiet"});
    BOOST_TEST_REQUIRE(run.status == 0, run.err);
    const ProgramResult rows_of =
        run_program(DFSWEEP_PROGRAM, {"export", (out / "result.h5").string(), "--format", "csv", "--columns",
                                      "optimal_learning_rate,optimal_batch_tokens,loss_excess", "-o", "-"});
    rows[type == "json"] = rows_of.out;
    // the stored result explains itself, law and all
    const ProgramResult explained =
        run_program(DFSWEEP_PROGRAM, {"explain", (out / "result.h5").string(), "--point", "1"});
    BOOST_TEST(explained.status == 0, explained.err);
  }
  BOOST_TEST(rows[0] == rows[1]);
  std::istringstream lines(rows[0]);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  const double rate = std::stod(line);
  BOOST_TEST(rate == 20.0 * std::pow(1e9, -0.7) * std::pow(1e10, 0.2), tt::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(pictures_show_every_group_and_the_law) {
  const ScratchFile folder("pictures");
  const ProgramResult result = Fitted().fit({"--quiet", "--replicates", "0", "--plots", folder.path().string()});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  std::size_t groups = 0;
  for (const auto& item : std::filesystem::directory_iterator(folder.path())) {
    const std::string svg = read(item.path());
    const std::string name = item.path().filename().string();
    BOOST_TEST((svg.starts_with("<svg ") && svg.ends_with("</svg>\n")), name);
    BOOST_TEST(svg.find("nan") == std::string::npos, name);
    if (!name.starts_with("group-")) continue;
    ++groups;
    BOOST_TEST(svg.find("optimum: lr") != std::string::npos, name);
    BOOST_TEST(svg.find("plateau: costs at most") != std::string::npos, name);
  }
  BOOST_TEST(groups == 9U);
  BOOST_TEST(std::filesystem::exists(folder.path() / "law-lr-N.svg"));
  BOOST_TEST(std::filesystem::exists(folder.path() / "law-batch-D.svg"));
}

// A figure shows what its law was fitted to: the words beside the marks change with the law, and the marks with them.
BOOST_AUTO_TEST_CASE(figures_show_what_was_fitted) {
  const ScratchFile folder("figures");
  const std::pair<const char*, const char*> cases[] = {
      {"", "optima, cubic within 1 %"},
      {"dense/step/argmin", "best runs"},
      {"dense/step/near0.25", "means of runs within 0.25 %"},
      {"dense/step/quad2", "optima, quadratic within 2 %"},
      {"dense/step/joint_surface1", "own surfaces within 1 %, not fitted to"},
  };
  const Fitted runs;
  std::string before;
  for (const auto& [law, words] : cases) {
    std::vector<std::string> options = {"--quiet", "--replicates", "0", "--plots", folder.path().string()};
    if (*law != 0) options.insert(options.end(), {"--law", law});
    const ProgramResult result = runs.fit(options);
    BOOST_TEST_REQUIRE(result.status == 0, result.err);
    const std::string svg = read(folder.path() / "law-lr-D.svg");
    BOOST_TEST(svg.find(words) != std::string::npos, law);
    BOOST_TEST(svg != before, law);
    before = svg;
  }
}

// The law of the loss and what it makes of a budget stand in the text, and the budgets are those that were asked for.
BOOST_AUTO_TEST_CASE(compute_optimal_models_are_printed) {
  const Fitted runs;
  const ProgramResult result = runs.fit({"--replicates", "0", "--budget", "6e20", "--budget", "6e22"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  BOOST_TEST(result.out.find("loss law and compute-optimal models\n  L = ") != std::string::npos, result.out);
  BOOST_TEST(result.out.find("nan") == std::string::npos);
  const Json fit = parse_json(runs.fit({"--replicates", "0", "--budget", "6e20", "--json"}).out);
  const Json& frontier = fit.at("compute_optimal");
  BOOST_TEST_REQUIRE(frontier.array().size() == 1U);
  const Json& row = frontier.array()[0];
  BOOST_TEST(6.0 * row.at("parameters").number() * row.at("train_tokens").number() == 6e20, tt::tolerance(1e-9));
}

// A grid with a hole: its place is grey and says that there is no run, while the least loss keeps its light colour.
BOOST_AUTO_TEST_CASE(maps_of_groups_show_missing_runs_as_missing) {
  const ScratchFile folder("holes");
  std::istringstream all(clean_runs());
  std::string holed;
  std::size_t number = 0;
  for (std::string line; std::getline(all, line); ++number)
    if (number == 0 || number % 63 != 5) holed += line + "\n";
  const ProgramResult result = Fitted(holed).fit({"--quiet", "--replicates", "0", "--plots", folder.path().string()});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  const std::string svg = read(folder.path() / "group-001.svg");
  BOOST_TEST(svg.find("fill=\"#b4b4b4\"><title>no run") != std::string::npos);
  BOOST_TEST(svg.find(">no run</text>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(misuse_is_told) {
  const Fitted runs;
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--predict", "1e9"}, "--predict: write N,D or N,D,Na"},
      {{"--predict", "1e9,1e10,2e9"}, "more activated parameters than parameters"},
      {{"-o", "law.yaml"}, "laws are written as .toml or .json, everything as .h5"},
      {{"--law", "dense/step/near0.2", "-o", "law.toml", "--replicates", "0"}, "Did you mean 'dense/step/near0.25'?"},
      {{"--columns", "lr"}, "is not a pair"},
      {{"--threshold", "0"}, "must be a number above 0"},
  };
  for (const auto& [options, expected] : cases) {
    const ProgramResult result = runs.fit(options);
    BOOST_TEST(result.status == 2, expected);
    BOOST_TEST(result.err.find(expected) != std::string::npos, result.err);
  }
  BOOST_TEST(run_program(DFSWEEP_PROGRAM, {"fit", "steplaw"}).status == 2);
  BOOST_TEST(run_program(DFSWEEP_PROGRAM, {"fit", "other", "x.csv"}).status == 2);
  BOOST_TEST(run_program(DFSWEEP_PROGRAM, {"fit", "steplaw", "nowhere.csv"}).status == 74);
}

BOOST_AUTO_TEST_CASE(the_terminal_shows_every_section) {
  const ProgramResult result = Fitted().fit({"--predict", "1e9,1e11", "--replicates", "50"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  for (const char* title : {"runs\n", "groups\n", "laws of dense groups", "what each law costs", "extrapolation",
                            "predictions of resampled laws", "plateau\n"})
    BOOST_TEST(result.out.find(title) != std::string::npos, title);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
