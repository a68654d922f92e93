/// FormerResult: a published result of another sweep of the same estimator, whose rows may belong to this one, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "engine/evaluation/known_rows.hpp"
#include "engine/growth/no_growth.hpp"
#include "engine/results/stored_sweep.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// The sweep that computed a file. `data`: where measured tables are, as for stored_sweep(). Throws NoGrowth if no row
/// of the file can be one of `grown`: another program, estimator, form, precision, entry or data.
[[nodiscard]] SweepSpec restored_former(const DatasetReader& file, const SweepSpec& grown, const GivenData& data);

class FormerResult : public KnownRows {
 public:
  /// Pre: `grown` outlives the result.
  FormerResult(std::shared_ptr<const DatasetReader> file, SweepSpec former, const SweepSpec& grown);

  /// Number of rows of the grown sweep that are taken from the file.
  [[nodiscard]] virtual std::uint64_t count() const = 0;
  [[nodiscard]] std::uint64_t former_count() const { return reader_->row_count(); }  ///< number of rows of the file
  [[nodiscard]] const std::filesystem::path& file() const { return reader_->file(); }
  /// The first metric of the file that the grown sweep does not write; empty if it writes all of them.
  [[nodiscard]] std::string_view metric_left_out() const;

 protected:
  [[nodiscard]] const DatasetReader& reader() const { return *reader_; }
  [[nodiscard]] const SweepSpec& former() const { return former_; }
  [[nodiscard]] const SweepSpec& grown() const { return *grown_; }

 private:
  std::shared_ptr<const DatasetReader> reader_;
  SweepSpec former_;
  const SweepSpec* grown_;
};

}  // namespace dfsweep
