/// Power cuts: runs are recorded, the power fails after each of their changes in every way that a disk may show, and
/// the next run ends with the same bytes. Numbers of states are fixed; DFSWEEP_LONG_TESTS=1 tries up to fifteen times
/// as many.
#include <functional>
#include <map>
#include <variant>

#include <fmt/format.h>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/session.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "io/checksum.hpp"
#include "tests/faults/small_runs.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/power_cut.hpp"
#include "tests/support/sweep_texts.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(power_cut_test)

using namespace dfsweep;
using namespace dfsweep::store;
namespace bdata = boost::unit_test::data;

namespace {

const std::filesystem::path directory = "runs/toy";
const RunDirectory run{directory};

/// 24 rows in 24 blocks.
constexpr const char* rows = "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 12, step = 1 }\n";
/// 12 reported points, each reduced from 2 in one block.
constexpr const char* groups =
    "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 12, step = 1 }\n"
    "[search]\nover = [\"flavour\"]\nminimize = \"noise\"\ntop = 1\n";
/// 2 reported points. The filter removes the expensive points, whose declared cost makes the plan cut each group into
/// slices.
constexpr const char* slices =
    "[parameters]\nwork = [1, 300000000]\nsize = [\"1 B\", \"2 B\", \"3 B\"]\nseed = { from = 1, to = 3, step = 1 }\n"
    "outcome = [\"normal\", \"infeasible\"]\n[filter]\nkeep = [\"work == 1\"]\n"
    "[search]\nover = [\"size\", \"seed\", \"work\"]\nminimize = \"noise\"\ntop = 2\n";
const std::string compressed = rows + std::string("[output]\ncompression = \"deflate\"\n");
/// Blocks of a commit: half of all.
constexpr std::size_t blocks_per_commit = 12;

DiskState published_state(const ToySweep& sweep) {
  RecordingFileSystem files({}, RecordingFileSystem::Record::no);
  run_toy(files, directory, sweep);
  return files.state();
}

/// Nothing but an empty working directory.
DiskState nothing(const ToySweep&) {
  return {};
}

/// Half of the blocks are complete.
DiskState half_done(const ToySweep& sweep) {
  RecordingFileSystem files({}, RecordingFileSystem::Record::no);
  Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  evaluate_missing(sweep, store, Part{0, 2}, blocks_per_commit);
  return files.state();
}

/// A published file with a wrong byte in every block, which `verify` found.
DiskState damaged(const ToySweep& sweep) {
  DiskState state = published_state(sweep);
  RecordingFileSystem reading(state, RecordingFileSystem::Record::no);
  const ColumnPlace place = read_run_record(reading, run).places[0];
  for (std::uint64_t row = 0; row < place.count; ++row)
    state.files[run.result()][place.offset + row * place.element_bytes] ^= std::byte{4};
  RecordingFileSystem files(state, RecordingFileSystem::Record::no);
  BOOST_REQUIRE_EQUAL(verify_run(files, directory, 1).damaged.size(), sweep.plan.block_count());
  return files.state();
}

void run_store(FileSystem& files, const ToySweep& sweep, std::uint32_t& acknowledged) {
  {
    Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
    if (!store.published()) evaluate_missing(sweep, store, Part{}, blocks_per_commit, &acknowledged);
  }
  run_toy(files, directory, sweep, &acknowledged);
}

void discard_and_run(FileSystem& files, const ToySweep& sweep, std::uint32_t& acknowledged) {
  {
    Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::fresh);
    evaluate_missing(sweep, store, Part{}, blocks_per_commit, &acknowledged);
  }
  run_toy(files, directory, sweep, &acknowledged);
}

void run_two_parts(FileSystem& files, const ToySweep& sweep, std::uint32_t& acknowledged) {
  {
    Store first = Store::create(files, directory, sweep.plan, Part{0, 2}, OpenMode::resume);
    Store second = Store::create(files, directory, sweep.plan, Part{1, 2}, OpenMode::resume);
    for (BlockId id = 0; id < sweep.plan.block_count(); ++id) {
      Store& store = id % 2 == 0 ? first : second;
      store.put(sweep.plan.block(id), evaluated(sweep, sweep.plan.block(id)));
      if (id % 10 == 8) acknowledged += static_cast<std::uint32_t>(first.commit());
      if (id % 10 == 3) acknowledged += static_cast<std::uint32_t>(second.commit());
    }
    acknowledged += static_cast<std::uint32_t>(first.commit() + second.commit());
  }
  run_toy(files, directory, sweep, &acknowledged);
}

void publish_half_and_run(FileSystem& files, const ToySweep& sweep, std::uint32_t& acknowledged) {
  {
    Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
    evaluate_missing(sweep, store, Part{0, 2}, blocks_per_commit, &acknowledged);
  }
  static_cast<void>(publish(files, directory, *make_communicator(), 1, Completeness::partial));
  run_toy(files, directory, sweep, &acknowledged);
}

