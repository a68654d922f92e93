/// Which table a query finds, and the texts that name whose tables are wanted.
#include "models/operators/operator_tables.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(operator_tables_test)

using namespace dfsweep::operators;

namespace {

constexpr std::array<std::string_view, 2> eight_bits{"fp8", "fp8_block"};

OperatorTable named(std::string engine, std::string version, std::string kernel, std::string format, std::size_t rows) {
  OperatorTable table;
  table.system = "h100";
  table.engine = std::move(engine);
  table.version = std::move(version);
  table.kernel = std::move(kernel);
  table.format = std::move(format);
  table.keys.assign(3 * rows, 64.0F);
  table.seconds.assign(rows, 1e-5F);
  return table;
}

OperatorTables some_tables() {
  std::vector<OperatorTable> tables{
      named("trtllm", "1.3.0", "flow", "fp8", 10),          // 0
      named("vllm", "0.24.0", "cutlass", "fp8", 10),        // 1
      named("vllm", "0.9.1", "cutlass", "fp8", 90),         // 2
      named("vllm", "0.24.0", "deepgemm", "fp8_block", 5),  // 3
      named("vllm", "0.24.0", "triton", "fp8_block", 9),    // 4
      named("vllm", "0.24.0", "linear", "bfloat16", 7),     // 5
  };
  tables[5].variant = "other";
  return {tables, std::vector<TableSetting>(tables.size())};
}

struct FindCase {
  const char* why;
  TableStack stack;
  std::size_t table;  ///< 99: none
};
const FindCase find_cases[] = {
    {"the newest version before the most rows", {"h100", "vllm", "", ""}, 1},
    {"another engine", {"h100", "trtllm", "", ""}, 0},
    {"another version", {"h100", "vllm", "0.9.1", ""}, 2},
    {"a word of a format", {"h100", "vllm", "", "block"}, 4},
    {"a word of a kernel", {"h100", "vllm", "", "deepgemm"}, 3},
    {"a word that no name has changes nothing", {"h100", "vllm", "", "marlin"}, 1},
    {"a version without tables", {"h100", "vllm", "0.1", ""}, 99},
    {"a system without tables", {"b200", "vllm", "", ""}, 99},
};

struct StackCase {
  const char* text;
  bool is_right;
  TableStack stack;
};
const StackCase stack_cases[] = {
    {"vllm", true, {"", "vllm", "", ""}},
    {"vllm 0.24.0", true, {"", "vllm", "0.24.0", ""}},
    {"vllm fp8_block", true, {"", "vllm", "", "fp8_block"}},
    {"vllm 0.24.0 fp8_block", true, {"", "vllm", "0.24.0", "fp8_block"}},
    {" trtllm  1.3.0rc20 ", true, {"", "trtllm", "1.3.0rc20", ""}},
    {"", false, {}},
    {"   ", false, {}},
    {"vllm flash attention", false, {}},
    {"vllm 0.24.0 a b", false, {}},
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_best_table_is_found) {
  const OperatorTables tables = some_tables();
  for (const FindCase& c : find_cases) BOOST_TEST_CONTEXT(c.why)
  BOOST_TEST(tables.find({.family = Family::products, .formats = eight_bits}, c.stack).value_or(99) == c.table);
}

BOOST_AUTO_TEST_CASE(texts_name_engine_version_and_word) {
  for (const StackCase& c : stack_cases) {
    BOOST_TEST_CONTEXT("'" << c.text << "'") {
      const auto stack = table_stack(c.text);
      BOOST_TEST(stack.has_value() == c.is_right);
      if (stack) BOOST_CHECK(*stack == c.stack);
    }
  }
}

BOOST_AUTO_TEST_CASE(versions_compare_their_numbers) {
  const std::vector<std::string> rising{"0.5", "0.9.1", "0.24", "0.24.0", "1.2.0rc5", "1.3.0rc9", "1.3.0rc15"};
  for (std::size_t a = 0; a < rising.size(); ++a)
    for (std::size_t b = 0; b < rising.size(); ++b)
      BOOST_TEST(is_newer(rising[a], rising[b]) == (a > b), rising[a] << " above " << rising[b]);
}

BOOST_AUTO_TEST_SUITE_END()
