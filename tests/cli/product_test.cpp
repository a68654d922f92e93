/// Times of matrix products on devices of the catalogue.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "io/json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(product_test)

namespace tt = boost::test_tools;

namespace {

std::string quantity(const std::string& name, const std::string& value) {
  return name + " = { value = \"" + value + "\", source = \"this test\" }\n";
}

/// A catalogue with a chip of 1 PFLOP/s and 4 TB/s, and one without a memory.
class OwnCatalogue {
 public:
  OwnCatalogue() {
    write("devices/chip.toml", quantity("peak_flops", "1 PFLOP/s") + quantity("memory_bandwidth", "4 TB/s"));
    write("devices/bare.toml", quantity("peak_flops", "1 PFLOP/s"));
    write("memories/slow.toml", quantity("bandwidth", "1 TB/s") + quantity("capacity", "80 GB"));
  }
  [[nodiscard]] ProgramResult product(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"product", "--catalogue", folder_.path().string()});
    return run_program(DFSWEEP_PROGRAM, arguments);
  }

 private:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  TemporaryFolder folder_;
};

}  // namespace

/// 2 us of compute and 1.5 us of memory; one row: 2 ns and 0.501 us.
BOOST_AUTO_TEST_CASE(a_row_for_each_device_and_shape) {
  const OwnCatalogue catalogue;
  const ProgramResult result = catalogue.product({"1000x1000x1000", "1x1000x1000", "--devices", "chip", "--json"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  const Json json = parse_json(result.out);
  const JsonArray& rows = json.at("products").array();
  BOOST_TEST_REQUIRE(rows.size() == 2U);
  BOOST_TEST(rows[0].at("time").number() == 2e-6, tt::tolerance(1e-12));
  BOOST_TEST(rows[0].at("memory_time").number() == 1.5e-6, tt::tolerance(1e-12));
  BOOST_TEST(rows[0].at("bound").text() == "compute");
  BOOST_TEST(rows[0].at("utilization").number() == 1.0, tt::tolerance(1e-12));
  BOOST_TEST(rows[1].at("time").number() == 1.002e6 * 2 / 4e12, tt::tolerance(1e-12));
  BOOST_TEST(rows[1].at("bound").text() == "memory");
}

BOOST_AUTO_TEST_CASE(the_text_names_time_and_bound) {
  const ProgramResult result = OwnCatalogue().product({"1000x1000x1000", "--devices", "chip"});
  for (const char* text : {"chip", "1000x1000x1000", "2.000 us", "compute", "100.0 %"})
    BOOST_TEST(result.out.find(text) != std::string::npos, "no '" << text << "' in\n" << result.out);
}

/// Half the rate, numbers of one byte, three products, and a memory of a quarter of the bandwidth.
BOOST_AUTO_TEST_CASE(options_change_rates_and_sizes) {
  const ProgramResult result =
      OwnCatalogue().product({"1000x1000x1000", "--devices", "bare", "--memory", "slow", "--precision", "fp8",
                              "--utilization", "0.5", "--count", "3", "--json"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  const Json json = parse_json(result.out);
  const Json& row = json.at("products").array()[0];
  BOOST_TEST(row.at("compute_time").number() == 12e-6, tt::tolerance(1e-12));
  BOOST_TEST(row.at("memory_time").number() == 9e-6, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(mistakes_are_named) {
  const OwnCatalogue catalogue;
  const auto error = [&](const std::vector<std::string>& arguments) {
    const ProgramResult result = catalogue.product(arguments);
    BOOST_TEST(result.status == 2);
    return result.err;
  };
  for (const char* shape : {"1000", "1000x1000", "0x1x1", "1x2x3x4", "1x2x3.5", "1x-2x3", "1x2x"})
    BOOST_TEST(error({"--devices", "chip", "--", shape}).find("must be three whole numbers MxKxN") != std::string::npos,
               shape);
  BOOST_TEST(error({"1x1x1", "--devices", "chop"}).find("Did you mean 'chip'?") != std::string::npos);
  BOOST_TEST(error({"1x1x1", "--devices", "bare"}).find("has no memory_bandwidth. Give --memory.") !=
             std::string::npos);
  BOOST_TEST(error({"1x1x1", "--devices", "chip", "--precision", "int3"}).find("--precision") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
