/// The serial communicator, and the choice between serial and MPI.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "engine/parallel/communicator.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

class SerialCommunicator final : public Communicator {
 public:
  [[nodiscard]] std::uint32_t rank() const override { return 0; }
  [[nodiscard]] std::uint32_t size() const override { return 1; }
  [[nodiscard]] std::uint32_t ranks_on_this_host() const override { return 1; }
  void barrier() override {}
  void sum(std::span<std::uint64_t>) override {}
  [[nodiscard]] std::vector<std::byte> broadcast(std::vector<std::byte> bytes) override { return bytes; }
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    return {std::vector<std::byte>(bytes.begin(), bytes.end())};
  }
  void send(std::uint32_t, int, std::vector<std::byte>) override { DFSWEEP_EXPECT(size() > 1); }
  [[nodiscard]] std::optional<Message> poll(std::span<const int>) override { return std::nullopt; }
  [[noreturn]] void abort(int exit_status) override { std::_Exit(exit_status); }
};

/// The integer value of an environment variable, if it is set.
std::optional<int> environment_number(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

Launch detect_launch() {
  if (const auto size = environment_number("OMPI_COMM_WORLD_SIZE")) return *size > 1 ? Launch::mpi : Launch::alone;
  const bool has_process_manager =
      environment_number("PMIX_RANK").has_value() || environment_number("PMI_RANK").has_value();
  const bool is_step_of_many = environment_number("SLURM_STEP_NUM_TASKS").value_or(1) > 1;
  if (environment_number("SLURM_PROCID").has_value() && environment_number("SLURM_STEP_ID").has_value()) {
    if (!is_step_of_many) return Launch::alone;
    return has_process_manager ? Launch::mpi : Launch::copies;
  }
  return has_process_manager ? Launch::mpi : Launch::alone;
}

std::uint32_t launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const auto size = environment_number(name)) return static_cast<std::uint32_t>(std::max(*size, 1));
  return 1;
}

std::unique_ptr<Communicator> make_serial_communicator() {
  return std::make_unique<SerialCommunicator>();
}

std::unique_ptr<Communicator> make_communicator() {
  return detect_launch() == Launch::mpi ? make_mpi_communicator() : make_serial_communicator();
}

}  // namespace dfsweep
