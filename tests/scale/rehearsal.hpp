/// What is rehearsed in virtual time, and what comes out: a cluster, a sweep and the figures of its run.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/run/block_order.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

/// Seconds, unless a name says otherwise.
struct VirtualCluster {
  std::uint32_t ranks = 1;
  double straggler_share = 0.0;
  double straggler_factor = 3.0;    ///< time of a block on a straggler over that on another rank
  double latency = 20e-6;           ///< one way
  double message = 5e-6;            ///< of rank 0 for a message
  double metadata = 50e-6;          ///< of the file system for an open, a look-up or a sync of a folder, one at a time
  double sync = 20e-3;              ///< of a rank for syncing its rows, then its journal
  double slow_sync_share = 0.0;     ///< commits that meet a busy server
  double slow_sync = 5.0;           ///< their time
  double bytes_per_second = 100e9;  ///< of the file system, shared by the ranks
  double restart = 60.0;            ///< from a death to the first request of the next run
};

struct VirtualSweep {
  std::uint32_t blocks = 1;
  double mean_seconds = 1.0;  ///< of a block
  double skew = 1.0;          ///< most expensive over cheapest block; costs are log-uniform between them
  std::uint32_t alike = 1;    ///< consecutive blocks that cost the same; 1: costs are independent
  double block_bytes = 1e6;
  std::uint64_t seed = 1;

  [[nodiscard]] double seconds(BlockId block) const {
    const double spread = std::log(skew);
    const double lowest = spread > 0.0 ? mean_seconds * spread / (skew - 1.0) : mean_seconds;
    return lowest * std::exp(spread * CounterRandom(seed).uniform(block / alike));
  }
};

struct Rehearsal {
  double elapsed = 0.0;           ///< until the last block is recorded: evaluation, commits and restarts
  double efficiency = 0.0;        ///< least time of these ranks at their speeds / elapsed
  std::uint64_t messages = 0;     ///< to rank 0
  double server_busy = 0.0;       ///< share of the time that rank 0 handles messages
  double metadata_busy = 0.0;     ///< share of the time that the metadata server is busy
  std::uint64_t lost_blocks = 0;  ///< never recorded
  std::uint64_t needless = 0;     ///< evaluations of blocks that were recorded or assigned already
  std::uint64_t repeated = 0;     ///< evaluations of blocks that a death undid
};

}  // namespace dfsweep