/// The main loop itself, with its log.
void run_program(FileSystem& files, const ToySweep& sweep, std::uint32_t& acknowledged) {
  const LoadedSweep loaded(sweep.spec);
  const std::unique_ptr<Communicator> alone = make_communicator();
  Stop stop(std::nullopt);
  SessionSettings settings;
  settings.files = &files;
  settings.directory = directory;
  settings.verbosity = Verbosity::quiet;
  const auto end = run_session(loaded, settings, *alone, stop);
  const SessionReport* report = std::get_if<SessionReport>(&end);
  BOOST_REQUIRE(report != nullptr &&
                (report->end == SessionEnd::published || report->end == SessionEnd::found_published));
  acknowledged = sweep.plan.block_count();
}

struct Case {
  const char* why;
  const char* sweep;
  DiskState (*initial)(const ToySweep&);
  void (*act)(FileSystem&, const ToySweep&, std::uint32_t& acknowledged);
  std::size_t states;  ///< different states to try
};

const Case cases[] = {
    {"a new run of rows", rows, nothing, run_store, 2000},
    {"a new search whose groups stay in one block", groups, nothing, run_store, 1500},
    {"a new search whose candidates wait in journals", slices, nothing, run_store, 240},
    {"a run that is resumed", rows, half_done, run_store, 1000},
    {"a published run that is repaired", rows, damaged, run_store, 90},
    {"a published run that is discarded and run again", rows, published_state, discard_and_run, 1500},
    {"two parts, one after the other", rows, nothing, run_two_parts, 1500},
    {"an unfinished run is published and then resumed", rows, nothing, publish_half_and_run, 1500},
    {"the main loop, with its log", rows, nothing, run_program, 1000},
    {"a new run that is compressed", compressed.c_str(), nothing, run_store, 500},
};

/// A record of what was done to a disk.
struct Recorded {
  DiskState initial;
  std::vector<RecordedChange> changes;
  DiskState end;
  std::uint32_t acknowledged = 0;  ///< at the end
};

Recorded recorded(const DiskState& initial, const std::function<void(FileSystem&, std::uint32_t&)>& act) {
  Recorded result{.initial = initial, .changes = {}, .end = {}, .acknowledged = 0};
  RecordingFileSystem files(initial);
  files.watch(result.acknowledged);
  act(files, result.acknowledged);
  result.changes = files.changes();
  result.end = files.state();
  return result;
}

Checksum identity(const DiskState& state) {
  ChecksumStream stream;
  for (const std::filesystem::path& path : state.directories) stream.update(std::as_bytes(std::span(path.native())));
  for (const auto& [path, bytes] : state.files) {
    const Checksum content = xxh3_128(bytes);
    stream.update(std::as_bytes(std::span(path.native())));
    stream.update(std::as_bytes(std::span(&content, 1)));
  }
  return stream.digest();
}

/// What a state after a power cut has to show, before the next run and after it.
class Judge {
 public:
  /// `end`: the files of the run that no power cut disturbs.
  Judge(const ToySweep& sweep, const DiskState& end)
      : sweep_(sweep), end_(end), reference_(end.files.at(run.result())) {}

  /// What is wrong with this state, in which at least `acknowledged` blocks have to be complete; "" if nothing is.
  std::string judge(const DiskState& state, std::uint32_t acknowledged) {
    const auto [seen, is_new] = complete_in_.try_emplace(identity(state).low);
    std::string wrong = is_new ? judge_new(state, seen->second) : "";
    if (wrong.empty() && seen->second < acknowledged)
      wrong = fmt::format("{} blocks are complete, {} were acknowledged", seen->second, acknowledged);
    return wrong;
  }

  [[nodiscard]] std::size_t states() const { return complete_in_.size(); }

 private:
  /// Also finds how many blocks are complete.
  std::string judge_new(const DiskState& state, std::uint32_t& complete) {
    RecordingFileSystem files(state, RecordingFileSystem::Record::no);
    if (!shows_nothing_wrong(files)) return "a published file is wrong";
    try {
      complete = complete_blocks(files);
      if (complete != 0 && !files.exists(run.damage()) && !verify_run(files, directory, 1).damaged.empty())
        return "a complete block is damaged";
    } catch (const ForeignRun&) {  // without plan.json, which the next run restores
      if (files.exists(run.plan())) throw;
    }
    try {
      std::uint32_t ignored = 0;
      if (states() % 16 == 0) run_program(files, sweep_, ignored);
      if (states() % 16 != 0) run_toy(files, directory, sweep_);
    } catch (const std::exception& error) {
      return fmt::format("the next run fails: {}", error.what());
    }
    return is_finished(files) ? "" : "the next run ends with other files";
  }

  /// A file with the name of a result, or of an incomplete one, is what it is without a power cut.
  [[nodiscard]] bool shows_nothing_wrong(RecordingFileSystem& files) const {
    const DiskState state = files.state();
    const auto result = state.files.find(run.result());
    const bool is_under_repair = state.files.contains(run.damage());
    if (result != state.files.end() && result->second != reference_ && !is_under_repair) return false;
    const auto incomplete = state.files.find(run.incomplete());
    return incomplete == state.files.end() || incomplete->second == end_.files.at(run.incomplete());
  }

