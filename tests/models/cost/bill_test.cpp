/// Bills: stated prices stay where nothing varies, and follow derived ones where a part does.
#include "models/cost/bill.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(bill_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using cost::Bill;
using cost::Source;

namespace {

System known_system() {
  System s;
  s.accelerator.peak_16bit = Throughput{1e15};
  s.accelerator.peak_8bit = Throughput{2e15};
  s.accelerator.memory_bandwidth = Bandwidth{3e12};
  s.accelerator.memory_capacity = Bytes{80e9};
  s.network.inside.bandwidth = Bandwidth{450e9};
  s.network.across.bandwidth = Bandwidth{50e9};
  s.price = Dollars{40000};
  s.power = Watts{1200};
  s.power_limit = Watts{700};
  s.idle_power = Watts{100};
  return s;
}

/// The bill of the system with another memory bandwidth.
Bill bill_at(const System& system, double bandwidth, const cost::StatedCosts& stated = {}) {
  System now = system;
  now.accelerator.memory_bandwidth = Bandwidth{bandwidth};
  cost::VariedParts varied;
  varied.system = now;
  cost::NamedParts named;
  named.system = &system;
  return cost::bill_of(named, varied, stated);
}

Device known_chip() {
  Device d;
  d.peak_flops = Throughput{1e15};
  d.price = Dollars{30000};
  d.power = Watts{500};
  return d;
}

const Memory known_memory{Bandwidth{3e12}, Bytes{1e12}, PricePerBandwidth{1e-9}, PowerPerBandwidth{0.05e-9}};
const Interconnect known_link{Bandwidth{100e9},           {},
                              PricePerBandwidth{2e-9},    PricePerBandwidth{24e-9},
                              PowerPerBandwidth{0.01e-9}, PowerPerBandwidth{0.05e-9}};

Bill bill_of_chip(const Device& chip, const Memory* memory, double capacity, const cost::StatedCosts& stated = {}) {
  cost::VariedParts varied;
  varied.system = built_system(chip, memory != nullptr ? *memory : known_memory, known_link, Interconnect{});
  varied.memory_bytes = capacity;
  cost::NamedParts named;
  named.device = &chip;
  named.memory = memory;
  named.inside = &known_link;
  return cost::bill_of(named, varied, stated);
}

}  // namespace

BOOST_AUTO_TEST_CASE(stated_figures_stay_where_nothing_varies) {
  const Bill bill = bill_at(known_system(), 3e12);
  BOOST_TEST(bill.price.value() == 40000);
  BOOST_TEST(bill.power.value() == 1200);
  BOOST_TEST(bill.limit.value() == 700);
  BOOST_TEST(bill.idle.value() == 100);
  BOOST_TEST((bill.price_source == Source::given && bill.power_source == Source::given));
  BOOST_TEST(bill.has_measured_watts);
  BOOST_TEST(cost::rest_of_node(bill).value() == 500);
}

// W14: a memory of 16 TB/s costs and draws more than one of 2 TB/s, and the change begins at nothing.
BOOST_AUTO_TEST_CASE(figures_follow_what_varies_without_a_jump) {
  const Bill slow = bill_at(known_system(), 2e12);
  const Bill same = bill_at(known_system(), 3e12);
  const Bill near = bill_at(known_system(), 3.0003e12);
  const Bill fast = bill_at(known_system(), 16e12);
  BOOST_TEST((slow.price < same.price && same.price < near.price && near.price < fast.price));
  BOOST_TEST((slow.power < same.power && same.power < near.power && near.power < fast.power));
  BOOST_TEST((slow.limit < same.limit && same.limit < fast.limit));
  BOOST_TEST(near.price.value() == same.price.value(), tt::tolerance(1e-3));
  BOOST_TEST((fast.price_source == Source::derived && fast.power_source == Source::derived));
  BOOST_TEST(!fast.has_measured_watts);
}

BOOST_AUTO_TEST_CASE(a_system_without_price_has_a_derived_one) {
  System system = known_system();
  system.price = Dollars{absent};
  system.power = Watts{absent};
  const Bill bill = bill_at(system, 3e12);
  BOOST_TEST(bill.price.value() == cost::derived_price(cost::parts_of(system)).total().value());
  BOOST_TEST((bill.price_source == Source::derived));
  BOOST_TEST(bill.power.value() == 700 + 496);  // its limit and a derived share of the node
}

