/// Measured tables: how rows become profiles and samples, and every kind of defect with its place.
#include "models/measured_tables/profiles.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"
#include "tests/support/profile_text.hpp"

BOOST_AUTO_TEST_SUITE(profiles_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

constexpr const char* layer_path = "x/compute/a100/lab/small/mlp.csv";
constexpr const char* attention_path = "x/compute/a100/lab/small/attention.csv";

struct Read {
  explicit Read(std::vector<Table> given, std::span<const NamedRates> devices = {})
      : tables(std::move(given)), reading(read_profiles(tables, "profiles", devices)) {}
  std::vector<Table> tables;
  ProfileReading reading;
};

/// "line:column problem (reason)", joined by ';'.
std::string messages(const std::vector<DataProblem>& problems) {
  std::string text;
  for (const DataProblem& p : problems) {
    text += (text.empty() ? "" : "; ") + std::to_string(p.line) + ":" + p.column + " " + p.problem;
    if (!p.reason.empty()) text += " (" + p.reason + ")";
  }
  return text;
}

Read small_profiles() {
  return Read({profile_table(attention_path, small_attention_text()), profile_table(layer_path, small_layer_text())});
}

}  // namespace

BOOST_AUTO_TEST_CASE(layers_are_found_by_device_model_degree_and_shape) {
  const Read read = small_profiles();
  BOOST_TEST(messages(read.reading.errors) == "");
  BOOST_TEST(messages(read.reading.warnings) == "");
  const ProfileSet& set = read.reading.profiles;
  BOOST_TEST(set.layers.size() == 2);  // degrees 1 and 2
  const LayerProfile* layer = set.find_layer("a100", "lab/small", 1);
  BOOST_REQUIRE(layer != nullptr);
  BOOST_TEST(layer->shape.hidden == 1024.0);
  BOOST_TEST(layer->shape.gated_ffn == 1.0);
  BOOST_TEST(layer->backend == "FLASHINFER");
  BOOST_TEST(layer->block_sizes == (std::vector<double>{16.0}), boost::test_tools::per_element());
  BOOST_TEST(set.find_layer("a100", "lab/small", 4) == nullptr);
  BOOST_TEST(set.find_layer("h100", "lab/small", 1) == nullptr);
  TableShape other;
  other.hidden = 2048.0;
  BOOST_TEST(set.find_layer("a100", "lab/small", 1, other) == nullptr);
  other.hidden = 1024.0;
  BOOST_TEST(set.find_layer("a100", "lab/small", 1, other) == layer);
}

BOOST_AUTO_TEST_CASE(samples_are_seconds_and_know_their_rows) {
  const Read read = small_profiles();
  const LayerProfile& layer = *read.reading.profiles.find_layer("a100", "lab/small", 1);
  const auto curve = layer.curve(Operator::mlp_up_proj, Statistic::median, EmptyCell::unmeasured);
  BOOST_REQUIRE(curve.size() == 2);  // one of the three rows of degree 1 occurs twice
  BOOST_TEST(curve[0].x == 4096.0);
  BOOST_TEST(curve[0].seconds == 0.4e-3);
  BOOST_TEST((curve[0].row == RowOrigin{1, 2}));
  BOOST_TEST(layer.curve(Operator::mlp_up_proj, Statistic::max, EmptyCell::unmeasured)[0].seconds == 0.5e-3);

  const auto decode = layer.surface(Operator::attn_decode, Statistic::median, 16.0);
  BOOST_REQUIRE(decode.size() == 1);
  BOOST_TEST(decode[0].u == 8.0);    // requests
  BOOST_TEST(decode[0].v == 512.0);  // tokens in the cache
  const auto prefill = layer.surface(Operator::attn_prefill, Statistic::median, 16.0);
  BOOST_REQUIRE(prefill.size() == 1);
  BOOST_TEST(prefill[0].u == 256.0);  // tokens in the cache
  BOOST_TEST(prefill[0].v == 128.0);  // of the chunk
  BOOST_TEST(layer.surface(Operator::attn_decode, Statistic::median, 32.0).empty());
  BOOST_TEST(layer.surface(Operator::attn_decode, Statistic::mean, 16.0).empty());  // the rows have medians only
}

BOOST_AUTO_TEST_CASE(saving_to_the_cache_depends_on_the_tokens_of_a_row) {
  const Read read({profile_table(attention_path, small_attention_text())});
  const LayerProfile& layer = *read.reading.profiles.find_layer("a100", "lab/small", 1);
  BOOST_TEST(layer.curve(Operator::attn_kv_cache_save, Statistic::median, EmptyCell::unmeasured).empty());
  const auto zeros = layer.curve(Operator::attn_kv_cache_save, Statistic::median, EmptyCell::zero);
  BOOST_REQUIRE(zeros.size() == 2);
  BOOST_TEST(zeros[0].x == 8.0);    // max(chunk 0, 8 requests)
  BOOST_TEST(zeros[1].x == 128.0);  // max(chunk 128, 1 request)
  BOOST_TEST(zeros[1].seconds == 0.0);
}

