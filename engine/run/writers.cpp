#include "engine/run/writers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <map>

#include <fmt/format.h>

#include "io/json.hpp"

namespace dfsweep {
namespace {

/// A part while its lines are read.
struct ReadWriter {
  Writer writer;
  double progress_seconds = 0.0;  ///< of the last line of progress, since its start
  double progress_points = 0.0;
};

std::uint64_t whole_or(const Json& line, std::string_view name, std::uint64_t otherwise) {
  const Json* value = line.find(name);
  return value == nullptr ? otherwise : value->whole();
}

std::string text_or_empty(const Json& line, std::string_view name) {
  const Json* value = line.find(name);
  return value == nullptr ? std::string() : value->text();
}

void read_start(const Json& line, Writer& writer) {
  writer.hosts.clear();
  for (const Json& host : line.at("hosts").array()) writer.hosts.push_back(host.text());
  writer.ranks = line.at("ranks").whole();
  writer.threads = line.at("threads").whole();
}

/// The rate since the last line of progress; over the whole session where nothing was evaluated since then.
void read_progress(const Json& line, ReadWriter& part) {
  const double seconds = line.at("seconds").number();
  const double points = line.at("points").number();
  const bool has_moved = points > part.progress_points && seconds > part.progress_seconds;
  if (has_moved)
    part.writer.points_per_second = (points - part.progress_points) / (seconds - part.progress_seconds);
  else if (points > 0.0 && seconds > 0.0)
    part.writer.points_per_second = points / seconds;
  part.progress_seconds = seconds;
  part.progress_points = points;
  if (const Json* left = line.find("points_left")) part.writer.points_left = left->whole();
}

/// Whether a session has begun that has not said how it ended.
bool is_unfinished(const Writer& writer) {
  return writer.state == WriterState::working && writer.seen > 0.0;
}

void note_trouble(Writer& writer, std::string text) {
  writer.trouble = std::move(text);
  writer.trouble_seen = writer.seen;
}

void read_event(const Json& line, const std::string& event, ReadWriter& part) {
  Writer& writer = part.writer;
  if (event == "start") {
    writer.state = WriterState::working;
    writer.points_per_second.reset();
    writer.points_left.reset();
    part.progress_seconds = part.progress_points = 0.0;
    read_start(line, writer);
  } else if (event == "progress") {
    read_progress(line, part);
  } else if (event == "evaluated" || event == "published") {
    writer.state = WriterState::complete;
  } else if (event == "stopped") {
    writer.state = WriterState::stopped;
    writer.stop_reason = text_or_empty(line, "reason");
  } else if (event == "error") {
    writer.state = WriterState::failed;
    note_trouble(writer, text_or_empty(line, "message"));
  } else if (event == "failed_points") {
    const std::uint64_t count = whole_or(line, "count", 0);
    note_trouble(writer, fmt::format("{} failed {}, point {}: {}", count, count == 1 ? "point" : "points",
                                     whole_or(line, "point", 0), text_or_empty(line, "message")));
  }
}

void read_line(std::string_view text, std::map<std::string, ReadWriter>& parts) {
  const Json line = parse_json(text);
  const std::optional<double> time = seconds_of_utc(line.at("time").text());
  const std::string number = line.at("part").text();
  if (!time) return;
  ReadWriter& part = parts[number];
  part.writer.part = number;
  if (const std::string host = text_or_empty(line, "host"); part.writer.hosts.empty() && !host.empty())
    part.writer.hosts = {host};
  const std::string event = line.at("event").text();
  if (event == "start" && is_unfinished(part.writer))
    note_trouble(part.writer, "ended without a last line: killed, or its node died");
  part.writer.seen = *time;
  read_event(line, event, part);
}

/// i of "i/n", for the order.
std::uint64_t part_number(const std::string& part) {
  std::uint64_t number = 0;
  std::from_chars(part.data(), part.data() + part.size(), number);
  return number;
}

}  // namespace

std::vector<Writer> writers_of(std::string_view log) {
  std::map<std::string, ReadWriter> parts;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    try {
      read_line(log.substr(begin, end - begin), parts);
    } catch (const JsonError&) {  // a damaged line
    }
    begin = end + 1;
  }
  std::vector<Writer> writers;
  for (auto& [number, part] : parts) writers.push_back(std::move(part.writer));
  std::stable_sort(writers.begin(), writers.end(),
                   [](const Writer& a, const Writer& b) { return part_number(a.part) < part_number(b.part); });
  return writers;
}

std::optional<double> seconds_of_utc(std::string_view text) {
  std::tm utc{};
  const std::string copy(text);
  const char* rest = ::strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
  if (rest == nullptr || *rest == '\0' || copy.back() != 'Z') return std::nullopt;
  double fraction = 0.0;
  if (*rest == '.') std::from_chars(rest, copy.data() + copy.size() - 1, fraction);
  return static_cast<double>(::timegm(&utc)) + fraction;
}

std::string utc_text(double seconds) {
  const auto whole = static_cast<std::time_t>(std::floor(seconds));
  std::tm utc{};
  ::gmtime_r(&whole, &utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

std::optional<double> seconds_left(const std::vector<Writer>& writers) {
  std::optional<double> longest;
  for (const Writer& writer : writers) {
    if (writer.state != WriterState::working) continue;
    if (!writer.points_left || !writer.points_per_second || *writer.points_per_second <= 0.0) return std::nullopt;
    longest = std::max(longest.value_or(0.0), static_cast<double>(*writer.points_left) / *writer.points_per_second);
  }
  return longest;
}

}  // namespace dfsweep
