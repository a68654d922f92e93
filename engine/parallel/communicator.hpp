/// Communicator: the communication operations of a run, with a serial and an MPI implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dfsweep {

class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual std::uint32_t rank() const = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;
  [[nodiscard]] virtual std::uint32_t ranks_on_this_host() const = 0;
  virtual void barrier() = 0;
  /// Collective: elementwise sum over ranks, on every rank (all-reduce).
  virtual void sum(std::span<std::uint64_t> values) = 0;
  /// Collective: the bytes of rank 0, on every rank.
  [[nodiscard]] virtual std::vector<std::byte> broadcast(std::vector<std::byte> bytes) = 0;
  /// Collective: the bytes of every rank, by rank, on rank 0; empty on other ranks.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
  /// Sends a message of at most 2^31 - 1 bytes. Thread-safe. Returns before the message has arrived, but blocks while
  /// more than 64 MiB are in flight.
  virtual void send(std::uint32_t to, int tag, std::vector<std::byte> bytes) = 0;
  struct Message {
    std::uint32_t from = 0;
    int tag = 0;
    std::vector<std::byte> bytes;
  };
  /// Receives a message with one of these tags if one has arrived; never blocks.
  [[nodiscard]] virtual std::optional<Message> poll(std::span<const int> tags) = 0;
  /// Ends all ranks at once with this exit status.
  [[noreturn]] virtual void abort(int exit_status) = 0;
};

/// How this process was started, by its environment variables.
enum class Launch : std::uint8_t {
  alone,   ///< one process: MPI is not initialised, which saves start-up time
  mpi,     ///< one of several MPI ranks
  copies,  ///< one of several processes of `srun` without MPI support: all would do the same work
};
[[nodiscard]] Launch detect_launch();
/// Number of processes that the launcher has started together, by its environment variables; 1 if they do not say.
[[nodiscard]] std::uint32_t launched_processes();

[[nodiscard]] std::unique_ptr<Communicator> make_serial_communicator();
/// Initialises MPI with MPI_THREAD_MULTIPLE and finalizes it when destroyed; at most once per process. Collective
/// operations sleep instead of spinning and must be called by one thread at a time. Throws UsageError where
/// the processes cannot see each other: in a build without MPI, and under the launcher of another MPI.
[[nodiscard]] std::unique_ptr<Communicator> make_mpi_communicator();
/// MPI if started by mpirun or srun as one of several ranks, else serial.
[[nodiscard]] std::unique_ptr<Communicator> make_communicator();

}  // namespace dfsweep
