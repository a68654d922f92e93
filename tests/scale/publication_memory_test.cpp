/// Publication takes no memory for each block and column: a result of many small blocks, whose table of checksums is
/// larger than all that publication may take.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "engine/parallel/communicator.hpp"
#include "engine/store/publication.hpp"
#include "engine/store/verification.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "tests/support/many_blocks.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace dfsweep;
using namespace dfsweep::store;

BOOST_AUTO_TEST_SUITE(publication_memory_test)

namespace {

constexpr std::uint64_t megabyte = 1'000'000;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;  // memory is then used otherwise
#else
constexpr bool is_sanitized = false;
#endif

/// A number of /proc/self/status in bytes; 0 where it is not there.
std::uint64_t memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1)) * 1024;
  return 0;
}

/// The peak of the memory of this process while `act` runs, above what it has before.
template <typename Act>
std::uint64_t peak_of(const Act& act) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins here
  const std::uint64_t before = memory("VmRSS");
  act();
  return memory("VmHWM") - before;
}

}  // namespace

BOOST_AUTO_TEST_CASE(memory_does_not_follow_blocks_and_columns) {
  constexpr BlockNumbers numbers{.blocks = 100'000, .columns = 41, .writers = 50};
  constexpr std::uint64_t table = 16 * std::uint64_t{numbers.blocks} * numbers.columns;  // 66 MB
  // A window of 16 MiB as a message and as a table, 16 bytes for each block of the journals, what threads need.
  constexpr std::uint64_t most = 42 * megabyte;
  static_assert(table > most + 20 * megabyte);
  if (is_sanitized || memory("VmHWM") == 0) {
    BOOST_TEST_MESSAGE("skipped: this system or build does not say how much memory is used");
    return;
  }
  const TemporaryFolder folder;
  const ManyBlocks run(folder.path(), numbers);
  FileSystem& files = real_file_system();

  const std::uint64_t unfinished = peak_of([&] { BOOST_TEST(verify_run(files, folder.path(), 2).is_sound()); });
  BOOST_TEST(unfinished < most);
  const std::unique_ptr<Communicator> alone = make_serial_communicator();
  const std::uint64_t published =
      peak_of([&] { BOOST_TEST((publish(files, folder.path(), *alone, 2).outcome == PublishOutcome::published)); });
  BOOST_TEST(published < most);
  const std::uint64_t query = peak_of([&] {
    const DatasetReader reader(run.directory().result());
    std::vector<double> values(10'000);
    for (std::uint64_t first = 0; first < numbers.blocks; first += values.size())
      reader.read(*reader.column("metric_7"), first, std::span(values));
  });
  BOOST_TEST(query < 10 * megabyte);
  BOOST_TEST_MESSAGE("a table of " << table / megabyte << " MB: " << unfinished / megabyte << " MB to verify a run, "
                                   << published / megabyte << " MB to publish it, " << query / megabyte
                                   << " MB to read a column");
}

BOOST_AUTO_TEST_SUITE_END()
