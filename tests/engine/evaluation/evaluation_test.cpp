/// Evaluation: failing points are isolated, rows are honest, and neither pieces nor threads change a byte.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "engine/dataset/block_encoding.hpp"
#include "engine/evaluation/range_evaluation.hpp"
#include "engine/run/evaluator.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(evaluation_test)

namespace {

using namespace dfsweep;

struct Evaluated {
  PointBuffer points;
  EstimateBuffer estimates;
  Tally tally;
};

Evaluated evaluate_all(const ToySweep& sweep) {
  Evaluated result;
  sweep.rows.decode(0, sweep.rows.kept(), result.points);
  evaluate_range(*sweep.spec.estimator, *sweep.prepared, result.points, result.estimates, result.tally);
  return result;
}

BOOST_AUTO_TEST_CASE(points_that_throw_fail_alone) {
  const ToySweep sweep(
      "[parameters]\nsize = ['1 B', '2 B', '3 B', '4 B', '5 B', '6 B', '7 B']\noutcome = ['normal', 'throws', "
      "'infeasible']\n");
  const Evaluated result = evaluate_all(sweep);
  const std::vector<std::uint64_t> expected = {7, 7, 0, 7};  // ok, failed, too_big, infeasible
  BOOST_TEST(result.tally.statuses == expected);
  for (std::size_t i = 0; i < 21; ++i) {
    const bool is_ok = i % 3 == 0;
    BOOST_TEST(result.estimates.status[i] == (is_ok        ? 0
                                              : i % 3 == 1 ? status_failed
                                                           : ToyEstimator::status_infeasible));
    BOOST_TEST(std::isnan(result.estimates.metrics[ToyEstimator::time][i]) == !is_ok);
  }
  BOOST_TEST(result.estimates.metrics[ToyEstimator::time][3] == 2e-9);  // size 2 over 1 GB/s
  BOOST_TEST_REQUIRE(result.tally.failures.entries().size() == 1U);
  BOOST_TEST(result.tally.failures.entries()[0].message == "the toy throws");
  BOOST_TEST(result.tally.failures.entries()[0].first_point == 1U);
  BOOST_TEST(result.tally.failures.entries()[0].count == 7U);
}

BOOST_AUTO_TEST_CASE(a_range_in_which_every_point_throws_is_still_evaluated) {
  const ToySweep sweep(
      "[parameters]\nsize = { from = '1 B', to = '1000 B', points = 1000, scale = 'linear' }\noutcome = "
      "'throws_alone'\n");
  const Evaluated result = evaluate_all(sweep);
  BOOST_TEST(result.tally.statuses.at(status_failed) == 1000U);
  BOOST_TEST(result.tally.failures.count() == 1000U);
}

/// Returns the status and metrics that a test chooses, even where they contradict the declared tables.
class Liar final : public PreparedSweep {
 public:
  Liar(std::uint8_t status, double time, double memory) : status_(status), time_(time), memory_(memory) {}
  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    for (std::size_t i = 0; i < points.count(); ++i) {
      for (const auto& column : out.metrics)
        column[i] = status_ == status_ok ? 1.0 : std::numeric_limits<double>::quiet_NaN();
      out.status[i] = status_;
      out.metrics[ToyEstimator::time][i] = time_;
      out.metrics[ToyEstimator::memory][i] = memory_;
    }
  }
  [[nodiscard]] Explanation explain(const PointColumns&) const override { return {}; }

 private:
  std::uint8_t status_;
  double time_;
  double memory_;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
struct HonestyCase {
  const char* why;
  std::uint8_t status;
  double time;
  double memory;
  std::uint8_t becomes;
};
const HonestyCase honesty[] = {
    {"an honest ok point stays", 0, 1.0, 2.0, 0},
    {"NaN on an ok point is a defect", 0, nan, 2.0, status_failed},
    {"an honest infeasible point stays", ToyEstimator::status_infeasible, nan, nan, ToyEstimator::status_infeasible},
    {"a number on an infeasible point is a defect", ToyEstimator::status_infeasible, 1.0, nan, status_failed},
    {"a metric may be declared valid elsewhere", ToyEstimator::status_too_big, nan, 5.0, ToyEstimator::status_too_big},
    {"and is then promised there", ToyEstimator::status_too_big, nan, nan, status_failed},
    {"a status that is not declared is a defect", 77, nan, nan, status_failed},
};

BOOST_DATA_TEST_CASE(rows_are_honest, boost::unit_test::data::make(honesty), c) {
  const ToySweep sweep("[parameters]\nsize = ['1 B', '2 B']\n");
  Evaluated result;
  sweep.rows.decode(0, 2, result.points);
  evaluate_range(*sweep.spec.estimator, Liar(c.status, c.time, c.memory), result.points, result.estimates,
                 result.tally);
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_TEST(int{result.estimates.status[i]} == int{c.becomes});
    BOOST_TEST(std::isnan(result.estimates.metrics[ToyEstimator::memory][i]) ==
               (c.becomes == status_failed || std::isnan(c.memory)));
  }
  BOOST_TEST(result.tally.statuses.at(c.becomes) == 2U);
}

BOOST_AUTO_TEST_CASE(running_out_of_memory_is_not_a_property_of_a_point) {
  class Hungry final : public PreparedSweep {
    void evaluate(const PointColumns&, EstimateColumns&) const override { throw std::bad_alloc(); }
    [[nodiscard]] Explanation explain(const PointColumns&) const override { return {}; }
  };
  const ToySweep sweep("[parameters]\nsize = ['1 B', '2 B']\n");
  Evaluated result;
  sweep.rows.decode(0, 2, result.points);
  BOOST_CHECK_THROW(evaluate_range(*sweep.spec.estimator, Hungry(), result.points, result.estimates, result.tally),
                    std::bad_alloc);
}