  /// Complete blocks of a directory that may be anything between absent and published.
  [[nodiscard]] std::uint32_t complete_blocks(RecordingFileSystem& files) const {
    if (files.exists(run.result()) && !files.exists(run.partial())) return sweep_.plan.block_count();
    if (!files.exists(run.plan()) || !files.exists(run.partial())) return 0;
    return read_journals(files, run, read_run_record(files, run)).complete_count();
  }

  /// The same bytes as without a power cut, and nothing left over of files that were being written.
  [[nodiscard]] bool is_finished(const RecordingFileSystem& files) const {
    const DiskState state = files.state();
    if (state.files.at(run.result()) != reference_ || state.files.contains(run.damage())) return false;
    for (const auto& [path, bytes] : state.files)
      if (path.parent_path() == directory && path != run.result() && path != run.plan() && path != run.log() &&
          path != run.incomplete())
        return false;
    return true;
  }

  const ToySweep& sweep_;
  const DiskState& end_;
  const std::vector<std::byte>& reference_;
  std::map<std::uint64_t, std::uint32_t> complete_in_;  ///< complete blocks of each state that was judged
};

constexpr NameSurvival name_survivals[] = {NameSurvival::none, NameSurvival::all,     NameSurvival::first,
                                           NameSurvival::any,  NameSurvival::all_but, NameSurvival::only};
constexpr DataSurvival data_survivals[] = {DataSurvival::none, DataSurvival::all, DataSurvival::sectors,
                                           DataSurvival::pages, DataSurvival::files};

/// Cuts the power after every change in every way, with as many seeds as it takes to see `states` states.
void cut_everywhere(const Recorded& past, Judge& judge, std::size_t states) {
  const std::size_t before = judge.states();
  const std::size_t prefixes = past.changes.size() + 1;
  for (std::size_t n = 0; n < prefixes; ++n) {
    const PowerCuts cuts(past.initial, std::span(past.changes).first(n));
    const std::uint32_t acknowledged = n + 1 < prefixes ? past.changes[n].acknowledged : past.acknowledged;
    const std::size_t wanted = before + states * (n + 1) / prefixes;
    const std::uint64_t most_seeds = is_long() ? 300 : 100;
    for (std::uint64_t seed = 0; seed == 0 || (seed < most_seeds && judge.states() < wanted); ++seed)
      for (const NameSurvival names : name_survivals)
        for (const DataSurvival data : data_survivals) {
          if (cuts.unsynced_names() == 0 && names != NameSurvival::none) continue;
          if (cuts.unsynced_data() == 0 && data != DataSurvival::none) continue;
          const std::string wrong = judge.judge(cuts.after({names, data, seed}), acknowledged);
          BOOST_REQUIRE_MESSAGE(wrong.empty(),
                                fmt::format("{} (after {} of {} changes, names {}, data {}, seed {})", wrong, n,
                                            prefixes - 1, static_cast<int>(names), static_cast<int>(data), seed));
        }
  }
}

}  // namespace

BOOST_DATA_TEST_CASE(the_next_run_ends_with_the_same_bytes, bdata::make(cases), c) {
  const ToySweep sweep(c.sweep);
  const Recorded first = recorded(
      c.initial(sweep), [&](FileSystem& files, std::uint32_t& acknowledged) { c.act(files, sweep, acknowledged); });
  BOOST_REQUIRE(first.end.files.at(run.result()) == published_state(sweep).files.at(run.result()));
  Judge judge(sweep, first.end);
  cut_everywhere(first, judge, is_long() ? 15 * c.states : c.states);
  BOOST_TEST_MESSAGE(c.why << ": " << first.changes.size() << " changes, " << judge.states() << " states");
  BOOST_TEST(judge.states() >= c.states * 9 / 10);  // some prefixes have fewer than their share
}

/// The power fails again while the run recovers from the first time.
BOOST_AUTO_TEST_CASE(a_second_cut_is_survived_too) {
  const ToySweep sweep(rows);
  const Recorded first =
      recorded({}, [&](FileSystem& files, std::uint32_t& acknowledged) { run_store(files, sweep, acknowledged); });
  Judge judge(sweep, first.end);
  constexpr std::size_t stride = 3;
  constexpr std::size_t states_each = 40;
  for (std::size_t n = 0; n <= first.changes.size(); n += stride) {
    const PowerCuts cuts(first.initial, std::span(first.changes).first(n));
    const DiskState state = cuts.after({NameSurvival::any, DataSurvival::sectors, n});
    const Recorded second =
        recorded(state, [&](FileSystem& files, std::uint32_t& acknowledged) { run_store(files, sweep, acknowledged); });
    BOOST_TEST_INFO_SCOPE("first cut after " << n << " changes");
    cut_everywhere(second, judge, is_long() ? 15 * states_each : states_each);
  }
  BOOST_TEST_MESSAGE(judge.states() << " states after a second cut");
  BOOST_TEST(judge.states() > 1000U);
}

BOOST_AUTO_TEST_SUITE_END()