BOOST_AUTO_TEST_CASE(networks_and_processors_are_found) {
  const Read read({profile_table("cpu_overhead/a100/cpu_overheads.csv", small_processor_text()),
                   profile_table("network/a100_pair_nvlink/allreduce.csv", small_network_text())});
  BOOST_TEST(messages(read.reading.errors) == "");
  const ProfileSet& set = read.reading.profiles;
  const NetworkProfile* pair = set.find_network("a100_pairwise_nvlink", Operator::all_reduce, 2, 2);
  BOOST_REQUIRE(pair != nullptr);
  BOOST_TEST(pair == set.find_network("a100_pair_nvlink", Operator::all_reduce, 2, 2));
  BOOST_TEST(pair->max_devices_per_node == 4);
  const auto samples = pair->curve(Statistic::median);
  BOOST_REQUIRE(samples.size() == 2);  // repeats differ in their index, hence both are measurements
  BOOST_TEST(samples[0].x == 2048.0);
  BOOST_TEST(set.find_network("a100_pairwise_nvlink", Operator::all_reduce, 4, 4)->curve(Statistic::median).size() ==
             1);
  BOOST_TEST(set.find_network("a100_pairwise_nvlink", Operator::all_reduce, 4, 2) == nullptr);
  const ProcessorProfile* processor = set.find_processor("a100", "lab/small", 2);
  BOOST_REQUIRE(processor != nullptr);
  BOOST_TEST(processor->curve(Operator::schedule, Statistic::mean)[0].seconds == 0.25e-3);
  BOOST_TEST(processor->curve(Operator::ray_comm_time, Statistic::median)[0].seconds ==
             6.2e-3);  // only its mean is measured
}

