/// Expected checksums are read in windows of blocks, of which a few are kept: in any order, each block is compared.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"
#include "tests/support/small_result.hpp"

using namespace dfsweep;

BOOST_AUTO_TEST_SUITE(checksum_windows_test)

namespace {

/// Nine blocks of one row, whose checksums are read two blocks at a time.
class NineBlocks {
 public:
  NineBlocks(const NineBlocks&) = delete;
  NineBlocks& operator=(const NineBlocks&) = delete;
  explicit NineBlocks(std::size_t kept_windows) : scratch_("nine-blocks") {
    nine_rows().write(scratch_.path());
    std::vector<RowRange> blocks;
    for (std::uint64_t row = 0; row < 9; ++row) blocks.push_back({row, 1});
    expected_ = nine_rows().with_rows(blocks);
    expected_.complete.kept_windows = kept_windows;
    expected_.complete.read = [this, read = expected_.complete.read](std::size_t first, std::span<Checksum> to) {
      firsts_.push_back(first);
      read(first, to);
      if (first == damaged_window_) to.front().high ^= 1;  // of the first column, of the first block of the window
    };
  }
  [[nodiscard]] DatasetReader reader() const { return {scratch_.path(), expected_}; }
  [[nodiscard]] const std::vector<std::size_t>& firsts() const { return firsts_; }
  void damage(std::size_t window) { damaged_window_ = window; }

 private:
  ScratchFile scratch_;
  ExpectedDataset expected_;
  std::vector<std::size_t> firsts_;  ///< the first block of each window that was read
  std::size_t damaged_window_ = 100;
};

double read_row(const DatasetReader& reader, const char* column, std::uint64_t row) {
  std::array<double, 1> value{};
  reader.read(*reader.column(column), row, std::span(value));
  return value[0];
}

}  // namespace

BOOST_AUTO_TEST_CASE(windows_are_read_when_they_are_needed_and_the_last_used_ones_are_kept) {
  struct Case {
    std::size_t kept;
    std::vector<std::uint64_t> rows;
    std::vector<std::size_t> windows;
    const char* reason;
  };
  const std::vector<Case> cases = {
      {1, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 2, 4, 6, 8}, "in order, each window once; the last has one block"},
      {2, {0, 2, 1, 3}, {0, 2}, "two windows are kept"},
      {1, {0, 2, 1, 3}, {0, 2, 0, 2}, "one is kept"},
      {2, {0, 2, 1, 4, 3}, {0, 2, 4, 2}, "row 1 uses window 0 again, so that window 2 gives way to window 4"},
      {1, {0, 0, 0}, {0}, "a block that was compared is not compared again"},
  };
  for (const Case& each : cases) {
    const NineBlocks nine(each.kept);
    constexpr std::array<double, 3> ways = {1, 2, 4};
    const DatasetReader reader = nine.reader();
    for (const std::uint64_t row : each.rows) BOOST_TEST(read_row(reader, "ways", row) == ways[row % 3]);
    BOOST_TEST(nine.firsts() == each.windows, each.reason);
  }
}

BOOST_AUTO_TEST_CASE(a_block_with_another_checksum_is_refused_each_time) {
  NineBlocks nine(1);
  nine.damage(4);
  const DatasetReader reader = nine.reader();
  const char* const first_column = reader.columns().front().name.c_str();
  for (int round = 0; round < 2; ++round) {
    BOOST_CHECK_THROW(static_cast<void>(read_row(reader, first_column, 4)), BadDataset);
    BOOST_TEST(read_row(reader, first_column, 5) == 5.0);
    BOOST_TEST(read_row(reader, "ways", 4) == 2.0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
