/// Reading of traces and drawing of requests.
#include "models/profiled/simulation/offered_requests.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace dfsweep::profiled {

namespace {

constexpr std::string_view trace_data = "trace";
constexpr double most_trace_tokens = 1e9;

/// A column of a trace under any of its names.
struct TraceColumn {
  std::array<std::string_view, 3> names;
  double lowest;
};
constexpr TraceColumn trace_columns[] = {{{"arrival", "arrived_at", "arrived_at_s"}, 0.0},
                                         {{"prompt", "num_prefill_tokens", "prefill_tokens"}, 1.0},
                                         {{"output", "num_decode_tokens", "decode_tokens"}, 1.0}};

DataProblem problem_of(const Table& table, std::size_t line, std::string column, std::string problem,
                       std::string reason) {
  return {std::string(trace_data),
          table.path,
          line,
          std::move(column),
          std::move(problem),
          std::move(reason),
          "Columns of a trace are arrival (s), prompt and output (tokens)"};
}

const TableColumn* find_column(const Table& table, const TraceColumn& wanted) {
  for (const std::string_view name : wanted.names)
    if (const TableColumn* column = table.column(name)) return column;
  return nullptr;
}

void check_column(const Table& table, const TableColumn& column, const TraceColumn& wanted,
                  std::vector<DataProblem>& errors) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double number = column.numbers[row];
    const bool is_tokens = wanted.lowest > 0.0;
    if (number >= wanted.lowest && (!is_tokens || (number == std::floor(number) && number <= most_trace_tokens)))
      continue;
    errors.push_back(problem_of(table, table.lines[row], column.name, "'" + column.name + "' is not valid",
                                is_tokens ? "tokens are whole numbers from 1" : "times are numbers from 0"));
    return;
  }
}

void read_table(const Table& table, TraceReading& reading) {
  std::array<const TableColumn*, std::size(trace_columns)> columns{};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c] = find_column(table, trace_columns[c]);
    if (columns[c] == nullptr)
      reading.errors.push_back(problem_of(
          table, 1, "", "column '" + std::string(trace_columns[c].names[0]) + "' is missing", "a trace needs it"));
    else
      check_column(table, *columns[c], trace_columns[c], reading.errors);
  }
  if (!reading.errors.empty()) return;
  for (std::size_t row = 0; row < table.rows(); ++row)
    reading.requests.push_back({Seconds{columns[0]->numbers[row]}, static_cast<std::uint32_t>(columns[1]->numbers[row]),
                                static_cast<std::uint32_t>(columns[2]->numbers[row])});
  if (table.rows() == 0)
    reading.errors.push_back(problem_of(table, 0, "", "the trace is empty", "there is no request to simulate"));
}

/// Prompt and output with at most `most` tokens together, at least one each; the prompt is cut first.
void cut(vidur::OfferedRequest& request, std::uint32_t most) {
  request.output = std::min(request.output, std::max(most, 2u) - 1);
  request.prompt = std::min(request.prompt, std::max(most, 2u) - request.output);
}

}  // namespace

TraceReading read_trace(const SweepValues& values) {
  TraceReading reading;
  for (const SweepValues::Data& data : values.data) {
    if (data.name != trace_data || data.tables == nullptr) continue;
    const std::vector<Table>& tables = *data.tables;
    if (tables.size() > 1)
      reading.errors.push_back(problem_of(tables[1], 0, "", "there are several traces", "a sweep has one trace"));
    else if (!tables.empty())
      read_table(tables[0], reading);
  }
  return reading;
}

OfferedRequests::OfferedRequests(const Demand& demand, std::span<const vidur::OfferedRequest> trace)
    : requests_(trace.begin(), trace.end()) {
  if (trace.empty()) {
    rate_ = is_given(demand.rate) ? demand.rate : 1.0;
    unit_arrivals_ = vidur::unit_arrivals(demand.arrivals, demand.count, demand.variation, demand.seed);
    const auto prompts = vidur::lengths_in(demand.prompts, demand.count, demand.seed, 0);
    const auto outputs = vidur::lengths_in(demand.outputs, demand.count, demand.seed, 1);
    for (std::uint32_t i = 0; i < demand.count; ++i)
      requests_.push_back({Seconds{unit_arrivals_[i] / rate_}, prompts[i], outputs[i]});
  } else {
    double last = 0.0;
    for (const vidur::OfferedRequest& request : trace) last = std::max(last, request.arrival.value());
    const double own = last > 0.0 ? static_cast<double>(trace.size()) / last : 1.0;
    rate_ = is_given(demand.rate) ? demand.rate : own;
    for (vidur::OfferedRequest& request : requests_) {
      unit_arrivals_.push_back(request.arrival.value() * own);
      if (is_given(demand.rate)) request.arrival = Seconds{unit_arrivals_.back() / rate_};
    }
  }
  for (vidur::OfferedRequest& request : requests_) cut(request, demand.most_tokens);
}

std::vector<vidur::OfferedRequest> OfferedRequests::at_rate(double rate) const {
  std::vector<vidur::OfferedRequest> all = requests_;
  for (std::size_t i = 0; i < all.size(); ++i) all[i].arrival = Seconds{unit_arrivals_[i] / rate};
  return all;
}

}  // namespace dfsweep::profiled
