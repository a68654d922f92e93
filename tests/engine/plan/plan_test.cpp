/// The cut into blocks: what every plan promises, and the sizes that sweeps of different cost get.
#include <fmt/format.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/plan/plan.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(plan_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct Cut {
  const char* why;
  const char* sections;
  BlockKind kind;
  std::uint32_t blocks;
};

const Cut cuts[] = {
    {"one point is one block", "", BlockKind::small, 1},
    {"320 cheap points are shared by 16 blocks of 20", "[parameters]\nseed = { from = 1, to = 320, step = 1 }\n",
     BlockKind::small, 16},
    {"320 points of a second are single blocks, so that every rank has some",
     "[parameters]\nwork = 1000000000\nseed = { from = 1, to = 320, step = 1 }\n", BlockKind::small, 320},
    {"20480 points of a millisecond share 4096 blocks of 5: some may take a hundred times longer than declared",
     "[parameters]\nwork = 1000000\nseed = { from = 1, to = 20480, step = 1 }\n", BlockKind::small, 4096},
    {"48 points of two milliseconds are single blocks",
     "[parameters]\nwork = 1000000\nseed = { from = 1, to = 48, step = 1 }\n", BlockKind::small, 48},
    {"19200 points of 20 microseconds share 16 blocks: all take a third of a second",
     "[parameters]\nwork = 10000\nseed = { from = 1, to = 19200, step = 1 }\n", BlockKind::small, 16},
    {"a million cheap points have columns of half a MiB", "[parameters]\nseed = { from = 1, to = 1000000, step = 1 }\n",
     BlockKind::aligned, 16},
    {"10^8 cheap points have columns of one MiB",
     "[parameters]\nseed = { from = 1, to = 10000, step = 1 }\nwork = { from = 1, to = 10000, step = 1 }\n",
     BlockKind::aligned, 0},
    {"10^13 cheap points have at most 1048576 blocks",
     "[parameters]\nseed = { from = 1, to = 100000, step = 1 }\nsize = { from = \"1 B\", to = \"100000 B\", step = \"1 "
     "B\" }\n"
     "skew = { from = 1, to = 1000, step = 1 }\n",
     BlockKind::aligned, 0},
    {"more small groups than blocks are allowed fill pages instead",
     "[parameters]\nsize = { from = \"1 B\", to = \"30000 B\", step = \"1 B\" }\nseed = { from = 1, to = 10000, step = "
     "1 }\nwork = [100000, 100001]\n"
     "[search]\nover = [\"work\"]\nminimize = \"time\"\n",
     BlockKind::aligned, 0},
    {"groups of a search stay whole",
     "[parameters]\nseed = { from = 1, to = 100, step = 1 }\nwork = [1, 2, 3]\n[search]\nover = [\"work\"]\n"
     "minimize = \"time\"\ntop = 3\n",
     BlockKind::small, 0},
    {"a single reported point of many points is cut into slices",
     "[parameters]\nsize = { from = \"1 B\", to = \"10000 B\", step = \"1 B\" }\nseed = { from = 1, to = 100000, step "
     "= 1 }\n"
     "[search]\nover = [\"size\", \"seed\"]\nminimize = \"time\"\n",
     BlockKind::candidates, 512},
    {"10^7 executions of a tenth of a microsecond for one reported point are shared by slices of 20 milliseconds",
     "[parameters]\nwork = 25\nsize = { from = \"1 B\", to = \"1000 B\", step = \"1 B\" }\n"
     "seed = { from = 1, to = 10000, step = 1 }\n"
     "[search]\nover = [\"size\", \"seed\"]\nminimize = \"time\"\n",
     BlockKind::candidates, 50},
    {"10^9 of them are shared by 512 slices",
     "[parameters]\nwork = 25\nsize = { from = \"1 B\", to = \"10000 B\", step = \"1 B\" }\n"
     "seed = { from = 1, to = 100000, step = 1 }\n"
     "[search]\nover = [\"size\", \"seed\"]\nminimize = \"time\"\n",
     BlockKind::candidates, 512},
    {"5 million of them are one block: half a second",
     "[parameters]\nwork = 25\nsize = { from = \"1 B\", to = \"1000 B\", step = \"1 B\" }\n"
     "seed = { from = 1, to = 5000, step = 1 }\n"
     "[search]\nover = [\"size\", \"seed\"]\nminimize = \"time\"\n",
     BlockKind::small, 1},
};

}  // namespace

BOOST_DATA_TEST_CASE(blocks_cover_all_rows_once, bdata::make(cuts), cut) {
  const SweepSpec spec = toy_sweep(cut.sections);
  const RowSource rows(spec);
  const Plan plan(spec, rows);
  BOOST_TEST((plan.kind() == cut.kind));
  if (cut.blocks > 0) BOOST_TEST(plan.block_count() == cut.blocks);
  BOOST_TEST(plan.block_count() <= 1048576);
  std::uint64_t kept = 0;
  std::uint64_t row = 0;
  for (BlockId id = 0; id < plan.block_count(); ++id) {
    const Block block = plan.block(id);
    BOOST_REQUIRE_EQUAL(block.first_kept, kept);
    kept += block.kept_count;
    if (plan.kind() == BlockKind::candidates) continue;
    BOOST_REQUIRE_EQUAL(block.first_row, row);
    row += block.row_count;
    if (plan.kind() == BlockKind::aligned && id + 1 < plan.block_count())
      BOOST_REQUIRE_EQUAL(block.row_count % 4096, 0);
    if (plan.kind() == BlockKind::small) BOOST_REQUIRE_LT(block.row_count, 4096);
  }
  BOOST_TEST(kept == rows.kept());
  if (plan.kind() != BlockKind::candidates) BOOST_TEST(row == plan.row_count());
}

BOOST_AUTO_TEST_CASE(fingerprints_are_of_meaning_and_not_of_spelling) {
  const auto fingerprint = [](const char* sections) {
    const SweepSpec spec = toy_sweep(sections);
    const RowSource rows(spec);
    return Plan(spec, rows).fingerprint();
  };
  const std::string one = fingerprint("[parameters]\nseed = [1, 2, 4]\nsize = \"2 kB\"\n");
  BOOST_TEST(one ==
             fingerprint("# comment\n[parameters]\nsize = \"2000 B\"\nseed = { powers_of = 2, from = 1, to = 4 }\n"));
  BOOST_TEST(one == fingerprint("[parameters]\nflavour = \"plain\"\nseed = [1, 2, 4]\nsize = \"2 kB\"\n"));
  BOOST_TEST(one != fingerprint("[parameters]\nseed = [1, 4, 2]\nsize = \"2 kB\"\n"));
  BOOST_TEST(one != fingerprint("[parameters]\nseed = [1, 2, 4]\nsize = \"2 KiB\"\n"));
  BOOST_TEST(one != fingerprint("[parameters]\nseed = [1, 2, 4]\nsize = \"2 kB\"\n[output]\nmetrics = [\"time\"]\n"));
  BOOST_TEST(one !=
             fingerprint("[parameters]\nseed = [1, 2, 4]\nsize = \"2 kB\"\n[output]\nprecision = \"float32\"\n"));
}

BOOST_AUTO_TEST_SUITE_END()
