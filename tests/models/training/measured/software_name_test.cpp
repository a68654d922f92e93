/// Software name: stacks by source, release, compiler and round.
#include "models/training/measured/software_name.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/machine/accelerator_names.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(software_name_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::training;

BOOST_AUTO_TEST_CASE(the_stack_follows_source_release_and_compiler) {
  const auto stack = [](std::string source, std::string version, std::string notes) {
    MeasuredRow r;
    r.cells = {{"source", source}, {"version_or_date", version}, {"notes", notes}};
    return software_of_row(r);
  };
  BOOST_TEST(stack("megatron-bridge", "NeMo container 26.06.01", "") == "megatron-26.06");
  BOOST_TEST(stack("megatron-bridge", "NeMo container 25.11", "") == "megatron");
  BOOST_TEST(stack("torchtitan", "2024-12", "compiled; 500 W") == "fsdp-compiled");
  BOOST_TEST(stack("a-new-source", "", "") == "default");
  BOOST_TEST(software_entries("H200-141GB", "fsdp")[1] == "h100-fsdp");
  BOOST_TEST(software_entries("H200-141GB", "megatron-25.04")[2] == "h200-megatron");
  BOOST_TEST(software_entries("H200-NVL-141GB", "megatron-25.04")[2] == "h200-nvl-megatron");
  BOOST_TEST(software_entries("unheard of", "fsdp").front() == "default");
  BOOST_TEST(system_of_accelerator("unheard of") == "");
}

namespace {

struct RoundCase {
  const char* why;
  const char* source;
  const char* accelerator;
  const char* sharding;
  const char* stack;
};
const RoundCase round_cases[] = {
    {"June 2024", "mlperf-training-4.0", "H100-80GB", "zero-1", "megatron-24.04"},
    {"November 2024", "mlperf-training-4.1", "B200-180GB", "zero-1", "megatron-24.10"},
    {"June 2025", "mlperf-training-5.0", "GB200-186GB", "zero-1", "megatron-25.04"},
    {"the current stack", "mlperf-training-5.1", "GB300-279GB", "zero-1", "megatron"},
    {"sharded parameters", "mlperf-training-4.0", "A100-80GB", "fsdp full (zero-3)", "fsdp"},
    {"TPU", "mlperf-training-4.1", "TPUv5p", "fsdp over 32, 16 copies", "xla"},
    {"Gaudi", "mlperf-training-4.0", "Gaudi2", "zero-0", "optimum"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_round_of_mlperf_has_the_software_of_its_date, bdata::make(round_cases)) {
  MeasuredRow r;
  r.cells = {{"source", sample.source}, {"accelerator", sample.accelerator}, {"sharding", sample.sharding}};
  BOOST_TEST(software_of_row(r) == sample.stack);
}

BOOST_AUTO_TEST_SUITE_END()
