/// The useful share of time: against simulated failures, at its limits, and against published shares.
#include "models/whole_run/interruptions.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "models/statistics/random.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(interruptions_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::whole_run;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Draws of exponential times between interruptions.
class Failures {
 public:
  explicit Failures(double mean) : mean_(mean) {}
  double next() { return -mean_ * std::log1p(-random_.uniform(drawn_++)); }

 private:
  double mean_;
  CounterRandom random_{28};
  std::uint64_t drawn_ = 0;
};

/// Time of a stretch of work that starts again after each interruption; `restart` seconds of it may be interrupted too.
double time_of_stretch(double stretch, double restart, Failures& failures) {
  double spent = 0.0;
  double work = stretch;
  for (;;) {
    const double failure = failures.next();
    if (failure >= work) return spent + work;
    spent += failure;
    work = restart + stretch;
  }
}

/// Useful over all time of `segments` segments of work and save.
double simulated_share(const Interruptions& in, Seconds interval, int segments) {
  Failures failures(in.between.value());
  const double stretch = (interval + in.save).value();
  double spent = 0.0;
  for (int i = 0; i < segments; ++i) spent += time_of_stretch(stretch, in.restart.value(), failures);
  return interval.value() * segments / spent;
}

struct Machine {
  const char* why;
  double devices;
  double save;
  double restart;
};
const Machine machines[] = {
    {"few devices", 1024, 10, 600},        {"Llama 3 405B", 16384, 10, 600},
    {"slow saves", 16384, 60, 600},        {"restarts by hand", 4096, 60, 12600},
    {"100 000 devices", 100'000, 10, 600}, {"restarts longer than the time between", 100'000, 60, 3600},
};

}  // namespace

BOOST_DATA_TEST_CASE(the_share_is_that_of_simulated_failures, bdata::make(machines), m) {
  const Interruptions in{time_between(50'700, m.devices), Seconds{m.save}, Seconds{m.restart}};
  const Seconds interval = best_interval(in);
  BOOST_TEST(std::abs(useful_share(in, interval) - simulated_share(in, interval, 2'000'000)) < 0.001);
}

BOOST_DATA_TEST_CASE(no_other_interval_is_better, bdata::make(machines), m) {
  const Interruptions in{time_between(50'700, m.devices), Seconds{m.save}, Seconds{m.restart}};
  const Seconds best = best_interval(in);
  for (const double factor : {0.5, 0.9, 0.999, 1.001, 1.1, 2.0})
    if (factor * best >= in.save)
      BOOST_TEST(useful_share(in, factor * best) <= useful_share(in, best) * (1.0 + 1e-12), "factor " << factor);
  const double young = std::sqrt(2.0 * m.save * in.between.value()) - m.save;  // the first order of the best interval
  if (m.save < 0.01 * in.between.value()) BOOST_TEST(best.value() == young, tt::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(limits) {
  const Interruptions never{Seconds{infinity}, Seconds{10}, Seconds{600}};
  BOOST_TEST(useful_share(never, Seconds{90}) == 0.9, tt::tolerance(1e-15));  // 1 minus the share of saves
  BOOST_TEST(useful_share(never, best_interval(never)) == 1.0);
  const Interruptions free{Seconds{1000}, Seconds{0}, Seconds{500}};
  BOOST_TEST(best_interval(free).value() == 0.0);  // saves that take no time never stop
  BOOST_TEST(useful_share(free, Seconds{0}) == std::exp(-0.5), tt::tolerance(1e-15));
  const Interruptions long_saves{Seconds{1}, Seconds{10}, Seconds{0}};
  BOOST_TEST(best_interval(long_saves).value() == 10.0);  // at least the time of a save
  const Interruptions hopeless{Seconds{1}, Seconds{1}, Seconds{1e6}};
  BOOST_TEST(useful_share(hopeless, Seconds{1}) == 0.0);
}

BOOST_AUTO_TEST_CASE(more_failures_longer_saves_and_restarts_never_help) {
  const CounterRandom random(5);
  std::uint64_t k = 0;
  const auto log_uniform = [&](double low, double high) { return low * std::pow(high / low, random.uniform(k++)); };
  for (int i = 0; i < 20'000; ++i) {
    const Interruptions in{Seconds{log_uniform(1, 1e9)}, Seconds{log_uniform(1e-3, 1e4)}, Seconds{log_uniform(1, 1e6)}};
    const auto share = [](Interruptions at) { return useful_share(at, best_interval(at)); };
    const double useful = share(in);
    BOOST_TEST_REQUIRE((useful >= 0.0 && useful <= 1.0));
    const Interruptions worse[] = {{0.9 * in.between, in.save, in.restart},
                                   {in.between, 1.1 * in.save, in.restart},
                                   {in.between, in.save, 1.1 * in.restart}};
    for (const Interruptions& other : worse) BOOST_TEST_REQUIRE(share(other) <= useful * (1.0 + 1e-12));
  }
}

namespace {

/// A published share, and the time of restarts that explains it; hours of Llama 3 where the job's are unknown.
struct Fact {
  const char* why;
  double device_hours;
  double devices;
  double save;
  double restart;
  double useful;
};
constexpr double llama_3 = 50'677;
const Fact facts[] = {
    {"g-001 Llama 3 405B, at least .9: 10 minutes", llama_3, 16'384, 10, 600, 0.908},
    {"g-002 OPT-175B: 10 hours, by hand", 16'930, 1024, 60, 35'100, 0.53},
    {"g-004 OPT-175B by another count: 3.5 hours", 7680, 1024, 60, 12'400, 0.59},
    {"g-007 HLAT, automatic: 4 minutes", llama_3, 4096, 1, 230, 0.9881},
    {"g-008 HLAT, by hand: 3 hours", llama_3, 4096, 10, 10'200, 0.7783},
    {"g-009 ByteRobust, restarts in place: 5 minutes", llama_3, 9600, 2, 300, 0.97},
    {"g-010 MegaScale, at least .9: 15 minutes", llama_3, 12'288, 5, 900, 0.917},
    {"g-016 BLOOM: 10 hours", 43'131, 384, 60, 35'600, 0.9},
    {"g-017 175B on 2400, before: 7 hours", llama_3, 2400, 60, 25'400, 0.688},
    {"g-018 175B on 2400, automatic: 9 minutes", llama_3, 2400, 1, 520, 0.988},
};

}  // namespace

BOOST_DATA_TEST_CASE(published_shares_follow_from_a_time_of_restarts, bdata::make(facts), f) {
  const Interruptions in{time_between(f.device_hours, f.devices), Seconds{f.save}, Seconds{f.restart}};
  BOOST_TEST(std::abs(useful_share(in, best_interval(in)) - f.useful) < 0.002);
}

BOOST_AUTO_TEST_SUITE_END()
