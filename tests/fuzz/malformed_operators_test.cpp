/// 2 000 malformed files of measured operators: every one is either still usable or has a problem at a line of it.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/operators/operator_reading.hpp"
#include "models/operators/table_checks.hpp"
#include "models/operators/table_predictor.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/support/temporary_folder.hpp"

BOOST_AUTO_TEST_SUITE(malformed_operators_test)

using namespace dfsweep;
using namespace dfsweep::operators;

namespace {

/// A short file for each of the layouts that differ most: with a window, with a law of routing, with two times.
const std::vector<std::string> names{"gemm", "generation_attention", "moe", "deepep"};
const std::vector<std::string> texts{
    "system,backend,version,kernel_source,gemm_dtype,m,n,k,latency\n"
    "a,vllm,1,x,bfloat16,1,64,64,0.005\na,vllm,1,x,bfloat16,2,64,64,0.005\na,vllm,1,x,fp8,4,64,64,0.006\n",
    "system,backend,version,kernel_source,attn_dtype,kv_cache_dtype,batch_size,isl,step,num_heads,num_key_value_heads,"
    "head_dim,window_size,latency\na,vllm,1,x,bfloat16,fp8,1,1,15,8,2,128,0,0.01\na,vllm,1,x,bfloat16,fp8,1,1,31,8,2,"
    "128,128,0.01\n",
    "system,backend,version,kernel_source,moe_dtype,num_tokens,hidden_size,inter_size,topk,num_experts,moe_tp_size,"
    "moe_ep_size,distribution,latency\na,vllm,1,x,bfloat16,1,2048,768,8,128,1,8,power_law_1.01,0.1\na,vllm,1,x,"
    "bfloat16,2,2048,768,8,128,1,8,balanced,0.1\n",
    "system,backend,version,kernel_source,op_name,node_num,num_token,hidden_size,num_topk,num_experts,dispatch_sms,"
    "combine_sms,dispatch_avg_t_us,combine_avg_t_us,dispatch_transmit_us,combine_transmit_us\n"
    "a,sglang,1,x,ll,1,8,7168,8,256,,,20,30,,\n"};

TableDevice usual_device() {
  TableDevice device;
  device.peak_16bit = Throughput{1e15};
  device.memory_bandwidth = Bandwidth{3e12};
  device.link = Bandwidth{450e9};
  device.network = Bandwidth{50e9};
  return device;
}

/// What is read can be checked, and what is left can be fitted and predicted.
void use(std::vector<OperatorTable> tables) {
  static_cast<void>(leave_out_copies(tables));
  for (OperatorTable& table : tables) {
    const auto setting = setting_of(table, usual_device());
    if (!setting) continue;
    static_cast<void>(wrong_unit(table, *setting));
    static_cast<void>(leave_out_rows(table, *setting));
    if (table.rows() == 0) continue;
    const TablePredictor predictor(table, *setting);
    BOOST_REQUIRE(predictor.predict(keys_of(table, 0)).time.value() > 0.0);
  }
}

/// Problems of the file, in all layouts that read it.
std::size_t problems_of(const std::filesystem::path& file, std::size_t lines) {
  std::size_t count = 0;
  for (const OperatorLayout& layout : operator_layouts()) {
    if (layout.file != operator_file(file)) continue;
    try {
      OperatorFile read = read_operator_file(file, layout, 1);
      for (const Problem& problem : read.problems) {
        BOOST_REQUIRE(problem.at.line >= 1 && problem.at.line <= lines);
        BOOST_REQUIRE(!problem.problem.empty());
      }
      count += read.problems.size();
      if (read.problems.empty()) use(std::move(read.tables));
    } catch (const UserError& error) {
      BOOST_REQUIRE(!error.problems.empty());
      count += error.problems.size();
    }
  }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(malformed_files_have_a_line) {
  const TemporaryFolder folder;
  std::size_t refused = 0;
  for (std::uint64_t n = 0; n < 2000; ++n) {
    const std::size_t i = n % names.size();
    const std::string text = mutant({texts[i]}, n);
    const std::filesystem::path file = folder.path() / (names[i] + ".csv");
    std::ofstream(file, std::ios::binary) << text;
    BOOST_TEST_INFO_SCOPE("mutant " << n << " of " << names[i] << ":\n" << text.substr(0, 3000));
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    if (problems_of(file, lines) > 0) ++refused;
  }
  BOOST_TEST(refused > 500U);
}

BOOST_AUTO_TEST_CASE(huge_cells_and_zeros_are_refused_in_place) {
  const TemporaryFolder folder;
  const std::string header = texts[0].substr(0, texts[0].find('\n') + 1);
  const std::string huge(1 << 20, '9');
  std::ofstream(folder.path() / "gemm.csv") << header << "a,vllm,1,x,bfloat16," << huge << ",64,64,0.005\n";
  BOOST_TEST(problems_of(folder.path() / "gemm.csv", 2) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
