/// The closed form of stations in a row or a circle against the schedule of the same tasks.
#include "models/taskgraph/strategies/stations.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "models/taskgraph/graph/scheduler.hpp"
#include "models/taskgraph/strategies/station_graph.hpp"
#include "tests/support/task_simulation.hpp"

BOOST_AUTO_TEST_SUITE(stations_test)

using namespace dfsweep;
using namespace dfsweep::taskgraph;

namespace {

/// Times are multiples of 1/4, so that both sides are exact.
StationList random_stations(std::mt19937_64& random) {
  StationList list{{}, static_cast<double>(1 + random() % 9), static_cast<double>(1 + random() % 6)};
  const std::size_t stations = 1 + random() % 6;
  for (std::size_t s = 0; s < stations; ++s) {
    PartTimes times;
    for (const Part part : all_of<Part>) times.of[part] = static_cast<double>(random() % 5) * Seconds{0.25};
    list.stations.push_back({"", times, static_cast<double>(random() % 3)});
  }
  list.stations.front().devices = 1.0;
  return list;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equals_the_schedule_and_the_simulation) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 3000; ++round) {
    const StationList list = random_stations(random);
    Stations stations;
    for (const NamedStation& station : list.stations) stations.add(station.times, station.devices);
    const StationGraph graph = station_graph(list);
    Scheduler scheduler(graph.dependences);
    const Seconds makespan = scheduler.run(graph.durations);
    BOOST_REQUIRE(stations.makespan(list.jobs, list.rounds).total() == makespan);
    if (round % 10 == 0) BOOST_REQUIRE(testing::simulate(graph.dependences, graph.durations).makespan == makespan);
    if (makespan == Seconds{}) continue;
    const BusyFractions busy = stations.busy(list.jobs, list.rounds, makespan);
    double least = 2.0;
    double most = 0.0;
    double link = 0.0;
    double mean = 0.0;
    for (std::size_t s = 0; s < list.stations.size(); ++s) {
      const double share = scheduler.busy()[s] / makespan;
      if (list.stations[s].devices == 0.0) {
        link = std::max(link, share);
        continue;
      }
      least = std::min(least, share);
      most = std::max(most, share);
      mean += list.stations[s].devices * share / stations.devices();
    }
    BOOST_TEST_REQUIRE(busy.least == least, boost::test_tools::tolerance(1e-12));
    BOOST_TEST_REQUIRE(busy.most == most, boost::test_tools::tolerance(1e-12));
    BOOST_TEST_REQUIRE(busy.link == link, boost::test_tools::tolerance(1e-12));
    BOOST_TEST_REQUIRE(busy.mean == mean, boost::test_tools::tolerance(1e-12));
  }
}

/// More bandwidth or a higher peak makes every station at most faster, and the closed form grows with each of them.
BOOST_AUTO_TEST_CASE(faster_stations_never_make_the_whole_slower) {
  std::mt19937_64 random(22);
  for (int round = 0; round < 3000; ++round) {
    StationList list = random_stations(random);
    const auto makespan = [&list] {
      Stations stations;
      for (const NamedStation& station : list.stations) stations.add(station.times, station.devices);
      return stations.makespan(list.jobs, list.rounds).total();
    };
    const Seconds before = makespan();
    NamedStation& one = list.stations[random() % list.stations.size()];
    one.times = 0.5 * one.times;
    BOOST_REQUIRE(makespan() <= before);
  }
}

BOOST_AUTO_TEST_SUITE_END()
