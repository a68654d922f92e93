/// The communicator of a build without MPI: one process, and a message where a launcher started several.
#include "engine/console/usage_error.hpp"
#include "engine/parallel/communicator.hpp"

namespace dfsweep {

std::unique_ptr<Communicator> make_mpi_communicator() {
  throw UsageError(
      "this program was built without MPI, so that processes that a launcher starts would all do the same work. Start "
      "one process, give each process a part (--part 1/2, --part 2/2), or use a build with MPI (-DDFSWEEP_MPI=ON)");
}

}  // namespace dfsweep
