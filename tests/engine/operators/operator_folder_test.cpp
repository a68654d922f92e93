/// Folders of measured operators: names of tables, positions of errors, what is left out.
#include "engine/operators/operator_folder.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.hpp"

BOOST_AUTO_TEST_SUITE(operator_folder_test)

using namespace dfsweep;
using namespace dfsweep::operators;

namespace {

const std::string header = "system,backend,version,kernel_source,gemm_dtype,m,n,k,latency,power\n";

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

/// A catalogue with one system of tables.
Catalogue small_catalogue(const TemporaryFolder& folder) {
  write(folder.path() / "catalogue/systems/box.toml",
        "name = \"box\"\noperators = \"box_sxm\"\n"
        "peak_flops = { value = \"1000 TFLOP/s\", source = \"made\" }\n"
        "memory_bandwidth = { value = \"3 TB/s\", source = \"made\" }\n"
        "memory_capacity = { value = \"80 GB\", source = \"made\" }\n"
        "node_devices = { value = 8, source = \"made\" }\n"
        "node_bandwidth = { value = \"450 GB/s\", source = \"made\" }\n");
  return Catalogue({folder.path() / "catalogue"});
}

OperatorFolder read(const TemporaryFolder& folder, const std::string& file, const std::string& text,
                    unsigned threads = 2) {
  write(folder.path() / "data" / file, text);
  return read_operator_folder(folder.path() / "data", small_catalogue(folder), threads);
}

/// The messages of a folder that cannot be used.
std::string errors_of(const std::string& file, const std::string& text) {
  const TemporaryFolder folder;
  try {
    static_cast<void>(read(folder, file, text));
  } catch (const UserError& error) {
    std::string all;
    for (const Problem& problem : error.problems) all += to_string(problem) + "\n";
    return all.substr(all.find(file));
  }
  return {};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tables_have_the_names_of_their_rows) {
  const TemporaryFolder folder;
  const OperatorFolder read_folder = read(folder, "gemm.csv",
                                          header +
                                              "box_sxm,vllm,1,a,bfloat16,1,64,64,0.005,\n"
                                              "box_sxm,vllm,1,\"b, c\",bfloat16,2,64,64,0.006,300\n"
                                              "box_sxm,vllm,1,a,bfloat16,4,64,64,0.007,\n"
                                              "other,vllm,1,a,bfloat16,4,64,64,0.007,\n");
  BOOST_TEST(read_folder.rows_read == 4U);
  BOOST_REQUIRE(read_folder.tables.size() == 2U);
  BOOST_TEST(read_folder.tables[0].kernel == "a");
  BOOST_TEST(read_folder.tables[0].rows() == 2U);
  BOOST_TEST(read_folder.tables[0].keys[3] == 4.0F);
  BOOST_TEST(read_folder.tables[0].seconds[1] == 7e-6F);
  BOOST_TEST(read_folder.tables[1].kernel == "b, c");
  BOOST_TEST(read_folder.settings[0].rates.peak.value() == 1e15);
  BOOST_REQUIRE(read_folder.left_out.size() == 1U);
  BOOST_TEST((read_folder.left_out[0].reason == LeftOutReason::unknown_system));
}

BOOST_AUTO_TEST_CASE(folders_of_the_source_name_systems) {
  const TemporaryFolder folder;
  const OperatorFolder read_folder =
      read(folder, "box_sxm/gemm/vllm/0.22.0/gemm_perf.csv",
           "framework,kernel_source,gemm_dtype,m,n,k,latency\nVLLM,a,bfloat16,1,64,64,0.005\n");
  BOOST_REQUIRE(read_folder.tables.size() == 1U);
  BOOST_TEST(place_text(read_folder.tables[0]) == "products, box_sxm vllm 0.22.0 a bfloat16");
}

BOOST_AUTO_TEST_CASE(tables_do_not_depend_on_threads) {
  std::string text = header;
  for (int row = 0; row < 60000; ++row)
    text += "box_sxm,vllm,1," + std::string(row % 3 == 0 ? "a" : "b") + ",bfloat16," + std::to_string(row + 1) +
            ",64,64,0.005,\n";
  const TemporaryFolder one, four;
  const OperatorFolder first = read(one, "gemm.csv", text, 1);
  const OperatorFolder second = read(four, "gemm.csv", text, 4);
  BOOST_REQUIRE(first.tables.size() == 2U);
  BOOST_REQUIRE(second.tables.size() == 2U);
  BOOST_TEST(first.rows_read == 60000U);
  for (std::size_t t = 0; t < 2; ++t) {
    BOOST_TEST((first.tables[t].keys == second.tables[t].keys));
    BOOST_TEST((first.tables[t].seconds == second.tables[t].seconds));
  }
}

BOOST_AUTO_TEST_CASE(errors_have_positions) {
  const std::string row = "box_sxm,vllm,1,a,bfloat16,1,64,64,0.005,\n";
  BOOST_TEST(
      has(errors_of("gemm.csv", "system,backend,version,m,n,latency\n"), "gemm.csv:1: no column 'gemm_dtype', 'k'"));
  BOOST_TEST(has(errors_of("gemm.csv", header + row + "box_sxm,vllm,1,a,bfloat16,x,64,64,0.005,\n"),
                 "gemm.csv:3:27: 'x' is not a size"));
  for (const std::string cell : {"0", "-1", "nan", "inf", "1e99", "", "0x10"})
    BOOST_TEST(has(errors_of("gemm.csv", header + "box_sxm,vllm,1,a,bfloat16," + cell + ",64,64,0.005,\n"),
                   "gemm.csv:2:27: '" + cell + "' is not a size"));
  for (const std::string cell : {"-1", "nan", "inf", "1e99", "", "5 us"})
    BOOST_TEST(has(errors_of("gemm.csv", header + "box_sxm,vllm,1,a,bfloat16,1,64,64," + cell + ",\n"),
                   "gemm.csv:2:35: '" + cell + "' is not a time"));
  BOOST_TEST(has(errors_of("gemm.csv", header + row + "box_sxm,vllm\n"), "gemm.csv:3:1: line has 2 cells"));
  std::string seconds = header;
  for (int k = 1; k < 40; ++k) seconds += "box_sxm,vllm,1,a,bfloat16,1,64," + std::to_string(64 * k) + ",0.000005,\n";
  const TemporaryFolder folder;
  BOOST_CHECK_EXCEPTION(static_cast<void>(read(folder, "gemm.csv", seconds)), UserError, [](const UserError& error) {
    return has(error.problems.at(0).problem, "wrong unit in the table 'products, box_sxm vllm 1 a bfloat16'");
  });
}

BOOST_AUTO_TEST_CASE(a_folder_without_tables_says_which_it_needs) {
  const TemporaryFolder folder;
  write(folder.path() / "data/gemm.csv.xz", "compressed");
  BOOST_TEST(!has_operator_files(folder.path() / "data"));
  BOOST_CHECK_EXCEPTION(static_cast<void>(read_operator_folder(folder.path() / "data", small_catalogue(folder), 1)),
                        UserError, [](const UserError& error) { return has(error.problems.at(0).hint, "xz -d"); });
}

BOOST_AUTO_TEST_SUITE_END()
