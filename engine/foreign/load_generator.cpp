#include "engine/foreign/load_generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>

#include "engine/foreign/document_reader.hpp"
#include "io/csv.hpp"
#include "io/json_document.hpp"
#include "models/short_number.hpp"

namespace dfsweep::foreign {

namespace {

constexpr double seconds_per_ms = 1e-3;

/// Keys of nested objects, from the outermost.
using Keys = std::initializer_list<std::string_view>;

const Node* node_at(const Document& document, Keys keys) {
  const Document* table = &document;
  const Node* found = nullptr;
  for (const std::string_view key : keys) {
    found = table == nullptr ? nullptr : table->find(key);
    if (found == nullptr) return nullptr;
    table = found->table();
  }
  return found;
}

std::string path_of(Keys keys) {
  std::string path;
  for (const std::string_view key : keys) path.append(path.empty() ? "" : ".").append(key);
  return path;
}

/// Reads numbers of a result file and collects problems with their positions.
class ResultReader {
 public:
  ResultReader(const Document& document, const std::string& shown) : document_(document), shown_(shown) {}

  [[nodiscard]] bool has(Keys keys) const { return node_at(document_, keys) != nullptr; }
  /// A number above 0; a problem where it is missing or something else.
  double needed(Keys keys) {
    const Node* node = node_at(document_, keys);
    if (node == nullptr) {
      problems_.push_back({.at = {shown_, 1, 1},
                           .problem = fmt::format("'{}' is missing", path_of(keys)),
                           .reason = "a measured point needs it",
                           .hint = ""});
      return 1.0;
    }
    const auto number = number_in(*node);
    if (number && *number > 0.0 && std::isfinite(*number)) return *number;
    problems_.push_back(
        {.at = node->at,
         .problem = fmt::format("'{}' is {}", path_of(keys), number ? shown_number(*number) : "no number"),
         .reason = "a number above 0 is needed",
         .hint = ""});
    return 1.0;
  }
  /// The first of these that is a number above 0; else 0.
  [[nodiscard]] double first_of(std::initializer_list<Keys> paths) const {
    for (const Keys keys : paths)
      if (const Node* node = node_at(document_, keys))
        if (const auto number = number_in(*node); number && *number > 0.0 && std::isfinite(*number)) return *number;
    return 0.0;
  }
  void raise() const {
    if (!problems_.empty()) throw UserError(std::vector<Problem>(problems_));
  }

 private:
  static std::string shown_number(double number) { return short_number(number); }

