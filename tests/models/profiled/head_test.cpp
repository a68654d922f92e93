/// Embedding, output layer and sampling of the profiled estimator: from columns of the tables, from operators of the
/// layer where there is no column, and on which stages.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

#include "tests/support/named_rows.hpp"
#include "tests/support/profile_text.hpp"
#include "tests/support/profiled_sweep.hpp"

BOOST_AUTO_TEST_SUITE(head_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

constexpr double ms = 1e-3;
constexpr double analytical = 3.0;

/// The small table with one more column, which has the same time in every row.
std::string with_column(const std::string& text, const std::string& op, const std::string& time) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);)
    all += (all.empty() ? "time_stats." + op + ".median" : time) + "," + line + "\n";
  return all;
}

/// 8 requests behind 512 tokens, 8 tokens measured at both degrees: an up projection of 0.02 ms for 8192 columns and an
/// activation of 0.01 ms that moves 3 * 4096 * 8 numbers. With 12288 entries of the vocabulary, 8 requests sample from
/// as many numbers.
class HeadSweep : public ProfiledSweep {
 public:
  explicit HeadSweep(double vocabulary = 12288) {
    Entry model = profiled_model();
    model.numbers["vocabulary"] = vocabulary;
    set("model", model).set("decode_batch", 8).set("decode_context", 512);
    layer(text_);
  }
  HeadSweep& layer(const std::string& text) {
    table("compute/chip/gpt/mlp.csv", text);
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_ =
      small_layer_text() + "0.01,0.01,0.01,0.01,0.01,0.01,0.01,0.01,0.02,0.03,16,8,1024,4096,32000,True,8,2\n";
};

struct HeadCase {
  const char* why;
  std::function<void(HeadSweep&)> change;
  double embedding, output, sampling;  ///< ms
  double coverage;                     ///< NaN: none
};

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const HeadCase head_cases[] = {
    // 0.02 ms * 12288 / 8192; sampling like the activation of 12288 * 8 / 12288 = 8 tokens.
    {"the embedding is measured", [](HeadSweep& s) { s.layer(with_column(s.text(), "emb", "0.004")); }, 0.004, 0.03,
     0.01, analytical},
    {"the output layer is, too",
     [](HeadSweep& s) { s.layer(with_column(with_column(s.text(), "emb", "0.004"), "lm_head", "0.05")); }, 0.004, 0.05,
     0.01, analytical},
    {"a model without a vocabulary has only an embedding",
     [](HeadSweep& s) { s.layer(with_column(s.text(), "emb", "0.004")).set("model", profiled_model()); }, 0.004, 0, 0,
     0},
    // 48 tokens: 2 * 1024 * 48 numbers are those of the activation of 8 tokens. One prompt: one row of logits for 8.
    {"an embedding without a column moves as many numbers as an activation",
     [](HeadSweep& s) { s.set("decode_batch", 0).set("batch_requests", "8xp6@0"); }, 0.01, 0.03, 0.01, analytical},
    {"a chunk needs logits of one token",
     [](HeadSweep& s) {
       s.layer(with_column(s.text(), "emb", "0.004")).set("decode_batch", 0).set("batch_requests", "7xd1@512;p1@0");
     },
     0.004, 0.03, 0.01, analytical},
    {"nothing costs time where it is not asked for",
     [](HeadSweep& s) { s.layer(with_column(s.text(), "emb", "0.004")).set("head", "none"); }, 0, 0, 0, none},
    {"nor in the original", [](HeadSweep& s) { s.set("convention", "vidur"); }, 0, 0, 0, none},
    // A forest mixes rows; those of the embedding are equal.
    {"whose forests know it where it is asked for",
     [](HeadSweep& s) {
       s.layer(with_column(s.text(), "emb", "0.004")).set("convention", "vidur").set("head", "analytical");
       s.set("model", profiled_model());
     },
     0.004, 0, 0, 0},
    // A stage of two layers each.
    {"the first stage embeds",
     [](HeadSweep& s) { s.layer(with_column(s.text(), "emb", "0.004")).set("pipeline_parallel", 2).set("stage", 0); },
     0.004, 0, 0, 0},
    {"the last one makes logits", [](HeadSweep& s) { s.set("pipeline_parallel", 2).set("stage", 1); }, 0, 0.03, 0.01,
     analytical},
    {"one between them does neither", [](HeadSweep& s) { s.set("pipeline_parallel", 3).set("stage", 1); }, 0, 0, 0,
     none},
    // The all-reduce of 8 tokens takes 0.03 ms, launched in 0.005 ms. The output layer has 6144 columns of 4096, as
    // slow as the projection of 0.02 ms; 12288 * 8 numbers are those of the activation of 16 tokens, in 2048 columns:
    // the vocabulary of half of the requests makes 8 again.
    {"a shared embedding is summed up",
     [](HeadSweep& s) {
       s.set("tensor_parallel", 2).set("fallback", "analytical").set("launch_overhead", 5e-6);
       Entry model = profiled_model();
       model.numbers["vocabulary"] = 6144;
       s.layer(with_column(s.text(), "emb", "0.004")).set("model", model);
     },
     0.004 + 0.03 + 0.005, 0.015, 0.01, analytical},
    {"the sampler of the processor's table has output layer and sampling in it",
     [](HeadSweep& s) {
       s.table("cpu_overhead/chip/cpu_overheads.csv",
               "schedule_median,sampler_e2e_median,prepare_inputs_e2e_median,process_model_outputs_median,"
               "ray_comm_time_mean,model_name,batch_size,tensor_parallel_degree\n0.2,0.6,0.8,0.2,0,gpt,8,1\n");
       s.layer(with_column(s.text(), "emb", "0.004")).set("processor_overhead", "tables");
     },
     0.004, 0, 0, 0},
};

}  // namespace

