#include "models/serving/points/trace.hpp"

#include "models/absent.hpp"

namespace dfsweep::serving {

namespace {

constexpr double most_seconds = 1e12;
constexpr double most_tokens = 1e9;
constexpr std::string_view arrival_names[] = {"arrived_at", "timestamp", "arrival_time"};
constexpr std::string_view prompt_names[] = {"num_prefill_tokens", "prompt_tokens", "input_tokens", "input_length"};
constexpr std::string_view output_names[] = {"num_decode_tokens", "output_tokens", "output_length"};

constexpr StreamColumn columns[] = {{.name = "arrival",
                                     .other_names = arrival_names,
                                     .lowest = 0.0,
                                     .highest = most_seconds,
                                     .is_whole = false,
                                     .is_ascending = true},
                                    {.name = "prompt",
                                     .other_names = prompt_names,
                                     .lowest = 1.0,
                                     .highest = most_tokens,
                                     .is_whole = true,
                                     .is_ascending = false},
                                    {.name = "output",
                                     .other_names = output_names,
                                     .lowest = 1.0,
                                     .highest = most_tokens,
                                     .is_whole = true,
                                     .is_ascending = false}};

}  // namespace

std::span<const StreamColumn> trace_columns() {
  return columns;
}

TraceRequests::TraceRequests(const StreamedRows& rows) : rows_(rows), stream_(rows.open()), first_arrival_(absent) {}

std::size_t TraceRequests::next(std::span<queueing::TracedRequest> block) {
  constexpr std::size_t width = std::size(columns);
  numbers_.resize(block.size() * width);
  const std::size_t count = stream_->next(numbers_);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const double> row = std::span(numbers_).subspan(i * width, width);
    if (!is_given(first_arrival_)) first_arrival_ = row[0];
    block[i] = {Seconds{row[0] - first_arrival_}, static_cast<std::uint32_t>(row[1]),
                static_cast<std::uint32_t>(row[2])};
  }
  return count;
}

std::uint32_t TraceRequests::largest_output() const {
  return static_cast<std::uint32_t>(rows_.largest()[2]);
}

}  // namespace dfsweep::serving
