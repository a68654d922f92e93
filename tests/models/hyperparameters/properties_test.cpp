/// Properties of the hyperparameters estimator at random points of everything that it accepts, for random laws.
/// DFSWEEP_LONG_TESTS=1: twenty times as many.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <map>

#include "models/hyperparameters/estimator.hpp"
#include "models/hyperparameters/points/published.hpp"
#include "models/statistics/random.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/fallback.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::hyperparameters;
using namespace dfsweep::testing;

namespace {

constexpr double rounding = 1e-9;  ///< relative; logarithms of up to 100 lose two digits of fifteen, squares two more

std::uint64_t point_count() {
  return std::getenv("DFSWEEP_LONG_TESTS") != nullptr ? 100'000 : 5'000;
}

class Draw {
 public:
  explicit Draw(std::uint64_t point) : next_(point * most_per_point) {}
  double between(double low, double high) { return low + (high - low) * random_.uniform(next_++); }
  double log_between(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }

 private:
  static constexpr std::uint64_t most_per_point = 64;
  CounterRandom random_{20};
  std::uint64_t next_;
};

/// A power law with exponents like those of published laws and a basin with eigenvalues of 0.001 to 0.03.
Entry random_law(Draw& draw) {
  const double low = draw.log_between(1e-3, 3e-2);
  const double high = draw.log_between(low, 3e-2);
  const double angle = draw.between(0.0, 3.141592653589793);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  Entry entry;
  entry.name = "random";
  entry.numbers = {{"lr_intercept", draw.between(-3.0, 4.0)},    {"lr_lnN", draw.between(-0.8, 0.1)},
                   {"lr_lnD", draw.between(-0.1, 0.4)},          {"batch_intercept", draw.between(-2.0, 6.0)},
                   {"batch_lnNa", draw.between(-0.4, 0.4)},      {"batch_lnD", draw.between(0.2, 0.7)},
                   {"curvature_xx", low * c * c + high * s * s}, {"curvature_xy", (low - high) * c * s},
                   {"curvature_yy", low * s * s + high * c * c}};
  return entry;
}

using Given = std::map<Parameter, double>;

struct Answered {
  std::uint8_t status = 0;
  std::map<Metric, double> of;
};

Answered answered(const Entry& law, const Given& given) {
  SweepValues values;
  for (const ParameterInfo& info : hyperparameters::parameters())
    values.parameters.push_back({{fallback_of(info)}, SweepValues::fixed});
  values[Parameter::law].values[0].entry = &law;
  for (const auto& [parameter, number] : given) values[parameter].values[0].number = number;
  const Estimates found = estimates_of(*make_hyperparameters_estimator()->prepare(values), count_of<Metric>, {}, 1);
  Answered out{found.status[0], {}};
  for (const Metric metric : all_of<Metric>) out.of[metric] = found.metrics[index_of(metric)][0];
  return out;
}

double excess(const Entry& law, Given given, double rate, double batch) {
  given[Parameter::learning_rate] = rate;
  given[Parameter::batch_tokens] = batch;
  return answered(law, given).of[Metric::loss_excess];
}

/// What a test of a point needs: a law, a scale, and what the law says there.
struct Case {
  Entry law;
  Given scale;
  Answered best;
  Draw draw;
};

Case random_case(std::uint64_t number) {
  Draw draw(number);
  Entry law = random_law(draw);
  const double parameters = draw.log_between(1.0, 1e30);
  Given scale = {{Parameter::size_parameters, parameters},
                 {Parameter::activated_parameters, draw.log_between(1.0, parameters)},
                 {Parameter::train_tokens, draw.log_between(1.0, 1e30)},
                 {Parameter::sequence_length, draw.log_between(1.0, 1e12)},
                 {Parameter::plateau_excess, draw.log_between(1e-9, 10.0)}};
  Answered best = answered(law, scale);
  return {std::move(law), std::move(scale), std::move(best), draw};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_answer_is_finite_and_the_optimum_costs_nothing) {
  for (std::uint64_t number = 0; number < point_count(); ++number) {
    Case c = random_case(number);
    BOOST_TEST_CONTEXT("point " << number) {
      BOOST_TEST_REQUIRE(c.best.status == status_ok);
      for (const Metric metric : {Metric::optimal_learning_rate, Metric::optimal_batch_tokens,
                                  Metric::optimal_batch_sequences, Metric::learning_rate_at_batch}) {
        BOOST_TEST(std::isfinite(c.best.of[metric]));
        BOOST_TEST(c.best.of[metric] > 0.0);
      }
      const double rate = c.best.of[Metric::optimal_learning_rate];
      BOOST_TEST(c.best.of[Metric::loss_excess] == 0.0);
      BOOST_TEST(c.best.of[Metric::learning_rate_at_batch] == rate);
      BOOST_TEST(c.best.of[Metric::plateau_low] < rate);
      BOOST_TEST(rate < c.best.of[Metric::plateau_high]);
      const double elsewhere = excess(c.law, c.scale, c.draw.log_between(1e-12, 1e3), c.draw.log_between(1.0, 1e30));
      BOOST_TEST(std::isfinite(elsewhere));
      BOOST_TEST(elsewhere >= 0.0);
    }
  }
}

// The loss of the best model for the same compute is never above the point's, more of either quantity lowers the loss,
// and the compute is that of the point.
BOOST_AUTO_TEST_CASE(no_point_has_less_loss_than_the_best_of_its_compute) {
  for (std::uint64_t number = 0; number < point_count(); ++number) {
    Draw draw(number);
    Entry law;
    law.name = "random";
    law.numbers = {{"loss_floor", draw.between(0.0, 3.0)},
                   {"loss_lnA", draw.between(0.0, 10.0)},
                   {"loss_alpha", draw.log_between(0.05, 1.0)},
                   {"loss_lnB", draw.between(0.0, 10.0)},
                   {"loss_beta", draw.log_between(0.05, 1.0)}};
    law.lists = {{"range_N", {1e8, 1e10}}, {"range_Na", {1e8, 1e10}}, {"range_D", {1e9, 1e12}}};
    const double parameters = draw.log_between(1.0, 1e30);
    const double tokens = draw.log_between(1.0, 1e29);
    const auto at = [&law](double n, double d) {
      return answered(law, {{Parameter::size_parameters, n}, {Parameter::train_tokens, d}});
    };
    Answered here = at(parameters, tokens);
    BOOST_TEST_CONTEXT("point " << number) {
      BOOST_TEST_REQUIRE(here.status == status_ok);
      BOOST_TEST(std::isfinite(here.of[Metric::loss]));
      BOOST_TEST(here.of[Metric::compute_optimal_loss] <= here.of[Metric::loss] * (1 + rounding));
      const double compute = here.of[Metric::compute_optimal_parameters] * here.of[Metric::compute_optimal_tokens];
      BOOST_TEST(std::abs(compute / (parameters * tokens) - 1) < rounding);
      BOOST_TEST(at(parameters, 10 * tokens).of[Metric::loss] <= here.of[Metric::loss]);
    }
  }
}

// At any batch the ridge costs least, the loss rises either way from it, and the plateau lies about it: its ends cost
// plateau_excess, and it is absent where the ridge costs more.
BOOST_AUTO_TEST_CASE(the_plateau_of_a_batch_lies_about_its_best_learning_rate) {
  for (std::uint64_t number = 0; number < point_count(); ++number) {
    Case c = random_case(number);
    // From batches inside the plateau to those far outside; all of them a batch that is accepted.
    const double reach = 3.0 * std::sqrt(2.0 * std::log1p(c.scale[Parameter::plateau_excess]) / 1e-3);
    const double batch =
        std::clamp(c.best.of[Metric::optimal_batch_tokens] * std::exp(c.draw.between(-reach, reach)), 1.0, 1e30);
    Given at = c.scale;
    at[Parameter::batch_tokens] = batch;
    Answered here = answered(c.law, at);
    const double ridge = here.of[Metric::learning_rate_at_batch];
    const double bound = c.scale[Parameter::plateau_excess];
    const double least = excess(c.law, c.scale, ridge, batch);
    BOOST_TEST_CONTEXT("point " << number) {
      double before[2] = {least, least};
      for (const double factor : {1.01, 1.5, 4.0, 100.0})
        for (const bool up : {false, true}) {
          const double now = excess(c.law, c.scale, up ? ridge * factor : ridge / factor, batch);
          BOOST_TEST(now >= before[up] * (1.0 - rounding));
          before[up] = now;
        }
      if (least > bound * (1.0 + 1e-6)) {
        BOOST_TEST(std::isnan(here.of[Metric::plateau_low]));
        BOOST_TEST(std::isnan(here.of[Metric::plateau_high]));
      } else if (least < bound * (1.0 - 1e-6)) {
        BOOST_TEST(here.of[Metric::plateau_low] <= ridge);
        BOOST_TEST(ridge <= here.of[Metric::plateau_high]);
        for (const Metric end : {Metric::plateau_low, Metric::plateau_high}) {
          const double there = excess(c.law, c.scale, here.of[end], batch);
          BOOST_TEST(std::abs(there - bound) <= 1e-5 * bound);
        }
      }
    }
  }
}

// A step of 1e-7 in ln lr or ln B changes ln(1 + excess) by no more than the slope of the basin allows.
BOOST_AUTO_TEST_CASE(loss_excess_is_continuous) {
  constexpr double step = 1e-7;
  for (std::uint64_t number = 0; number < point_count(); ++number) {
    Case c = random_case(number);
    const double rate = c.draw.log_between(1e-12, 5e2);
    const double batch = c.draw.log_between(1.0, 5e29);
    const double dx = std::abs(std::log(rate / c.best.of[Metric::optimal_learning_rate]));
    const double dy = std::abs(std::log(batch / c.best.of[Metric::optimal_batch_tokens]));
    constexpr double greatest_curvature = 3e-2;
    const double most = 2.0 * greatest_curvature * (dx + dy + 1.0) * step + 1e-10 * (1.0 + dx * dx + dy * dy);
    const double here = std::log1p(excess(c.law, c.scale, rate, batch));
    BOOST_TEST(std::abs(std::log1p(excess(c.law, c.scale, rate * (1.0 + step), batch)) - here) <= most);
    BOOST_TEST(std::abs(std::log1p(excess(c.law, c.scale, rate, batch * (1.0 + step))) - here) <= most);
  }
}

// Twice the tokens multiply both optima by 2 to the law's exponents; a greater plateau_excess gives a wider plateau; a
// law applied to more activated parameters than parameters is refused.
BOOST_AUTO_TEST_CASE(optima_and_plateaus_follow_their_parameters) {
  for (std::uint64_t number = 0; number < point_count(); ++number) {
    Case c = random_case(number);
    BOOST_TEST_CONTEXT("point " << number) {
      Given more = c.scale;
      more[Parameter::train_tokens] = std::min(2.0 * c.scale[Parameter::train_tokens], 1e30);
      const double ratio = std::log(more[Parameter::train_tokens] / c.scale[Parameter::train_tokens]);
      Answered longer = answered(c.law, more);
      for (const auto& [metric, exponent] :
           {std::pair(Metric::optimal_learning_rate, "lr_lnD"), std::pair(Metric::optimal_batch_tokens, "batch_lnD")})
        BOOST_TEST(std::abs(std::log(longer.of[metric] / c.best.of[metric]) - c.law.numbers[exponent] * ratio) < 1e-10);
      Given wider = c.scale;
      wider[Parameter::plateau_excess] = std::min(2.0 * c.scale[Parameter::plateau_excess], 10.0);
      Answered wide = answered(c.law, wider);
      BOOST_TEST(wide.of[Metric::plateau_low] <= c.best.of[Metric::plateau_low]);
      BOOST_TEST(wide.of[Metric::plateau_high] >= c.best.of[Metric::plateau_high]);
      if (c.scale[Parameter::size_parameters] > 5e29) continue;
      Given wrong = c.scale;
      wrong[Parameter::activated_parameters] = 2.0 * c.scale[Parameter::size_parameters];
      BOOST_TEST(answered(c.law, wrong).status == index_of(Status::invalid));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