BOOST_DATA_TEST_CASE(the_head_takes_its_time, bdata::make(head_cases), c) {
  HeadSweep sweep;
  c.change(sweep);
  const NamedEstimate r = sweep.evaluate();
  BOOST_TEST_REQUIRE(r.status == "ok");
  BOOST_TEST(r["embedding_time"] == c.embedding * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["output_time"] == c.output * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["sampling_time"] == c.sampling * ms, tt::tolerance(1e-12));
  BOOST_TEST((std::isnan(c.coverage) ? std::isnan(r["head_coverage"]) : r["head_coverage"] == c.coverage));
  const double sum = r["attention_time"] + r["mlp_time"] + r["tensor_comm_time"] + r["pipeline_comm_time"] +
                     r["processor_time"] + (c.embedding + c.output + c.sampling) * ms;
  BOOST_TEST(r["step_time"] == sum, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_slowest_stage_may_be_the_last_one) {
  // 0.02 ms * 819200 / 8192 = 2 ms of output layer, far more than two layers of 0.17 ms.
  HeadSweep sweep(819200);
  sweep.layer(with_column(sweep.text(), "emb", "0.004")).set("pipeline_parallel", 2).set("dram_capacity", 1e11);
  const auto stage = [&](double s) {
    HeadSweep one(819200);
    one.layer(with_column(one.text(), "emb", "0.004")).set("pipeline_parallel", 2).set("dram_capacity", 1e11);
    one.set("stage", s);
    return one.evaluate()["step_time"];
  };
  const NamedEstimate all = sweep.evaluate();
  BOOST_TEST(all["token_rate"] == 8 / stage(1), tt::tolerance(1e-12));
  BOOST_TEST(all["step_time"] == stage(0) + stage(1), tt::tolerance(1e-12));
  // With little of it, it is the first one, which sends and embeds.
  HeadSweep small(8);
  small.layer(with_column(small.text(), "emb", "0.05")).set("pipeline_parallel", 2);
  BOOST_TEST(small.evaluate()["token_rate"] == 8 / ((2 * 0.17 + 0.04 + 0.05) * ms), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_layers_keep_their_coverage) {
  HeadSweep sweep;
  const NamedEstimate r = sweep.evaluate();
  BOOST_TEST(r["coverage"] == 0.0);
  BOOST_TEST(r["head_coverage"] == analytical);
  // The layer was measured without scatter: 22 % of the output layer and 98 % of what only moves numbers.
  const double error = 0.22 * r["output_time"] + 0.98 * (r["embedding_time"] + r["sampling_time"]);
  BOOST_TEST(r["expected_error"] >= error / r["step_time"] * (1 - 1e-12));
}

BOOST_AUTO_TEST_CASE(explanations_name_the_rows_of_the_head) {
  HeadSweep sweep;
  const Explanation all = sweep.layer(with_column(sweep.text(), "emb", "0.004")).explain();
  std::map<std::string, std::string> places;
  for (const Explanation& section : all.sections)
    if (section.title == "operators")
      for (const auto& row : section.table.rows) places[std::get<std::string>(row[0])] = std::get<std::string>(row[5]);
  for (const char* name : {"embedding", "output layer", "sampling"})
    BOOST_TEST(places[name] == "compute/chip/gpt/mlp.csv:3", name << ": " << places[name]);
}

BOOST_AUTO_TEST_SUITE_END()
