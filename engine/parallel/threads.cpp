/// Number of threads from the affinity mask (std::thread::hardware_concurrency ignores it), and a parallel loop.
#include "engine/parallel/threads.hpp"

#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/parallel/communicator.hpp"

namespace dfsweep {
namespace {

/// The cores that a process may use; 0: this one.
cpu_set_t affinity_mask(pid_t process = 0) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(process, sizeof mask, &mask) != 0) CPU_SET(0, &mask);
  return mask;
}

/// Where a rank runs, and on which cores.
struct Place {
  std::array<char, 256> host{};
  cpu_set_t mask{};
};

/// The ranks of this host, this one included.
struct Neighbours {
  unsigned ranks = 0;
  unsigned sharing = 0;  ///< that have the affinity mask of this rank
  cpu_set_t cores{};     ///< of all of them
};

Neighbours neighbours(Communicator& communicator) {
  Place own;
  gethostname(own.host.data(), own.host.size() - 1);
  own.mask = affinity_mask();
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(&own), sizeof own);
  std::vector<std::byte> all;
  for (const std::vector<std::byte>& each : communicator.gather(bytes)) all.insert(all.end(), each.begin(), each.end());
  all = communicator.broadcast(std::move(all));
  Neighbours found;
  CPU_ZERO(&found.cores);
  for (std::size_t first = 0; first + sizeof own <= all.size(); first += sizeof own) {
    Place place;
    std::memcpy(&place, all.data() + first, sizeof place);
    if (place.host != own.host) continue;
    ++found.ranks;
    if (CPU_EQUAL(&place.mask, &own.mask)) ++found.sharing;
    CPU_OR(&found.cores, &found.cores, &place.mask);
  }
  return found;
}

/// Cores of this host that mpirun may use. It binds its ranks, but not itself. Nothing without mpirun.
std::optional<unsigned> cores_of_mpirun() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr)  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    return std::nullopt;
  const cpu_set_t mask = affinity_mask(getppid());
  return static_cast<unsigned>(CPU_COUNT(&mask));
}

/// The message about cores that stay idle because mpirun binds few ranks to a core each, its default; "" if none do.
std::string idle_cores_warning(const Neighbours& here) {
  const std::optional<unsigned> usable = cores_of_mpirun();
  const auto used = static_cast<unsigned>(CPU_COUNT(&here.cores));
  if (!usable || *usable <= used) return "";
  return fmt::format(
      "mpirun has bound {} to {} of {} cores of this host, the others stay idle: start it with --map-by slot:PE={} or "
      "--bind-to none (or say with --threads {} that this is meant)",
      here.ranks == 1 ? "its rank" : fmt::format("its {} ranks", here.ranks), used, *usable,
      std::max(*usable / here.ranks, 1U), std::max(used / here.ranks, 1U));
}

std::optional<unsigned> cores_promised_by_slurm() {
  const char* text = std::getenv("SLURM_CPUS_PER_TASK");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  unsigned cores = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cores);
  if (error != std::errc{} || cores == 0) return std::nullopt;
  return cores;
}

}  // namespace

unsigned allowed_cores() {
  const cpu_set_t mask = affinity_mask();
  return static_cast<unsigned>(std::max(CPU_COUNT(&mask), 1));
}

ThreadChoice choose_threads(unsigned asked, Communicator& communicator) {
  const unsigned cores = allowed_cores();
  const Neighbours here = neighbours(communicator);
  const std::optional<unsigned> promised = cores_promised_by_slurm();
  const unsigned fair = std::max(cores / std::max(here.sharing, 1U), 1U);
  ThreadChoice choice{.threads = asked != 0 ? asked : promised ? std::min(fair, *promised) : fair, .warning = {}};
  const unsigned wanted = asked != 0 ? asked : promised.value_or(1);
  if (wanted > cores)
    choice.warning = fmt::format(
        "{} cores per rank {}, but this rank is bound to {}: start mpirun with --map-by slot:PE={} or --bind-to none",
        wanted, asked != 0 ? "are asked for" : "are allocated by Slurm", cores, wanted);
  else if (asked == 0 && !promised)
    choice.warning = idle_cores_warning(here);
  return choice;
}

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, 1U));
  tbb::task_arena arena(static_cast<int>(std::max(threads, 1U)));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body, tbb::simple_partitioner{}); });
}

void parallel_in_order(std::size_t slots, unsigned threads, const OrderedWork& items) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, 1U));
  tbb::task_arena arena(static_cast<int>(std::max(threads, 1U)));
  std::size_t taken = 0;
  // At most `slots` items are under way, and they are finished in order, so the slot of an item that is taken is free.
  const auto take =
      tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
        const std::size_t slot = taken % slots;
        if (items.take(slot))
          ++taken;
        else
          control.stop();
        return slot;
      });
  const auto work = tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, [&](std::size_t slot) {
    items.work(slot);
    return slot;
  });
  const auto finish = tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, items.finish);
  arena.execute([&] { tbb::parallel_pipeline(slots, take & work & finish); });
}

}  // namespace dfsweep
