/// The MPI communicator: point-to-point messages and collectives on a duplicate of MPI_COMM_WORLD.
///
/// One-sided operations are not used: with the packaged Open MPI 4.1 they abort or stall between hosts.
// The C interface alone: the C++ bindings of Open MPI do not compile without warnings, and MPICH has them in a library.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "engine/console/usage_error.hpp"
#include "engine/parallel/communicator.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

void check(int code) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw std::runtime_error("MPI: " + text);
}

int as_int(std::size_t count) {
  DFSWEEP_EXPECT(count <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(count);
}

/// "Open MPI v4.1.4" or "MPICH Version: 4.0.2": what the library says of itself, up to the first comma or line end.
std::string library_name() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length));
  text.resize(std::min(static_cast<std::size_t>(length), text.find_first_of(",\n")));
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

/// Waits for a request with a backoff of 10 us to 1 ms, so that a waiting rank does not occupy a core.
void wait(MPI_Request& request) {
  auto pause = std::chrono::microseconds(10);
  for (int finished = 0;;) {
    check(MPI_Test(&request, &finished, MPI_STATUS_IGNORE));
    if (finished != 0) return;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(1000));
  }
}

/// In-flight sends. Rendezvous sends complete only when the receiver progresses, so never block on them. Thread-safe.
class Outbox {
 public:
  /// Starts a send and keeps its buffer until it completes. Waits for the oldest sends only above
  /// `max_bytes_in_flight`.
  void send(MPI_Comm ranks, std::uint32_t to, int tag, std::vector<std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    drop_completed();
    while (!in_flight_.empty() && bytes_ + bytes.size() > max_bytes_in_flight) wait_for_oldest();
    bytes_ += bytes.size();
    PendingSend& pending = in_flight_.emplace_back(PendingSend{MPI_REQUEST_NULL, std::move(bytes)});
    check(MPI_Isend(pending.bytes.data(), as_int(pending.bytes.size()), MPI_BYTE, static_cast<int>(to), tag, ranks,
                    &pending.request));
    drop_completed();
  }
  void wait_for_all() {
    const std::lock_guard lock(mutex_);
    while (!in_flight_.empty()) wait_for_oldest();
  }

 private:
  static constexpr std::size_t max_bytes_in_flight = std::size_t{64} << 20;
  struct PendingSend {
    MPI_Request request;
    std::vector<std::byte> bytes;
  };
  void drop_oldest() {
    bytes_ -= in_flight_.front().bytes.size();
    in_flight_.pop_front();
  }
  void wait_for_oldest() {
    wait(in_flight_.front().request);
    drop_oldest();
  }
  void drop_completed() {
    for (int sent = 1; !in_flight_.empty();) {
      check(MPI_Test(&in_flight_.front().request, &sent, MPI_STATUS_IGNORE));
      if (sent == 0) return;
      drop_oldest();
    }
  }
  std::mutex mutex_;  ///< guards the members below
  std::deque<PendingSend> in_flight_;
  std::size_t bytes_ = 0;
};

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() {
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided));
    if (provided < MPI_THREAD_MULTIPLE) throw std::runtime_error("MPI: the library does not grant MPI_THREAD_MULTIPLE");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &ranks_));
    check(MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN));
    int number = 0;
    check(MPI_Comm_rank(ranks_, &number));
    rank_ = static_cast<std::uint32_t>(number);
    check(MPI_Comm_size(ranks_, &number));
    size_ = static_cast<std::uint32_t>(number);
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(ranks_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
    check(MPI_Comm_size(host, &number));
    on_this_host_ = static_cast<std::uint32_t>(number);
    check(MPI_Comm_free(&host));
  }
  ~MpiCommunicator() override {
    try {
      outbox_.wait_for_all();
    } catch (const std::exception&) {  // a peer has ended; nothing can be sent any more
    }
    MPI_Comm_free(&ranks_);
    MPI_Finalize();
  }

  [[nodiscard]] std::uint32_t rank() const override { return rank_; }
  [[nodiscard]] std::uint32_t size() const override { return size_; }
  [[nodiscard]] std::uint32_t ranks_on_this_host() const override { return on_this_host_; }

  void barrier() override {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(ranks_, &request));
    wait(request);
  }

  void sum(std::span<std::uint64_t> values) override {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), as_int(values.size()), MPI_UINT64_T, MPI_SUM, ranks_, &request));
    wait(request);
  }

  [[nodiscard]] std::vector<std::byte> broadcast(std::vector<std::byte> bytes) override {
    std::uint64_t count = bytes.size();
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(&count, 1, MPI_UINT64_T, 0, ranks_, &request));
    wait(request);
    bytes.resize(count);
    check(MPI_Ibcast(bytes.data(), as_int(count), MPI_BYTE, 0, ranks_, &request));
    wait(request);
    return bytes;
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    const int count = as_int(bytes.size());
    std::vector<int> counts(rank_ == 0 ? size_ : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Igather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, ranks_, &request));
    wait(request);
    std::vector<int> offsets;
    std::size_t total = 0;
    for (const int each : counts) {
      offsets.push_back(as_int(total));
      total += static_cast<std::size_t>(each);
    }
    std::vector<std::byte> all(total);
    check(MPI_Igatherv(bytes.data(), count, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, 0, ranks_,
                       &request));
    wait(request);
    std::vector<std::vector<std::byte>> result;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto first = all.begin() + offsets[i];
      result.emplace_back(first, first + counts[i]);
    }
    return result;
  }

  void send(std::uint32_t to, int tag, std::vector<std::byte> bytes) override {
    outbox_.send(ranks_, to, tag, std::move(bytes));
  }

  [[nodiscard]] std::optional<Message> poll(std::span<const int> tags) override {
    for (const int tag : tags) {
      int arrived = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      check(MPI_Improbe(MPI_ANY_SOURCE, tag, ranks_, &arrived, &message, &status));
      if (arrived == 0) continue;
      int count = 0;
      check(MPI_Get_count(&status, MPI_BYTE, &count));
      Message result{static_cast<std::uint32_t>(status.MPI_SOURCE), tag,
                     std::vector<std::byte>(static_cast<std::size_t>(count))};
      check(MPI_Mrecv(result.bytes.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE));
      return result;
    }
    return std::nullopt;
  }

  [[noreturn]] void abort(int exit_status) override {
    MPI_Abort(ranks_, exit_status);
    std::_Exit(exit_status);
  }

 private:
  MPI_Comm ranks_ = MPI_COMM_NULL;
  Outbox outbox_;
  std::uint32_t rank_ = 0;
  std::uint32_t size_ = 1;
  std::uint32_t on_this_host_ = 1;
};

}  // namespace

std::unique_ptr<Communicator> make_mpi_communicator() {
  auto ranks = std::make_unique<MpiCommunicator>();
  if (ranks->size() == 1 && launched_processes() > 1)
    throw UsageError(
        fmt::format("{} processes were started, but {} connects none of them: the launcher belongs to another MPI. Use "
                    "the mpirun of "
                    "the MPI that this dfsweep was built with, or srun --mpi=pmix",
                    launched_processes(), library_name()));
  return ranks;
}

}  // namespace dfsweep