  const Document& document_;
  const std::string& shown_;
  std::vector<Problem> problems_;
};

/// Lengths are totals over the completed requests.
GeneratorRun vllm_run(ResultReader& reader) {
  GeneratorRun run{.generator = "vllm bench serve"};
  const double completed = reader.needed({"completed"});
  run.prompt_tokens = reader.needed({"total_input_tokens"}) / completed;
  run.output_tokens = reader.needed({"total_output_tokens"}) / completed;
  run.first_token = reader.needed({"mean_ttft_ms"}) * seconds_per_ms;
  run.token = reader.needed({"mean_tpot_ms"}) * seconds_per_ms;
  run.users = reader.first_of({{"max_concurrency"}});
  run.rate = reader.first_of({{"request_rate"}});  // "inf" is a text
  run.requests = reader.first_of({{"num_prompts"}, {"completed"}});
  if (const double burstiness = reader.first_of({{"burstiness"}}); burstiness > 0.0) run.burstiness = burstiness;
  return run;
}

/// Times in milliseconds; AIPerf writes the same objects.
GeneratorRun genai_perf_run(ResultReader& reader) {
  GeneratorRun run{.generator = "genai-perf"};
  run.prompt_tokens = reader.needed({"input_sequence_length", "avg"});
  run.output_tokens = reader.needed({"output_sequence_length", "avg"});
  run.first_token = reader.needed({"time_to_first_token", "avg"}) * seconds_per_ms;
  run.token = reader.needed({"inter_token_latency", "avg"}) * seconds_per_ms;
  run.users = reader.first_of({{"input_config", "perf_analyzer", "stimulus", "concurrency"},
                               {"input_config", "loadgen", "concurrency"},
                               {"input_config", "concurrency"}});
  run.rate = reader.first_of({{"input_config", "perf_analyzer", "stimulus", "request_rate"},
                              {"input_config", "loadgen", "request_rate"},
                              {"input_config", "request_rate"}});
  run.requests = reader.first_of({{"request_count", "avg"}});
  return run;
}

/// Times in seconds.
GeneratorRun inference_perf_run(ResultReader& reader) {
  GeneratorRun run{.generator = "inference-perf"};
  const bool has_tokens = reader.has({"successes", "latency", "time_per_output_token"});
  run.prompt_tokens = reader.has({"successes", "prompt_len"}) ? reader.needed({"successes", "prompt_len", "mean"})
                                                              : reader.needed({"successes", "prompt_tokens", "mean"});
  run.output_tokens = reader.has({"successes", "output_len"}) ? reader.needed({"successes", "output_len", "mean"})
                                                              : reader.needed({"successes", "output_tokens", "mean"});
  run.first_token = reader.needed({"successes", "latency", "time_to_first_token", "mean"});
  run.token = has_tokens ? reader.needed({"successes", "latency", "time_per_output_token", "mean"})
                         : reader.needed({"successes", "latency", "inter_token_latency", "mean"});
  run.users = reader.first_of({{"load_summary", "concurrency"}});
  run.rate = reader.first_of({{"load_summary", "requested_rate"}, {"load_summary", "achieved_rate"}});
  run.requests = reader.first_of({{"load_summary", "count"}, {"successes", "count"}});
  return run;
}

GeneratorRun run_of_document(const Document& document, const std::string& shown) {
  ResultReader reader(document, shown);
  GeneratorRun run;
  if (reader.has({"mean_ttft_ms"}) || reader.has({"total_input_tokens"}))
    run = vllm_run(reader);
  else if (reader.has({"successes"}))
    run = inference_perf_run(reader);
  else if (reader.has({"time_to_first_token"}) || reader.has({"request_latency"}))
    run = genai_perf_run(reader);
  else
    throw UserError({{.at = {shown, 1, 1},
                      .problem = "not the result of a known load generator",
                      .reason = "mean_ttft_ms, successes and time_to_first_token are missing",
                      .hint = "Results of vllm bench serve, genai-perf, AIPerf and inference-perf are read."}});
  reader.raise();
  return run;
}

/// The number of a cell such as "1,146.31".
double number_in_cell(std::string_view cell) {
  std::string digits(cell);
  std::erase(digits, ',');
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size() && std::isfinite(value) ? value : 0.0;
}

/// The first of the sections of a table of genai-perf, which an empty line ends, has the times.
GeneratorRun run_of_table(std::string text, const std::string& shown) {
  for (const std::string_view blank : {"\n\n", "\r\n\r\n"})
    if (const std::size_t end = text.find(blank); end != std::string::npos) text.resize(end + 1);
  CsvReader reader(std::move(text), shown);
  GeneratorRun run{.generator = "genai-perf"};
  struct Wanted {
    std::string_view metric;
    double GeneratorRun::*member;
    double unit;
  };
  constexpr Wanted all[] = {{"Time To First Token (ms)", &GeneratorRun::first_token, seconds_per_ms},
                            {"Inter Token Latency (ms)", &GeneratorRun::token, seconds_per_ms},
                            {"Input Sequence Length (tokens)", &GeneratorRun::prompt_tokens, 1.0},
                            {"Output Sequence Length (tokens)", &GeneratorRun::output_tokens, 1.0}};
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next())
    for (const Wanted& wanted : all)
      if (cells.front().text == wanted.metric && cells.size() > 1)
        run.*wanted.member = number_in_cell(cells[1].text) * wanted.unit;
  std::vector<Problem> problems(reader.problems());
  for (const Wanted& wanted : all)
    if (!(run.*wanted.member > 0.0))
      problems.push_back({.at = {shown, reader.header_line(), 1},
                          .problem = fmt::format("no row '{}' with an average above 0", wanted.metric),
                          .reason = "a measured point needs it",
                          .hint = ""});
  if (!problems.empty()) throw UserError(std::move(problems));
  return run;
}

std::string cell_unless_0(double value) {
  return value > 0.0 ? short_number(value) : std::string();
}

/// The parameters of a run; empty cells leave them open.
std::vector<PointCell> cells_of_run(const GeneratorRun& run) {
  const bool has_users = run.users > 0.0;
  const bool has_rate = !has_users && run.rate > 0.0;
  const bool is_burst = !has_users && !has_rate && run.requests > 0.0;
  const bool is_gamma = has_rate && run.burstiness != 1.0;
  std::vector<PointCell> cells{{"prompt_tokens", cell_unless_0(std::round(run.prompt_tokens))},
                               {"output_tokens", cell_unless_0(std::round(run.output_tokens))},
                               {"concurrency", cell_unless_0(has_users ? run.users : 0.0)}};
  cells.emplace_back("requests_per_user", has_users ? cell_unless_0(run.requests / run.users) : "");
  cells.emplace_back("arrival_rate", has_rate ? short_number(run.rate) + " Hz" : "");
  cells.emplace_back("arrivals", is_gamma ? "gamma" : has_rate ? "poisson" : "");
  cells.emplace_back("arrival_variation", is_gamma ? cell_unless_0(1.0 / std::sqrt(run.burstiness)) : "");
  cells.emplace_back("requests", cell_unless_0(is_burst ? run.requests : 0.0));
  return cells;
}

using Settings = std::span<const std::pair<std::string, std::string>>;

bool is_set(Settings settings, std::string_view parameter) {
  return std::any_of(settings.begin(), settings.end(), [&](const auto& one) { return one.first == parameter; });
}

/// Parameters that no file gives, and those of `settings`, have no column.
std::vector<bool> kept_columns(const std::vector<std::vector<PointCell>>& rows, Settings settings) {
  std::vector<bool> kept(rows.empty() ? 0 : rows.front().size(), false);
  for (const std::vector<PointCell>& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      if (!row[c].second.empty() && !is_set(settings, row[c].first)) kept[c] = true;
  return kept;
}

}  // namespace

GeneratorRun read_generator_run(std::string text, const std::string& shown) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{')
    return run_of_document(parse_json_document(text, shown, JsonNulls::dropped), shown);
  return run_of_table(std::move(text), shown);
}

bool is_generator_file(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text.substr(first).starts_with("Metric,"));
}

