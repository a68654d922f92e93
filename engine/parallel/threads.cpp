/// Number of threads from the affinity mask (std::thread::hardware_concurrency ignores it), and a parallel loop.
#include "engine/parallel/threads.hpp"

#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
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

cpu_set_t affinity_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) CPU_SET(0, &mask);
  return mask;
}

/// Number of ranks on this host with the same affinity mask, this rank included.
unsigned ranks_sharing_mask(Communicator& communicator) {
  struct Place {
    std::array<char, 256> host{};
    cpu_set_t mask{};
  } place;
  gethostname(place.host.data(), place.host.size() - 1);
  place.mask = affinity_mask();
  const std::span<const std::byte> own(reinterpret_cast<const std::byte*>(&place), sizeof place);
  std::vector<std::byte> all;
  for (const std::vector<std::byte>& each : communicator.gather(own)) all.insert(all.end(), each.begin(), each.end());
  all = communicator.broadcast(std::move(all));
  unsigned sharing = 0;
  for (std::size_t first = 0; first + sizeof place <= all.size(); first += sizeof place)
    if (std::memcmp(all.data() + first, own.data(), sizeof place) == 0) ++sharing;
  return std::max(sharing, 1U);
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

/// What is said where Open MPI has bound the ranks of this host to fewer cores than there are; empty otherwise.
std::string binding_warning(unsigned cores, unsigned ranks_here) {
  const char* bound = std::getenv("OMPI_MCA_orte_bound_at_launch");  // NOLINT(concurrency-mt-unsafe): as above
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (bound == nullptr || online <= static_cast<long>(cores) * ranks_here) return {};
  const auto each = std::max<long>(online / ranks_here, 1);
  if (each <= static_cast<long>(cores)) return {};
  return fmt::format(
      "mpirun has bound {} to {} of the {} cores of this host: to use all, start it with --map-by slot:PE={} or "
      "--bind-to "
      "none",
      ranks_here == 1 ? "this rank" : fmt::format("each of {} ranks", ranks_here), cores, online, each);
}

}  // namespace

unsigned allowed_cores() {
  const cpu_set_t mask = affinity_mask();
  return static_cast<unsigned>(std::max(CPU_COUNT(&mask), 1));
}

ThreadChoice choose_threads(unsigned asked, Communicator& communicator) {
  const unsigned cores = allowed_cores();
  const unsigned sharing = ranks_sharing_mask(communicator);
  const std::optional<unsigned> promised = cores_promised_by_slurm();
  const unsigned fair = std::max(cores / sharing, 1U);
  ThreadChoice choice{.threads = asked != 0 ? asked : promised ? std::min(fair, *promised) : fair, .warning = {}};
  const unsigned wanted = asked != 0 ? asked : promised.value_or(1);
  if (wanted > cores)
    choice.warning = fmt::format(
        "{} cores per rank {}, but this rank is bound to {}: start mpirun with --map-by slot:PE={} or --bind-to none",
        wanted, asked != 0 ? "are asked for" : "are allocated by Slurm", cores, wanted);
  else if (asked == 0 && !promised)
    choice.warning = binding_warning(cores, communicator.ranks_on_this_host());
  return choice;
}

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, 1U));
  tbb::task_arena arena(static_cast<int>(std::max(threads, 1U)));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body, tbb::simple_partitioner{}); });
}

}  // namespace dfsweep
