#include "tests/support/toy_run.hpp"

#include <stdexcept>
#include <string>

#include "engine/dataset/block_encoding.hpp"
#include "engine/evaluation/range_evaluation.hpp"
#include "engine/evaluation/search_reduction.hpp"

namespace dfsweep {

namespace {

constexpr int most_rounds = 4;

void evaluate(const ToySweep& sweep, const Block& block, PointBuffer& points, EstimateBuffer& estimates) {
  Tally tally;
  sweep.rows.decode(block.first_kept, block.kept_count, points);
  evaluate_range(*sweep.spec.estimator, *sweep.prepared, points, estimates, tally);
}

SearchReduction reduced(const ToySweep& sweep, const Block& block) {
  PointBuffer points;
  EstimateBuffer estimates;
  SearchReduction reduction(sweep.plan, block.first_group, block.group_count);
  if (block.kept_count == 0) return reduction;
  evaluate(sweep, block, points, estimates);
  reduction.add(block.first_kept, points, estimates);
  return reduction;
}

}  // namespace

BlockBytes evaluated(const ToySweep& sweep, const Block& block) {
  if (sweep.spec.search) return encode_groups(sweep.plan, reduced(sweep, block).groups());
  PointBuffer points;
  EstimateBuffer estimates;
  evaluate(sweep, block, points, estimates);
  const BlockEncoder encoder(sweep.plan);
  BlockBytes bytes;
  encoder.resize(block.row_count, bytes);
  encoder.encode(points, estimates, 0, bytes);
  return bytes;
}

std::vector<std::byte> evaluated_slice(const ToySweep& sweep, const Block& block) {
  return encode_candidates(sweep.plan, reduced(sweep, block).groups().front());
}

std::uint32_t evaluate_missing(const ToySweep& sweep, store::Store& store, store::Part part, std::size_t group,
                               std::uint32_t* acknowledged) {
  std::uint32_t done = 0;
  std::size_t uncommitted = 0;
  const auto commit = [&] {
    const std::size_t count = store.commit();
    if (acknowledged != nullptr) *acknowledged += static_cast<std::uint32_t>(count);
    uncommitted = 0;
  };
  const std::vector<bool> complete = store.complete();
  for (BlockId id = part.index; id < sweep.plan.block_count(); id += part.count) {
    if (complete[id]) continue;
    const Block block = sweep.plan.block(id);
    if (sweep.plan.kind() == BlockKind::candidates)
      store.put_candidates(block, evaluated_slice(sweep, block));
    else
      store.put(block, evaluated(sweep, block));
    ++done;
    if (++uncommitted == group) commit();
  }
  if (uncommitted != 0) commit();
  return done;
}

store::PublishReport run_toy(FileSystem& files, const std::filesystem::path& directory, const ToySweep& sweep,
                             std::uint32_t* acknowledged) {
  const std::unique_ptr<Communicator> alone = make_communicator();
  for (int round = 0; round < most_rounds; ++round) {
    {
      store::Store store = store::Store::create(files, directory, sweep.plan, store::Part{}, store::OpenMode::resume);
      if (!store.published()) evaluate_missing(sweep, store, store::Part{}, 2, acknowledged);
    }
    store::PublishReport report = store::publish(files, directory, *alone, 1);
    if (report.outcome == store::PublishOutcome::published) return report;
  }
  throw std::runtime_error("a run of the toy does not come to an end");
}

}  // namespace dfsweep
