/// Cross-validation on some of the published tables: fits are as good as forests for every operator.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "engine/profiles/profile_folder.hpp"
#include "models/measured_tables/predictors/cross_validation.hpp"

BOOST_AUTO_TEST_SUITE(cross_validation_test)

using namespace dfsweep;

namespace {

const std::filesystem::path folder = std::filesystem::path(DFSWEEP_GOLDEN_DIR) / "data" / "profiling";

/// A few tables of every kind, from several devices. Few are of attention, because its forests are slow to fit.
struct Source {
  const char* device;
  const char* model;
  unsigned tensor_parallel;
};
const Source layers[] = {{"a100", "meta-llama/Llama-2-70b-hf", 8},
                         {"h100", "Qwen/Qwen-72B", 4},
                         {"a40", "codellama/CodeLlama-34b-Instruct-hf", 2},
                         {"a100", "meta-llama/Meta-Llama-3-8B", 1}};
const Source attention[] = {{"a30", "Qwen/Qwen-2-7B", 1}, {"h100", "qwen2_moe_example", 1}};

constexpr double as_good = 1.02;

std::vector<CurvePoint> curve_points(const std::vector<CurveSample>& samples) {
  std::vector<CurvePoint> points;
  for (const CurveSample& sample : samples) points.push_back({sample.x, sample.seconds});
  return points;
}

/// Errors of an operator: the sum over tables of their mean errors.
struct Comparison {
  double fitted = 0.0, forest = 0.0;
  void add(const ValidationErrors& errors) {
    BOOST_TEST(errors.rows > 0.0);
    fitted += fitted_error(errors);
    forest += forest_error(errors);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(fits_are_as_good_as_forests) {
  const ProfileFolder read = read_profile_folder(folder, Catalogue(std::vector<std::filesystem::path>{}), 2);
  std::map<std::string, Comparison> found;
  for (const Source& source : layers) {
    const LayerProfile* layer = read.profiles.find_layer(source.device, source.model, source.tensor_parallel);
    BOOST_REQUIRE(layer != nullptr);
    for (std::size_t op = 0; op < operator_count; ++op)
      if (kind_of(operator_at(op)) == OperatorKind::token && operator_at(op) != Operator::lm_head)  // in no table
        found[std::string(name_of(operator_at(op)))].add(
            cross_validate(curve_points(layer->curve(operator_at(op), Statistic::median, EmptyCell::unmeasured))));
  }
  for (const Source& source : attention) {
    const LayerProfile* layer = read.profiles.find_layer(source.device, source.model, source.tensor_parallel);
    BOOST_REQUIRE(layer != nullptr);
    found["attn_kv_cache_save"].add(cross_validate(
        curve_points(layer->curve(Operator::attn_kv_cache_save, Statistic::median, EmptyCell::unmeasured))));
    std::vector<DecodePoint> decode;
    for (const SurfaceSample& s : layer->surface(Operator::attn_decode, Statistic::median, 16.0))
      decode.push_back({s.u, s.v, s.seconds});
    found["attn_decode"].add(cross_validate(decode));
    std::vector<PrefillPoint> prefill;
    for (const SurfaceSample& s : layer->surface(Operator::attn_prefill, Statistic::median, 16.0))
      prefill.push_back({s.u, s.v, s.seconds});
    found["attn_prefill"].add(cross_validate(prefill));
  }
  const NetworkProfile* reduce = read.profiles.find_network("h100_dgx", Operator::all_reduce, 8, 8);
  const NetworkProfile* send = read.profiles.find_network("a100_dgx", Operator::send_recv, 2, 2);
  BOOST_REQUIRE(reduce != nullptr);
  BOOST_REQUIRE(send != nullptr);
  constexpr double bytes_per_token = 2 * 8192;  // forests ignore the unit; jumps at tiles of tokens need it
  for (const auto& [name, network] : {std::pair("all_reduce", reduce), std::pair("send_recv", send)}) {
    std::vector<CurvePoint> points = curve_points(network->curve(Statistic::median));
    for (CurvePoint& point : points) point.tokens /= bytes_per_token;
    found[name].add(cross_validate(points));
  }

  std::size_t better = 0;
  for (const auto& [name, comparison] : found) {
    BOOST_TEST_CONTEXT(name) BOOST_TEST(comparison.fitted <= as_good * comparison.forest);
    if (comparison.fitted < comparison.forest) ++better;
  }
  BOOST_TEST(found.size() == 15u);
  BOOST_TEST(better >= 10u);
}

BOOST_AUTO_TEST_SUITE_END()
