/// Quantities: dimensions follow the arithmetic, values are those of the plain numbers.
#include "models/units.hpp"

#include <boost/test/unit_test.hpp>
#include <concepts>

BOOST_AUTO_TEST_SUITE(units_test)

using namespace dfsweep;

namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

static_assert(std::same_as<decltype(Bytes{} / Bandwidth{}), Seconds>);
static_assert(std::same_as<decltype(Flop{} / Throughput{}), Seconds>);
static_assert(std::same_as<decltype(1.0 / Bandwidth{}), SecondsPerByte>);
static_assert(std::same_as<decltype(1.0 / Seconds{}), Frequency>);
static_assert(std::same_as<decltype(Bytes{} * SecondsPerByte{}), Seconds>);
static_assert(std::same_as<decltype(Bandwidth{} * PricePerBandwidth{}), Dollars>);
static_assert(std::same_as<decltype(Bandwidth{} * PowerPerBandwidth{}), Watts>);
static_assert(std::same_as<decltype(Watts{} * Seconds{}), Joules>);
static_assert(std::same_as<decltype(Bytes{} / Bytes{}), double>);
static_assert(Addable<Seconds, Seconds> && !Addable<Seconds, Bytes> && !Addable<Seconds, double>);
static_assert(!std::convertible_to<double, Seconds> && !std::convertible_to<Seconds, double>);

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_those_of_the_plain_numbers) {
  BOOST_TEST((Bytes{3.0} / Bandwidth{7.0}).value() == 3.0 / 7.0);
  BOOST_TEST((1.0 / Bandwidth{7.0}).value() == 1.0 / 7.0);
  BOOST_TEST((0.1 * Bandwidth{7.0} * PricePerBandwidth{0.3}).value() == 0.1 * 7.0 * 0.3);
  BOOST_TEST(((Seconds{0.1} + Seconds{0.2}) / 3.0).value() == (0.1 + 0.2) / 3.0);
  BOOST_TEST((Seconds{0.1} < Seconds{0.2}));
}

BOOST_AUTO_TEST_SUITE_END()
