/// Training runs as sums per group: what streaming keeps of them.
#include "engine/fit/runs/streamed_runs.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <fstream>

#include "engine/fit/runs/loaded_runs.hpp"
#include "engine/parallel/communicator.hpp"
#include "tests/support/small_result.hpp"

BOOST_AUTO_TEST_SUITE(streamed_runs_test)

using namespace dfsweep;
using namespace dfsweep::fit;
using namespace dfsweep::law_fits;

BOOST_AUTO_TEST_CASE(streamed_sums_have_the_bits_of_sums_of_single_runs) {
  const ScratchFile file("runs.csv");
  std::ofstream out(file.path());
  out << "lr,bs,N,Na,D,loss\n";
  for (int i = 0; i < 600; ++i) {
    const double rate = 1e-3 * (1 + i % 7) * (1.0 + 1e-4 * i);  // no setting twice: only single runs become a median
    const int group = i * 7919 % 5;                             // shuffled
    out << rate << "," << 32 * (1 + i % 11) << "," << 1e9 * (1 + group % 3) << "," << 1e9 << "," << 1e10 * (1 + group)
        << "," << 2.0 + 0.001 * (i % 7) + 0.0002 * (i % 11) + 1e-7 * i << "\n";
    if (i == 200) out << rate << ",32,1e9,1e9,1e10,nan\n";
  }
  out.close();
  const std::filesystem::path paths[] = {file.path()};
  const RunInput input(paths, {});
  const LoadedRuns loaded = load_runs(input, 2);
  const SelectedRuns single = select_runs(group_runs(loaded.runs), fit_windows, 0.0);
  const auto communicator = make_serial_communicator();
  for (const unsigned threads : {1U, 2U, 3U}) {
    const StreamedRuns streamed = stream_runs(input, fit_windows, threads, *communicator);
    BOOST_TEST_REQUIRE(streamed.selected.groups.size() == single.groups.size());
    BOOST_TEST(streamed.findings.set_aside() == 1U);
    for (std::size_t g = 0; g < single.groups.size(); ++g) {
      const SelectedGroup& a = single.groups[g];
      const SelectedGroup& b = streamed.selected.groups[g];
      BOOST_TEST(a.minimum.runs == b.minimum.runs);
      BOOST_TEST(a.minimum.loss == b.minimum.loss);
      BOOST_TEST(std::memcmp(a.moments.data(), b.moments.data(), a.moments.size() * sizeof(RunMoments)) == 0);
    }
  }
}

// Seeds 2.00 and 2.02 of a setting are ln(1.01) / 2 from their mean; the setting at 2.1 is not near, the other has no
// second seed, and the repeated line is no seed.
BOOST_AUTO_TEST_CASE(streamed_seeds_have_a_variance) {
  const ScratchFile file("runs.csv");
  std::ofstream(file.path()) << "lr,bs,N,D,loss,seed\n1e-3,64,1e8,1e9,2.0,1\n1e-3,64,1e8,1e9,2.02,2\n"
                                "1e-3,64,1e8,1e9,2.02,2\n2e-3,64,1e8,1e9,2.0,1\n4e-3,64,1e8,1e9,2.1,1\n"
                                "4e-3,64,1e8,1e9,2.05,2\n";
  const std::filesystem::path paths[] = {file.path()};
  const RunInput input(paths, {});
  const auto communicator = make_serial_communicator();
  const StreamedRuns streamed = stream_runs(input, fit_windows, 2, *communicator);
  const double half = 0.5 * std::log(1.01);
  BOOST_TEST(streamed.seeds.settings == 1U);
  BOOST_TEST(streamed.seeds.runs == 2U);
  BOOST_TEST(streamed.seeds.squares == 2.0 * half * half, boost::test_tools::tolerance(1e-10));
}

BOOST_AUTO_TEST_SUITE_END()
