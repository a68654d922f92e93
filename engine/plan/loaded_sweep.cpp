#include "engine/plan/loaded_sweep.hpp"

#include <exception>
#include <string>

#include <fmt/format.h>

#include "engine/console/usage_error.hpp"
#include "engine/sweep/preparation.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/diagnostic.hpp"
#include "io/packing.hpp"
#include "io/text_file.hpp"

namespace dfsweep {

LoadedSweep::LoadedSweep(SweepSpec read)
    : spec(std::move(read)), rows(spec), plan(spec, rows), prepared(prepare(spec)) {}

std::unique_ptr<LoadedSweep> load_sweep(const std::filesystem::path& path, const SweepReading& reading,
                                        Communicator& communicator) {
  if (path != "-") return std::make_unique<LoadedSweep>(read_sweep(path, reading));
  Packer packer;
  std::exception_ptr error;  // thrown after the broadcast, because the other ranks take part in it
  try {
    packer.text(communicator.rank() == 0 ? read_text_file("-", "-") : std::string());
  } catch (const UserError&) {
    error = std::current_exception();
    packer.text("");
  }
  const std::vector<std::byte> bytes = communicator.broadcast(packer.take());
  if (error) std::rethrow_exception(error);
  const std::string text = Unpacker(bytes).text();
  return std::make_unique<LoadedSweep>(read_sweep_text(text, "-", std::filesystem::current_path(), reading));
}

void expect_same_plan(Communicator& communicator, const Plan& plan) {
  Packer packer;
  packer.text(plan.fingerprint());
  const std::vector<std::byte> first = communicator.broadcast(packer.take());
  if (Unpacker(first).text() != plan.fingerprint())
    throw UsageError(
        fmt::format("rank {} has another sweep, catalogue or program than rank 0 (their plans differ). "
                    "Use files that all hosts share",
                    communicator.rank()));
}

}  // namespace dfsweep
