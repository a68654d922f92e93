/// Bench: requests, batches and batch members per second of Vidur's simulator on one core, with batch times in closed
/// form and lengths of conversations.
///
///     vidur_bench [REQUESTS]       (default: 100000)
///
/// Times are processor times, best of three. The original reaches 260 to 1480 requests/s on one core with the same
/// batch times (sim_speed.csv of the golden data).
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "models/queueing/vidur/simulation.hpp"
#include "tests/bench/clocks.hpp"
#include "tests/support/vidur_runs.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;

vidur::Rules rules_of(vidur::Scheduler scheduler, std::uint32_t stages) {
  // 29 requests of 4096 tokens: Llama-2-7b on an A100
  vidur::Rules rules;
  rules.scheduler = scheduler;
  rules.stages = stages;
  rules.reserved_limit = 29 * stages;
  rules.block_tokens = scheduler == vidur::Scheduler::lightllm ? 1 : 16;
  rules.blocks = 29 * stages * 4096 / rules.block_tokens;
  return rules;
}

void measure(vidur::Scheduler scheduler, std::uint32_t stages, double rate, std::size_t count,
             const vidur::Recording& recording) {
  std::vector<vidur::OfferedRequest> offered = conversations(DFSWEEP_GOLDEN_DIR, count, rate);
  if (scheduler == vidur::Scheduler::fastertransformer)  // it keeps blocks of requests of unequal length for ever
    for (vidur::OfferedRequest& request : offered) request = {request.arrival, 1024, 200};
  const vidur::Rules rules = rules_of(scheduler, stages);
  double best = 1e30;
  vidur::RunRecord record;
  for (int round = 0; round < 3; ++round) {
    const double start = processor_seconds();
    record = vidur::simulate(rules, offered, ClosedFormClock{stages}, recording);
    best = std::min(best, processor_seconds() - start);
  }
  std::printf("%-18s %u stages, %3.1f requests/s, %-9s %9.0f requests/s %6.1f M batches/s %6.0f M members/s (%4.1f)\n",
              vidur::scheduler_names[static_cast<std::size_t>(scheduler)].data(), stages, rate,
              recording.samples ? "samples" : "no sample", static_cast<double>(count) / best,
              1e-6 * static_cast<double>(record.batch_count) / best,
              1e-6 * static_cast<double>(record.batch_requests) / best,
              static_cast<double>(record.batch_requests) / static_cast<double>(record.batch_count));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
  std::printf("scheduler, stages, simulated rate, recording: requests, batches and members per second (batch size)\n");
  for (const double rate : {2.0, 3.0, 4.0})
    for (const vidur::Scheduler scheduler : {vidur::Scheduler::vllm, vidur::Scheduler::sarathi, vidur::Scheduler::orca,
                                             vidur::Scheduler::lightllm, vidur::Scheduler::fastertransformer})
      for (const bool samples : {false, true}) measure(scheduler, 1, rate, count, {.samples = samples});
  measure(vidur::Scheduler::sarathi, 4, 4.0, count / 10, {.samples = false});
}
