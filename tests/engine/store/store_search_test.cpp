/// Searches in the store: rows by reported point and rank, and slices that are reduced at publication.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "engine/dataset/candidates.hpp"
#include "engine/evaluation/estimates.hpp"
#include "engine/results/open_result.hpp"
#include "engine/store/verification.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(store_search_test)

using namespace dfsweep;
using namespace dfsweep::store;

namespace {

/// Two reported points of 10 000 points each; nothing is feasible in the second.
constexpr const char* searched = R"(size = { from = "1 B", to = "100 B", step = "1 B" }
seed = { from = 1, to = 100, step = 1 }
outcome = ["normal", "infeasible"]
)";
constexpr const char* search = R"([search]
over = ["size", "seed", "work"]
minimize = "noise"
top = 3
)";

std::string whole_groups() {
  return std::string("[parameters]\nwork = [1, 2]\n") + searched + "[filter]\nkeep = [\"work == 1\"]\n" + search;
}
/// The filter removes the expensive points, whose declared cost makes the plan cut each group into slices.
std::string sliced_groups() {
  return std::string("[parameters]\nwork = [1, 300000]\n") + searched + "[filter]\nkeep = [\"work == 1\"]\n" + search;
}

std::vector<double> numbers(const DatasetReader& reader, const DatasetColumn& column) {
  std::vector<double> values(column.count * column.width);
  reader.read(column, 0, std::span(values));
  return values;
}
std::vector<double> numbers(const DatasetReader& reader, const char* name) {
  return numbers(reader, *reader.column(name));
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

RowBytes row(double value) {
  std::vector<std::byte> metric(sizeof value);
  std::memcpy(metric.data(), &value, sizeof value);
  return {std::vector<std::byte>(4), metric};  // rank, then a metric
}
std::vector<std::byte> counts(std::initializer_list<std::uint64_t> values) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(values.begin(), values.size()));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_come_by_reported_point_and_rank_and_infeasible_ones_say_so) {
  const TemporaryFolder folder;
  const ToySweep sweep(whole_groups());
  BOOST_REQUIRE((sweep.plan.kind() != BlockKind::candidates));
  run_toy(real_file_system(), folder.path(), sweep);
  const DatasetReader reader = open_result(folder.path());
  BOOST_REQUIRE_EQUAL(reader.row_count(), 6U);
  BOOST_TEST(numbers(reader, "rank") == (std::vector<double>{1, 2, 3, 1, 2, 3}), boost::test_tools::per_element());
  const std::vector<double> noise = numbers(reader, "noise");
  BOOST_TEST((noise[0] < noise[1] && noise[1] < noise[2]));
  const std::vector<std::string>& statuses = reader.labels(*reader.column("status"));
  const std::vector<double> status = numbers(reader, "status");
  BOOST_TEST(statuses[static_cast<std::size_t>(status[0])] == "ok");
  BOOST_TEST(statuses[static_cast<std::size_t>(status[3])] == "no_feasible");
  BOOST_TEST(std::isnan(noise[3]));
  BOOST_TEST(numbers(reader, "outcome")[3] == 1.0);  // reported axes have values even there
  BOOST_TEST(numbers(reader, "seed")[3] == std::numeric_limits<std::int32_t>::lowest());
  const std::vector<double> reported = numbers(reader, reader.group_columns()[0]);
  BOOST_TEST(reported == (std::vector<double>{0, 1}), boost::test_tools::per_element());
  const std::vector<double> rejections = numbers(reader, reader.group_columns()[1]);
  BOOST_TEST(rejections[0] == 10000.0);                    // ok
  BOOST_TEST(rejections[statuses.size() + 3] == 10000.0);  // infeasible
  BOOST_TEST(reader.attribute("search_over") == "work size seed");
}

BOOST_AUTO_TEST_CASE(slices_reduce_to_the_rows_of_whole_groups) {
  const TemporaryFolder folder;
  const ToySweep whole(whole_groups());
  const ToySweep sliced(sliced_groups());
  BOOST_REQUIRE((sliced.plan.kind() == BlockKind::candidates));
  BOOST_REQUIRE_GT(sliced.plan.slices_per_group(), 1U);
  run_toy(real_file_system(), folder.path() / "whole", whole);
  run_toy(real_file_system(), folder.path() / "sliced", sliced);
  const DatasetReader expected = open_result(folder.path() / "whole");
  const DatasetReader reader = open_result(folder.path() / "sliced");
  for (const DatasetColumn& column : expected.columns()) {
    const std::vector<double> a = numbers(expected, column);
    const std::vector<double> b = numbers(reader, column.name.c_str());
    BOOST_REQUIRE_EQUAL(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) BOOST_TEST(same(a[i], b[i]), column.name << " of row " << i);
  }
  for (std::size_t c = 0; c < 2; ++c)
    BOOST_TEST(numbers(expected, expected.group_columns()[c]) == numbers(reader, reader.group_columns()[c]),
               boost::test_tools::per_element());
  BOOST_TEST(verify_run(real_file_system(), folder.path() / "sliced", 2).is_sound());
  BOOST_TEST(verify_file(real_file_system(), folder.path() / "sliced/result.h5", 1).is_sound());
}

