/// Trace: requests whose times and lengths come from a file, for simulations.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "models/queueing/request_source.hpp"
#include "models/row_stream.hpp"

namespace dfsweep::serving {

/// Columns of data "trace": arrival in seconds, tokens of prompt and answer.
[[nodiscard]] std::span<const StreamColumn> trace_columns();

/// A pass over the requests of a trace, from the first one on; arrivals count from the first one.
class TraceRequests final : public queueing::RequestSource {
 public:
  /// Pre: `rows` has the columns of trace_columns() and outlives the pass.
  explicit TraceRequests(const StreamedRows& rows);
  std::size_t next(std::span<queueing::TracedRequest> block) override;
  [[nodiscard]] std::uint32_t largest_output() const override;

 private:
  const StreamedRows& rows_;
  std::unique_ptr<RowStream> stream_;
  std::vector<double> numbers_;
  double first_arrival_;
};

}  // namespace dfsweep::serving