BOOST_AUTO_TEST_CASE(stated_parts_replace_derived_ones) {
  const System system = known_system();
  const cost::ByPart<Dollars> parts = cost::derived_price(cost::parts_of(system));
  cost::StatedCosts stated;
  stated.device_price = 1000;
  stated.host_price = 10;
  const Bill bill = bill_at(system, 3e12, stated);
  BOOST_TEST(bill.price.value() == 1010 + (parts.memory + parts.links).value(), tt::tolerance(1e-12));
  BOOST_TEST((bill.price_source == Source::derived));
  stated.memory_price = stated.link_price = 5;
  const Bill all = bill_at(system, 3e12, stated);
  BOOST_TEST(all.price.value() == 1020);
  BOOST_TEST((all.price_source == Source::given));
}

BOOST_AUTO_TEST_CASE(a_lower_limit_takes_its_watts_from_the_nameplate) {
  cost::StatedCosts stated;
  stated.power_limit = 500;
  const Bill bill = bill_at(known_system(), 3e12, stated);
  BOOST_TEST(bill.limit.value() == 500);
  BOOST_TEST(bill.power.value() == 1000);
  BOOST_TEST(cost::rest_of_node(bill).value() == 500);
  stated.power_limit = 900;  // above that of the entry: nothing
  BOOST_TEST(bill_at(known_system(), 3e12, stated).limit.value() == 700);
}

// A chip of many times the parts of its entry needs a larger supply; the rest of its node stays as it is.
BOOST_AUTO_TEST_CASE(the_rest_of_a_node_stays_where_parts_vary) {
  System without_limit = known_system();
  without_limit.power_limit = Watts{absent};
  for (const System& system : {known_system(), without_limit})
    for (const double bandwidth : {1.0, 3e11, 3e13, 1e20}) {
      cost::StatedCosts stated;
      const Bill free = bill_at(system, bandwidth, stated);
      stated.power_limit = 300;
      const Bill limited = bill_at(system, bandwidth, stated);
      BOOST_TEST_CONTEXT("bandwidth " << bandwidth) {
        const double rest = bill_at(system, 3e12).power.value() - bill_at(system, 3e12).limit.value();
        BOOST_TEST((free.power - free.limit).value() == rest, tt::tolerance(1e-9 * free.power.value() / rest));
        BOOST_TEST((limited.power - limited.limit).value() == rest, tt::tolerance(1e-9 * free.power.value() / rest));
        BOOST_TEST(limited.power.value() > 0);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_chip_is_the_sum_of_its_entries) {
  const Bill bill = bill_of_chip(known_chip(), &known_memory, absent);
  BOOST_TEST(bill.price.value() == 30000 + 3000 + 2600, tt::tolerance(1e-12));  // 26 USD/(GB/s) of links and switches
  BOOST_TEST(bill.power.value() == 500 + 150 + 6, tt::tolerance(1e-12));
  BOOST_TEST(bill.idle.value() == 0.2 * bill.limit.value(), tt::tolerance(1e-12));
  BOOST_TEST((bill.price_source == Source::given && bill.power_source == Source::given));
  BOOST_TEST(!bill.has_measured_watts);
}

BOOST_AUTO_TEST_CASE(swept_capacity_is_not_free) {
  const Bill bill = bill_of_chip(known_chip(), &known_memory, 100e9);
  BOOST_TEST(bill.price.value() == 35600 + 1.28 * 15 * 100, tt::tolerance(1e-12));
  BOOST_TEST((bill.price_source == Source::derived));
}

BOOST_AUTO_TEST_CASE(unknown_prices_of_a_chip_are_derived) {
  Device chip = known_chip();
  chip.price = Dollars{absent};
  const Bill bill = bill_of_chip(chip, nullptr, absent);
  BOOST_TEST(bill.price.value() == 12900 + 1.28 * 3000 + 2600, tt::tolerance(1e-12));
  BOOST_TEST((bill.price_source == Source::derived));
}

BOOST_AUTO_TEST_CASE(a_swept_peak_counts_in_its_format) {
  const System system = known_system();
  cost::NamedParts named;
  named.system = &system;
  cost::VariedParts varied;
  varied.system = system;
  varied.peak_flops = 2e15;
  varied.format = MatrixFormat::bits8;  // what the entry has
  BOOST_TEST(cost::bill_of(named, varied, {}).price.value() == 40000);
  varied.format = MatrixFormat::bits16;  // twice as many multipliers
  BOOST_TEST(cost::bill_of(named, varied, {}).price.value() > 48000);
}

BOOST_AUTO_TEST_SUITE_END()
