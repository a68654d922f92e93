/// A TBB pipeline: a serial filter splits blocks into pieces, a parallel filter evaluates them; the thread that
/// evaluates the last piece of a block completes it.
#include "engine/run/evaluator.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

#include "engine/dataset/block_encoding.hpp"
#include "engine/evaluation/search_evaluation.hpp"
#include "engine/evaluation/search_reduction.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

/// Target time of a piece, by the cost that the estimator declares. Not shorter, because neighbouring points of a piece
/// share work.
constexpr double piece_seconds = 20e-3;

/// From this number of blocks for each thread on, whole blocks keep all threads busy: those that are still evaluated at
/// the end are less than 2 % of the run.
constexpr std::uint64_t many_blocks_per_thread = 32;

using Clock = std::chrono::steady_clock;

/// A block in progress.
struct OpenBlock {
  Block block;
  BlockBytes bytes;
  std::atomic<std::uint64_t> points_left{0};
  Clock::time_point start = Clock::now();
  std::mutex mutex;  ///< guards the members below
  Tally tally;
  std::optional<SearchReduction> reduction;  ///< only with a search
  /// [group of the block] groups known from an earlier search; empty without one. Constant while the block is
  /// evaluated.
  std::vector<std::optional<GroupResult>> known;
};

struct Piece {
  std::shared_ptr<OpenBlock> open;
  std::uint64_t first = 0;  ///< offset from the first point of the block
  std::uint64_t count = 0;
};

/// Buffers of one thread, reused for every piece so that they stay in its cache.
struct Workspace {
  Workspace(const Plan& plan, const PreparedSweep& prepared, const KnownRows* known)
      : evaluation(plan.spec(), plan.rows(), prepared) {
    if (known != nullptr && !plan.spec().search) rest.emplace(plan.spec(), prepared, *known);
  }
  PointBuffer points;
  EstimateBuffer estimates;
  SearchEvaluation evaluation;
  std::optional<RestEvaluation> rest;  ///< only if rows are known, and without a search
};

}  // namespace

class Evaluator::Implementation {
 public:
  Implementation(const Plan& plan, const PreparedSweep& prepared, unsigned threads, std::uint32_t ranks,
                 const KnownRows* known)
      : plan_(plan),
        prepared_(prepared),
        known_(known),
        threads_(std::max(threads, 1U)),
        encoder_(plan),
        wanted_(wanted_of(plan.spec(), prepared)),
        has_whole_pieces_(is_bounded(plan.spec()) ||
                          plan.block_count() >= many_blocks_per_thread * std::uint64_t{threads_} * ranks),
        workspaces_([&plan, &prepared, known] { return Workspace(plan, prepared, known); }) {
    const double cost = plan.spec().estimator->seconds_per_point(plan.spec().values);
    piece_points_ =
        cost > piece_seconds / max_piece_points ? static_cast<std::uint64_t>(piece_seconds / cost) : max_piece_points;
    piece_points_ = std::clamp<std::uint64_t>(piece_points_, 1, max_piece_points);
  }