MeasuredPoints points_of_generator_files(std::span<const GeneratorFile> files, Settings settings,
                                         const Catalogue& catalogue) {
  std::vector<GeneratorRun> runs;
  std::vector<std::vector<PointCell>> rows;
  for (const GeneratorFile& file : files) {
    runs.push_back(read_generator_run(file.text, file.shown));
    rows.push_back(cells_of_run(runs.back()));
  }
  const std::vector<bool> kept = kept_columns(rows, settings);
  const std::string shown = files.empty() ? std::string() : files.front().shown;
  RowTable table(catalogue, shown, {});
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::vector<PointCell> cells;
    for (const auto& [parameter, value] : settings) cells.emplace_back(parameter, value);
    if (!is_set(settings, "queueing")) cells.emplace_back("queueing", "simulated");
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      if (kept[c]) cells.push_back(rows[r][c]);
    MeasuredRow row;
    row.cells = {{"id", files[r].id}, {"source", std::string(runs[r].generator)}};
    std::vector<Assumption> assumptions;
    if (runs[r].users <= 0.0 && runs[r].rate <= 0.0 && !is_set(settings, "concurrency") &&
        !is_set(settings, "arrival_rate"))
      assumptions.push_back({"", "", "the file says neither how many users there are nor how often requests come"});
    table.add(row, 1, cells,
              {{"time_to_first_token", short_number(runs[r].first_token)},
               {"time_per_output_token", short_number(runs[r].token)}},
              assumptions);
  }
  return table.take();
}

}  // namespace dfsweep::foreign
