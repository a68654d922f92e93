#include "models/machine/accelerator.hpp"

namespace dfsweep {

Accelerator with_peak(Accelerator a, NumberFormat format, Throughput peak) {
  const MatrixFormat products = products_format(format);
  const double factor = peak / usual_peak(a, products);
  for (Throughput* rate : {&a.peak_16bit, &a.peak_8bit, &a.peak_4bit}) *rate = factor * *rate;
  if (products == MatrixFormat::bits16) a.peak_16bit = peak;
  if (products == MatrixFormat::bits8) a.peak_8bit = peak;
  if (products == MatrixFormat::bits4) a.peak_4bit = peak;
  a.formats.add(format);
  return a;
}

}  // namespace dfsweep
