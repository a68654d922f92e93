/// Derived prices and powers: `plan`, the page and `explain` say where a figure follows from the parts of a device.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(derived_figures_test)

namespace {

/// A sweep of two machines whose entries state price and power of the device.
const std::string stated = R"([sweep]
name = "derived"
estimator = "training"
[parameters]
model = "llama2-7b"
device = "h100"
memory = "hbm3"
interconnect = "nvlink4"
device_count = 8
data_parallel = 8
global_batch = 64
micro_batch = 1
sequence_length = 4096
optimizer_sharding = 1
recompute = "full"
device_hour_price = ["2 USD", "3 USD"]
)";

/// The same with a peak that no entry has, so that price and power of the chip follow from it.
const std::string derived = stated + "peak_flops = \"2 PFLOP/s\"\n";

/// What the program prints, after it ended with 0.
std::string printed(const std::vector<std::string>& arguments) {
  const ProgramResult ended = dfsweep(arguments);
  BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
  return ended.out;
}

struct RunOf {
  ScratchFile sweep{"derived.toml"};
  ScratchFile folder{"derived-run"};
  std::string file;
  explicit RunOf(const std::string& text) : file((folder.path() / "result.h5").string()) {
    std::ofstream(sweep.path()) << text;
    printed({"run", sweep.path().string(), "--out", folder.path().string(), "--quiet"});
  }
};

std::string page_of(const RunOf& run) {
  const ScratchFile page("derived.html");
  printed({"report", run.file, "-o", page.path().string()});
  std::ifstream text(page.path());
  return {std::istreambuf_iterator<char>(text), {}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(plan_counts_derived_figures) {
  const ScratchFile sweep("derived.toml");
  std::ofstream(sweep.path()) << derived;
  BOOST_TEST(
      contains(printed({"plan", sweep.path().string()}),
               "derived    system_cost of all sampled points, system_power of all sampled points, from the parts"));
  const std::string json = printed({"plan", sweep.path().string(), "--json"});
  BOOST_TEST(contains(json, "\"derived_prices\": 2"), json);
  BOOST_TEST(contains(json, "\"derived_powers\": 2"), json);
}

BOOST_AUTO_TEST_CASE(plan_says_nothing_where_entries_state_all) {
  const ScratchFile sweep("stated.toml");
  std::ofstream(sweep.path()) << stated;
  BOOST_TEST(!contains(printed({"plan", sweep.path().string()}), "\nderived "));
}

BOOST_AUTO_TEST_CASE(page_remarks_on_derived_figures) {
  const std::string page = page_of(RunOf(derived));
  BOOST_TEST(contains(page, "Prices of all rows are derived from the parts of a device (price_source)."));
  BOOST_TEST(contains(page, "Nameplate powers of all rows are derived from the parts of a device (power_source)."));
  BOOST_TEST(!contains(page_of(RunOf(stated)), "are derived from the parts of a device"));
}

BOOST_AUTO_TEST_CASE(explanation_names_the_source) {
  const RunOf of_derived(derived);
  BOOST_TEST(contains(printed({"explain", of_derived.file, "--point", "0", "--full"}),
                      "derived from the parts of the device"));
  const RunOf of_stated(stated);
  const std::string text = printed({"explain", of_stated.file, "--point", "0", "--full"});
  BOOST_TEST(contains(text, "price is"));
  BOOST_TEST(!contains(text, "derived from the parts of the device"));
}

/// The short form shows the cost of the run, which depends on the price of the device.
BOOST_AUTO_TEST_CASE(short_explanation_says_that_a_shown_price_is_derived) {
  const std::string whole_run = "train_tokens = 1e10\nservice_years = 4\n";
  const auto explained = [&](const std::string& text) {
    const ScratchFile sweep("short.toml");
    std::ofstream(sweep.path()) << text << whole_run;
    return printed({"explain", sweep.path().string(), "--point", "0"});
  };
  const std::string of_derived = explained(derived);
  BOOST_TEST(contains(of_derived, "train_cost"), of_derived);
  BOOST_TEST(contains(of_derived, "price_source             derived"), of_derived);
  BOOST_TEST(!contains(explained(stated), "price_source"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
