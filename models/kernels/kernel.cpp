#include "models/kernels/kernel.hpp"

namespace dfsweep {

double flop_of(const Kernel& kernel) {
  const double elements = kernel.outer * kernel.m * kernel.n;
  return kernel.type == KernelType::matrix ? 2.0 * elements * kernel.k : elements;
}

}  // namespace dfsweep