namespace {

struct Defect {
  const char* why;
  const char* path;
  const char* from;  ///< replaced in the small table of that path, wherever it is
  const char* to;
  const char* errors;    ///< starts with
  const char* warnings;  ///< starts with
};

// Line 2 of the layer's table is of 4096 tokens, line 5 of degree 2; line 2 of the attention table decodes.
const Defect defects[] = {
    {"a key column is missing", layer_path, "num_tokens", "tokens", "1: column 'num_tokens' is missing", ""},
    {"a time column is missing", layer_path, "attn_rope.median", "attn_rope.middle",
     "1: column 'time_stats.attn_rope.median' is missing", ""},
    {"norms may be missing", layer_path, "input_layernorm.median", "other.median", "", ""},
    {"a time is nan", layer_path, "0.4,0.5", "nan,0.5",
     "2:time_stats.mlp_up_proj.median time_stats.mlp_up_proj.median is not a number ('nan')", ""},
    {"a time is negative", layer_path, "0.4,0.5", "-0.4,0.5",
     "2:time_stats.mlp_up_proj.median time_stats.mlp_up_proj.median is negative (it is -0.4)", ""},
    {"a time is empty", layer_path, "0.4,0.5", ",0.5", "",
     "2:time_stats.mlp_up_proj.median 1 of 4 cells of time_stats.mlp_up_proj.median are empty"},
    {"a count is no whole number", layer_path, "True,4096", "True,4096.5",
     "2:num_tokens num_tokens is not a whole number of at least 1 (it is 4096.5)", ""},
    {"a count is zero", layer_path, "True,4096", "True,0", "2:num_tokens num_tokens is not a whole number", ""},
    {"a count is missing", layer_path, "True,4096", "True,",
     "2:num_tokens num_tokens is not a whole number of at least 1 (the cell is empty)", ""},
    {"a truth value is neither True nor False", layer_path, "True,4096", "maybe,4096",
     "2:use_gated_mlp use_gated_mlp is not True or False ('maybe')", ""},
    {"the median is above the maximum", layer_path, "0.4,0.5", "0.4,0.3", "",
     "2:time_stats.mlp_up_proj.median time_stats.mlp_up_proj.median is not between minimum and maximum"},
    {"one time is too short", layer_path, "0.4,0.5", "0.0004,0.0005", "",
     "2:time_stats.mlp_up_proj.median time_stats.mlp_up_proj.median is shorter than possible on the device (0.0004 ms "
     "where "
     "at least 0.110127 ms are expected; 1 of 4 rows are out of bounds)"},  // 0.5 * 2 * 4096 * 1024 * 8192 FLOP / 312
                                                                            // TFLOP/s
    {"one time is too long", layer_path, "0.4,0.5", "400,500", "",
     "2:time_stats.mlp_up_proj.median time_stats.mlp_up_proj.median is very long"},
    {"seconds instead of milliseconds", layer_path, "0.02,0.03", "0.00002,0.00003",
     "3:time_stats.mlp_up_proj.median time_stats.mlp_up_proj.median is shorter than possible on the device", ""},
    {"microseconds instead of milliseconds", layer_path, "0.02,0.03", "20,30",
     "3:time_stats.mlp_up_proj.median time_stats.mlp_up_proj.median is very long", ""},
    {"another shape from some row on", layer_path, "16,8,1024,4096,32000,True,4096,2",
     "16,8,512,4096,32000,True,4096,1", "", "5:n_embd the rows from here on have another model shape"},
    {"an unknown backend", attention_path, "AttentionBackend.FLASHINFER", "AttentionBackend.MAGIC", "",
     "2:attention_backend attention backend 'MAGIC' is unknown"},
    {"two backends", attention_path, "True,AttentionBackend.FLASHINFER", "True,AttentionBackend.FLASH_ATTENTION",
     "3:attention_backend attention backend 'FLASH_ATTENTION' is not that of the rows before ('FLASHINFER'", ""},
    {"a kernel that takes no time", attention_path, "0.06,", "0.00006,",
     "2:time_stats.attn_decode.median time_stats.attn_decode.median is shorter than possible on the device", ""},
};

const NamedRates rates[] = {{"a100", {Throughput{312e12}, Bandwidth{2.039e12}}}};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

BOOST_DATA_TEST_CASE(defects_have_a_place, bdata::make(defects), defect) {
  const std::string sound = defect.path == layer_path ? small_layer_text() : small_attention_text();
  const std::string text = replaced(sound, defect.from, defect.to);
  BOOST_REQUIRE(text != sound);
  const Read read({profile_table(defect.path, text)}, rates);
  const std::string errors = messages(read.reading.errors);
  const std::string warnings = messages(read.reading.warnings);
  BOOST_TEST(errors.starts_with(defect.errors), errors);
  BOOST_TEST(errors.empty() == std::string(defect.errors).empty(), errors);
  BOOST_TEST(warnings.starts_with(defect.warnings), warnings);
  BOOST_TEST(warnings.empty() == std::string(defect.warnings).empty(), warnings);
}

BOOST_AUTO_TEST_CASE(an_unknown_device_is_held_to_the_bounds_of_any) {
  const auto found = [](const char* from, const char* to) {
    const Read read({profile_table("compute/chip/lab/small/mlp.csv", replaced(small_layer_text(), from, to))});
    return messages(read.reading.errors) + "|" + messages(read.reading.warnings);
  };
  BOOST_TEST(found("0.4,0.5", "0.04,0.05") == "|");  // 1.7 PFLOP/s: a chip may do that
  BOOST_TEST(found("0.4,0.5", "0.001,0.05").find("|2:time_stats.mlp_up_proj.median") == 0);  // 69 PFLOP/s
  const std::string slow = found("0.02,0.03", "2000,3000");
  BOOST_TEST(slow.find("|3:time_stats.mlp_up_proj.median") == 0, slow);  // a warning: it may be slow
}

BOOST_AUTO_TEST_CASE(tables_elsewhere_and_twice_are_told) {
  const Read read({profile_table("a100/lab/small/mlp.csv", small_layer_text()),
                   profile_table("network/a100_dgx/attention.csv", small_attention_text()),
                   profile_table("x/compute/a100/lab/small/mlp.csv", small_layer_text()),
                   profile_table("y/compute/a100/lab/other/mlp.csv", "num_tokens\n"),
                   profile_table("y/compute/a100/lab/small/mlp.csv", small_layer_text())});
  BOOST_TEST(messages(read.reading.warnings) ==
             "0: the table is not used (its path does not follow the layout of measured tables); 0: the table is not "
             "used (its path does not follow the layout of measured tables)");
  BOOST_TEST(messages(read.reading.errors) ==
             "1: the table has no rows; 0: duplicate table (the other one is x/compute/a100/lab/small/mlp.csv)");
}

BOOST_AUTO_TEST_CASE(many_problems_of_a_table_are_counted) {
  const std::string sound = small_layer_text();
  const std::string header = sound.substr(0, sound.find('\n') + 1);
  const std::string row = sound.substr(header.size(), sound.find('\n', header.size()) + 1 - header.size());
  std::string text = header;
  for (int i = 0; i < 30; ++i) text += "-" + row;
  const Read read({profile_table(layer_path, text)});
  BOOST_TEST(read.reading.errors.size() == 21);
  BOOST_TEST(read.reading.errors.back().problem == "10 more problems");
}

BOOST_AUTO_TEST_SUITE_END()