BOOST_AUTO_TEST_CASE(damaged_rows_of_slices_are_reduced_again_without_evaluating) {
  FaultyFileSystem files;
  const ToySweep sweep(sliced_groups());
  run_toy(files, "run", sweep);
  const std::vector<std::byte> sound = files.content("run/result.h5");
  const RunRecord record = read_run_record(files, {"run"});
  std::vector<std::byte> bytes = sound;
  bytes[record.place("noise").offset + 3] ^= std::byte{1};
  files.set_content("run/result.h5", bytes);
  BOOST_TEST(verify_run(files, "run", 1).damaged.size() == 1U);
  {
    const Store store = Store::create(files, "run", sweep.plan, Part{}, OpenMode::resume);
    BOOST_TEST(std::count(store.complete().begin(), store.complete().end(), false) == 0);
  }
  run_toy(files, "run", sweep);
  BOOST_TEST((files.content("run/result.h5") == sound));
}

BOOST_AUTO_TEST_CASE(a_sliced_search_survives_a_crash_at_every_operation) {
  const ToySweep sweep(sliced_groups());
  std::vector<std::byte> reference;
  {
    FaultyFileSystem files;
    run_toy(files, "run", sweep);
    reference = files.content("run/result.h5");
  }
  for (std::uint64_t k = 1;; ++k) {
    FaultyFileSystem files;
    files.arm(Fault::crash, k);
    try {
      run_toy(files, "run", sweep);
    } catch (const Crash&) {
    }
    const bool was_hit = files.was_hit();
    files.reboot(Unsynced::mixed, k);
    run_toy(files, "run", sweep);
    BOOST_TEST_INFO("operation " << k);
    BOOST_REQUIRE(files.content("run/result.h5") == reference);
    if (!was_hit) break;
  }
}

BOOST_AUTO_TEST_CASE(candidates_reduce_by_value_then_point_whatever_their_slices) {
  SliceCandidates a{.first_point = 10,
                    .group = {counts({10}), counts({1, 2})},
                    .no_feasible = row(-1.0),
                    .best = {{5.0, 12, row(5.0)}}};
  SliceCandidates b{.first_point = 4,
                    .group = {counts({4}), counts({3, 0})},
                    .no_feasible = row(-2.0),
                    .best = {{5.0, 7, row(50.0)}, {6.0, 4, row(6.0)}}};
  const SliceCandidates empty{.first_point = no_point, .group = {}, .no_feasible = {}, .best = {}};
  const CandidateOrder order{.better = Better::lower, .top = 4, .rank_column = 0};
  const std::vector<SliceCandidates> slices = {a, empty, b};
  const auto columns = reduce_slices(slices, order);
  BOOST_REQUIRE_EQUAL(columns.size(), 4U);
  std::vector<std::int32_t> ranks(4);
  std::memcpy(ranks.data(), columns[0].data(), columns[0].size());
  BOOST_TEST(ranks == (std::vector<std::int32_t>{1, 2, 3, 4}), boost::test_tools::per_element());
  std::vector<double> values(4);
  std::memcpy(values.data(), columns[1].data(), columns[1].size());
  // 5 at point 7 before 5 at point 12; the missing fourth is the row of the slice with the lowest point.
  BOOST_TEST(values == (std::vector<double>{50.0, 5.0, 6.0, -2.0}), boost::test_tools::per_element());
  BOOST_TEST((columns[2] == counts({4})));
  BOOST_TEST((columns[3] == counts({4, 2})));
  const SliceCandidates back = decode_slice(encode_slice(b));
  BOOST_TEST(back.first_point == 4U);
  BOOST_TEST((back.best[1].row == b.best[1].row && back.group == b.group && back.no_feasible == b.no_feasible));
}

// A group that a former result has is in each of its slices that did not evaluate their own points.
BOOST_AUTO_TEST_CASE(candidates_of_a_whole_group_are_not_added_to_those_of_slices) {
  const SliceCandidates own{.first_point = 4,
                            .group = {counts({4}), counts({3, 0})},
                            .no_feasible = row(-2.0),
                            .best = {{5.0, 7, row(50.0)}}};
  const SliceCandidates whole{.first_point = 4,
                              .group = {counts({4}), counts({4, 2})},
                              .no_feasible = row(-2.0),
                              .best = {{5.0, 7, row(50.0)}, {6.0, 9, row(6.0)}},
                              .extent = SliceExtent::group};
  BOOST_TEST((decode_slice(encode_slice(own)).extent == SliceExtent::slice));
  BOOST_TEST((decode_slice(encode_slice(whole)).extent == SliceExtent::group));
  const CandidateOrder order{.better = Better::lower, .top = 2, .rank_column = 0};
  const std::vector<SliceCandidates> alone = {whole};
  const auto expected = reduce_slices(alone, order);
  BOOST_TEST((expected[3] == counts({4, 2})));
  const std::vector<SliceCandidates> mixtures[] = {{whole, whole}, {own, whole}, {whole, own}};
  for (const std::vector<SliceCandidates>& slices : mixtures) BOOST_TEST((reduce_slices(slices, order) == expected));
}

BOOST_AUTO_TEST_SUITE_END()
