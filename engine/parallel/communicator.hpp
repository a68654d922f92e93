/// Communicator: the few operations that ranks need of each other; a serial and an MPI implementation.
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
  /// Sum over ranks of each element, on every rank.
  virtual void sum(std::span<std::uint64_t> values) = 0;
  /// The bytes of rank 0, on every rank.
  [[nodiscard]] virtual std::vector<std::byte> broadcast(std::vector<std::byte> bytes) = 0;
  /// The bytes of every rank, on rank 0 (empty elsewhere), by rank.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
  /// Point to point, from any thread: a message of at most 2^31 - 1 bytes with a tag. Returns at once, before the
  /// message has arrived, unless so many bytes are under way that it has to wait for some to arrive.
  virtual void send(std::uint32_t to, int tag, std::vector<std::byte> bytes) = 0;
  struct Message {
    std::uint32_t from = 0;
    int tag = 0;
    std::vector<std::byte> bytes;
  };
  /// A message with one of these tags if one has arrived; never blocks.
  [[nodiscard]] virtual std::optional<Message> poll(std::span<const int> tags) = 0;
  /// Ends all ranks at once with this exit status; used where one rank cannot go on.
  [[noreturn]] virtual void abort(int exit_status) = 0;
};

/// How this process was started, as its environment says.
enum class Launch : std::uint8_t {
  alone,   ///< one process: MPI is not started, so that a laptop run does not pay for it
  mpi,     ///< one of several ranks that can talk to each other
  copies,  ///< one of several processes of an `srun` without MPI support: they would all do the same work
};
[[nodiscard]] Launch detect_launch();

[[nodiscard]] std::unique_ptr<Communicator> make_serial_communicator();
/// Starts MPI with MPI_THREAD_MULTIPLE and ends it when destroyed; at most once per process. Collective operations wait
/// with short sleeps instead of spinning, and are called by one thread at a time.
[[nodiscard]] std::unique_ptr<Communicator> make_mpi_communicator();
/// MPI when started by mpirun or srun as one of several ranks, else serial.
[[nodiscard]] std::unique_ptr<Communicator> make_communicator();

}  // namespace dfsweep