  void run(const Hooks& hooks) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads_);
    tbb::task_arena arena(static_cast<int>(threads_));
    std::shared_ptr<OpenBlock> open;  // the block being split; used by the serial filter only
    std::uint64_t cut = 0;
    const auto cut_blocks =
        tbb::make_filter<void, Piece>(tbb::filter_mode::serial_out_of_order, [&](tbb::flow_control& control) -> Piece {
          if (open == nullptr) {
            const std::optional<Block> block = hooks.abandon() ? std::nullopt : hooks.next();
            if (!block) {
              control.stop();
              return {};
            }
            open = start(*block);
            cut = 0;
          }
          Piece piece{open, cut, std::min(piece_points(open->block), open->block.kept_count - cut)};
          cut += piece.count;
          if (cut == open->block.kept_count) open = nullptr;
          return piece;
        });
    const auto evaluate_pieces = tbb::make_filter<Piece, void>(tbb::filter_mode::parallel, [&](const Piece& piece) {
      if (!hooks.abandon()) evaluate(piece, hooks);
    });
    arena.execute([&] { tbb::parallel_pipeline(2 * std::size_t{threads_}, cut_blocks & evaluate_pieces); });
  }

  void recycle(BlockBytes bytes) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(bytes));
  }

 private:
  /// A few small blocks have smaller pieces, so that every thread gets work. With bounds, which compare the points of a
  /// piece, pieces must not depend on the number of threads.
  [[nodiscard]] std::uint64_t piece_points(const Block& block) const {
    if (has_whole_pieces_) return piece_points_;
    return std::clamp<std::uint64_t>(block.kept_count / (4 * threads_), 1, piece_points_);
  }

  std::shared_ptr<OpenBlock> start(const Block& block) {
    auto open = std::make_shared<OpenBlock>();
    open->block = block;
    open->points_left = block.kept_count;
    if (plan_.spec().search) {
      open->reduction.emplace(plan_, block.first_group, block.group_count);
      if (known_ != nullptr) {
        open->known.resize(block.group_count);
        known_->find_groups(block.first_group, open->known);
      }
    } else {
      open->bytes = spare_bytes();
      encoder_.resize(block.row_count, open->bytes);
    }
    return open;
  }

  BlockBytes spare_bytes() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    BlockBytes bytes = std::move(spare_.back());
    spare_.pop_back();
    return bytes;
  }

  void evaluate(const Piece& piece, const Hooks& hooks) {
    OpenBlock& open = *piece.open;
    evaluate_unknown(open, piece.first, piece.count, wanted_);
    if (hooks.advanced) hooks.advanced(piece.count);
    if (open.points_left.fetch_sub(piece.count) == piece.count) hooks.done(finish(open));
  }

  /// The end of a group in a block, which may have a slice of it only.
  [[nodiscard]] std::uint64_t group_end(const Block& block, std::uint64_t group) const {
    return std::min(plan_.rows().group_begin(group + 1) - block.first_kept, block.kept_count);
  }

  /// Evaluates the points of groups that are not known, in stretches of such groups.
  void evaluate_unknown(OpenBlock& open, std::uint64_t first, std::uint64_t count, const Wanted& wanted) {
    if (open.known.empty() || count == 0) return evaluate(open, first, count, wanted);
    const Block& block = open.block;
    const std::uint64_t end = first + count;
    std::uint64_t group = group_of(plan_.rows(), block.first_kept + first, block.first_group, block.group_count);
    const auto is_known = [&](std::uint64_t one) { return open.known[one - block.first_group].has_value(); };
    while (first < end) {
      const bool is_stretch_known = is_known(group);
      std::uint64_t last = std::min(group_end(block, group++), end);
      while (last < end && is_known(group) == is_stretch_known) last = std::min(group_end(block, group++), end);
      if (!is_stretch_known) evaluate(open, first, last - first, wanted);
      first = last;
    }
  }

  void evaluate(OpenBlock& open, std::uint64_t first, std::uint64_t count, const Wanted& wanted) {
    Workspace& work = workspaces_.local();
    Tally tally;
    const std::uint64_t first_kept = open.block.first_kept + first;
    if (count > 0) {
      plan_.rows().decode(first_kept, count, work.points);
      if (work.rest)
        work.rest->evaluate(work.points, work.estimates, tally, wanted);
      else
        work.evaluation.evaluate(first_kept, work.points, work.estimates, tally, wanted);
    }
    if (open.reduction) {
      if (count > 0) reduce(open, first_kept, work);
    } else {
      encoder_.encode(work.points, work.estimates, first, open.bytes);
    }
    const std::lock_guard lock(open.mutex);
    open.tally.add(tally);
  }

  /// If the search evaluated its metric only, evaluates the best points again with all metrics. If one of them fails
  /// then (a defect of the estimator), repeats the search of the block with all metrics, so that the next best point
  /// replaces it.
  void complete(OpenBlock& open) {
    if (wanted_.metrics.empty()) return;
    if (fill_metrics(*plan_.spec().estimator, prepared_, open.reduction->groups())) return;
    open.reduction.emplace(plan_, open.block.first_group, open.block.group_count);
    open.tally = {};
    for (std::uint64_t first = 0; first < open.block.kept_count; first += piece_points_)
      evaluate_unknown(open, first, std::min(piece_points_, open.block.kept_count - first), {});
  }

  /// Adds known groups to those that were searched. The first slice of a group counts its statuses.
  void add_known(OpenBlock& open) const {
    const Block& block = open.block;
    std::uint64_t begin = 0;
    for (std::size_t g = 0; g < open.known.size(); ++g) {
      const std::uint64_t end = group_end(block, block.first_group + g);
      const std::uint64_t points = end - std::exchange(begin, end);
      if (!open.known[g]) continue;
      GroupResult& group = *open.known[g];
      Tally tally;
      tally.points = points;
      tally.taken = points;
      if (plan_.rows().group_begin(block.first_group + g) >= block.first_kept) tally.statuses = group.rejections;
      open.tally.add(tally);
      open.reduction->groups()[g] = std::move(group);
    }
  }

  /// Reduces the groups of a piece without a lock, then merges them into those of the block.
  void reduce(OpenBlock& open, std::uint64_t first_kept, const Workspace& work) const {
    const auto group = [&](std::uint64_t kept) {
      return group_of(plan_.rows(), kept, open.block.first_group, open.block.group_count);
    };
    const std::uint64_t first_group = group(first_kept);
    const std::uint64_t last_group = group(first_kept + work.points.points.size() - 1);
    SearchReduction part(plan_, first_group, last_group - first_group + 1);
    part.add(first_kept, work.points, work.estimates);
    const std::lock_guard lock(open.mutex);
    open.reduction->merge(part);
  }

  EvaluatedBlock finish(OpenBlock& open) {
    if (open.reduction) {
      complete(open);
      add_known(open);
    }
    EvaluatedBlock result{.block = open.block,
                          .bytes = std::move(open.bytes),
                          .candidates = {},
                          .tally = std::move(open.tally),
                          .seconds = std::chrono::duration<double>(Clock::now() - open.start).count()};
    result.tally.blocks = 1;
    if (!open.reduction) return result;
    if (plan_.kind() == BlockKind::candidates) {
      const bool is_whole = !open.known.empty() && open.known.front().has_value();
      result.candidates = encode_candidates(plan_, open.reduction->groups().front(),
                                            is_whole ? SliceExtent::group : SliceExtent::slice);
    } else {
      result.bytes = encode_groups(plan_, open.reduction->groups());
    }
    return result;
  }

  const Plan& plan_;
  const PreparedSweep& prepared_;
  const KnownRows* known_;
  unsigned threads_;
  BlockEncoder encoder_;
  Wanted wanted_;
  bool has_whole_pieces_;
  std::uint64_t piece_points_ = max_piece_points;
  tbb::enumerable_thread_specific<Workspace> workspaces_;
  std::mutex mutex_;  ///< guards spare_
  std::vector<BlockBytes> spare_;
};

Evaluator::Evaluator(const Plan& plan, const PreparedSweep& prepared, unsigned threads, std::uint32_t ranks,
                     const KnownRows* known)
    : implementation_(std::make_unique<Implementation>(plan, prepared, threads, ranks, known)) {}
Evaluator::~Evaluator() = default;
void Evaluator::run(const Hooks& hooks) {
  implementation_->run(hooks);
}
void Evaluator::recycle(BlockBytes bytes) {
  implementation_->recycle(std::move(bytes));
}

}  // namespace dfsweep
