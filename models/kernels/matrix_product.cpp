#include "models/kernels/matrix_product.hpp"

#include <cmath>

#include "models/kernels/smooth_maximum.hpp"

namespace dfsweep {

namespace {

double share_of_peak(MatrixFormat format, const MatrixEfficiency& e) {
  if (format == MatrixFormat::bits8) return e.peak_share * e.share_8bit;
  if (format == MatrixFormat::bits4) return e.peak_share * e.share_4bit;
  return e.peak_share;
}

double alignment(double size, const MatrixEfficiency& e) {
  return std::fmod(size, 64.0) == 0.0 ? 1.0 : e.misaligned;
}

}  // namespace

Seconds product_time(const MatrixProduct& p, MatrixFormat format, const Accelerator& accelerator,
                     const MatrixEfficiency& e) {
  if (p.count <= 0 || p.rows <= 0 || p.columns <= 0 || p.depth <= 0) return Seconds{};
  const double half_rows = p.grouped ? e.half_rows_grouped : e.half_rows;
  const double size_loss = (1 + half_rows / p.rows) * (1 + e.half_columns / p.columns) * (1 + e.half_depth / p.depth);
  const Seconds computing = flop(p) / (share_of_peak(format, e) * peak(accelerator, format)) *
                            (size_loss * alignment(p.columns, e) * alignment(p.depth, e));
  const Bytes moved{2 * p.count * (p.rows * p.depth + p.columns * p.depth + p.rows * p.columns)};
  const Seconds moving = moved / (e.memory_share * accelerator.memory_bandwidth);
  return smooth_maximum(computing, moving) + e.launch;
}

Seconds cast_time(const MatrixProduct& p, MatrixFormat format, const Accelerator& accelerator,
                  const MatrixEfficiency& e) {
  if (format == MatrixFormat::bits16) return Seconds{};
  return Bytes{e.cast_bytes * p.count * p.rows * p.depth} / accelerator.memory_bandwidth;
}

}  // namespace dfsweep