// ----------------------------------------------------------------------------------------------- streams of blocks

struct Stream {
  std::map<BlockId, EvaluatedBlock> blocks;
  Tally tally;
};

Stream evaluate_stream(const ToySweep& sweep, unsigned threads) {
  Stream stream;
  std::mutex mutex;
  BlockId next = 0;
  Evaluator evaluator(sweep.plan, *sweep.prepared, threads);
  evaluator.run({.next = [&]() -> std::optional<Block> {
                   if (next == sweep.plan.block_count()) return std::nullopt;
                   return sweep.plan.block(next++);
                 },
                 .done =
                     [&](EvaluatedBlock block) {
                       const std::lock_guard lock(mutex);
                       stream.tally.add(block.tally);
                       const BlockId id = block.block.id;
                       stream.blocks.emplace(id, std::move(block));
                     },
                 .abandon = [] { return false; }});
  return stream;
}

struct StreamCase {
  const char* why;
  const char* text;
};
const StreamCase streams[] = {
    {"one point", "[parameters]\nsize = '5 B'\n"},
    {"a few points, more threads than work", "[parameters]\nsize = ['1 B', '2 B', '3 B']\n"},
    {"several pieces per block",
     "[parameters]\nsize = { from = '1 B', to = '30011 B', step = '1 B' }\ncapacity = ['1000 B', '20000 B']\n"},
    {"failing points among others",
     "[parameters]\nsize = { from = '1 B', to = '5000 B', step = '1 B' }\noutcome = ['normal', 'throws']\n"},
    {"expensive points, small blocks",
     "[parameters]\nseed = { from = 1, to = 400, step = 1 }\nwork = 1000\nskew = 50\n"},
    {"a search of small groups",
     "[parameters]\nsize = { from = '1 B', to = '500 B', step = '1 B' }\nrate = { from = '1 GB/s', to = '9 GB/s', "
     "points = 9, "
     "scale = 'linear' }\nflavour = ['plain', 'rich', 'odd']\n[search]\nover = ['rate', "
     "'flavour']\nminimize = 'time'\ntop = 2\n"},
    {"a search over one large space",
     "[parameters]\nsize = { from = '1 B', to = '100000 B', step = '1 B' }\nflavour = ['odd', 'rich']\n"
     "capacity = '40000 B'\n[search]\nover = ['size']\nmaximize = 'time'\ntop = 3\n"},
};

BOOST_DATA_TEST_CASE(pieces_and_threads_change_no_byte, boost::unit_test::data::make(streams), c) {
  const ToySweep sweep(c.text);
  const Stream one = evaluate_stream(sweep, 1);
  BOOST_TEST(one.blocks.size() == sweep.plan.block_count());
  BOOST_TEST(one.tally.points == sweep.rows.kept());
  for (const unsigned threads : {2U, 5U}) {
    const Stream many = evaluate_stream(sweep, threads);
    BOOST_TEST(many.tally.statuses == one.tally.statuses);
    for (const auto& [id, block] : one.blocks) {
      BOOST_TEST((many.blocks.at(id).bytes == block.bytes));
      BOOST_TEST((many.blocks.at(id).candidates == block.candidates));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_block_encoded_in_pieces_equals_one_encoded_whole) {
  const ToySweep sweep(streams[2].text);
  const Stream stream = evaluate_stream(sweep, 2);
  for (const auto& [id, block] : stream.blocks) {
    PointBuffer points;
    EstimateBuffer estimates;
    Tally tally;
    sweep.rows.decode(block.block.first_kept, block.block.kept_count, points);
    evaluate_range(*sweep.spec.estimator, *sweep.prepared, points, estimates, tally);
    const BlockEncoder encoder(sweep.plan);
    BlockBytes bytes;
    encoder.resize(block.block.row_count, bytes);
    encoder.encode(points, estimates, 0, bytes);
    BOOST_TEST((bytes == block.bytes));
  }
}

struct AbandonCase {
  const char* why;
  int answers_no;  ///< how often `abandon` returns false before it returns true
  int taken, done;
};

const AbandonCase abandon_cases[] = {
    {"before a block is taken", 0, 0, 0},
    {"when a block is cut and not yet evaluated", 1, 1, 0},
    {"never: the block is done", 1000, 1, 1},
};

BOOST_DATA_TEST_CASE(abandoned_blocks_are_not_done, boost::unit_test::data::make(abandon_cases), c) {
  const ToySweep sweep(streams[2].text);
  Evaluator evaluator(sweep.plan, *sweep.prepared, 2);
  std::atomic<int> asked = 0, taken = 0, done = 0;
  evaluator.run({.next = [&]() -> std::optional<Block> {
                   if (taken == 1) return std::nullopt;
                   ++taken;
                   return sweep.plan.block(0);
                 },
                 .done = [&](const EvaluatedBlock&) { ++done; },
                 .abandon = [&] { return asked++ >= c.answers_no; }});
  BOOST_TEST(taken == c.taken);
  BOOST_TEST(done == c.done);
}

BOOST_AUTO_TEST_CASE(an_error_that_is_not_a_points_ends_the_stream) {
  const ToySweep sweep(streams[2].text);
  Evaluator evaluator(sweep.plan, *sweep.prepared, 2);
  const auto run = [&] {
    evaluator.run({.next = [&]() -> std::optional<Block> { return sweep.plan.block(0); },
                   .done = [](const EvaluatedBlock&) { throw std::runtime_error("the disk is full"); },
                   .abandon = [] { return false; }});
  };
  BOOST_CHECK_THROW(run(), std::runtime_error);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
