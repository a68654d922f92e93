/// Text of the progress line, and when it is drawn.
#include "engine/run/progress.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace dfsweep {
namespace {

constexpr double redraw_seconds = 0.1;
constexpr double min_line_interval = 1.0;  // between plain lines
constexpr double max_line_interval = 60.0;
constexpr std::uint64_t line_percent = 5;

std::uint64_t percent(std::uint64_t done, std::uint64_t total) {
  if (done >= total) return 100;
  return std::min<std::uint64_t>(
      99, static_cast<std::uint64_t>(100.0 * static_cast<double>(done) / static_cast<double>(total)));
}

}  // namespace

std::string short_count(double count) {
  constexpr std::array<const char*, 7> prefixes = {"", " k", " M", " G", " T", " P", " E"};
  if (count < 9999.5) return fmt::format("{:.0f}", count);
  std::size_t prefix = 0;
  while (count >= 999.5 && prefix + 1 < prefixes.size()) {
    count /= 1000.0;
    ++prefix;
  }
  const int digits = count < 9.995 ? 2 : count < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", count, digits, prefixes[prefix]);
}

std::string short_time(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 9.95) return fmt::format("{:.2g} s", std::max(seconds, 0.0));
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<std::uint64_t>(std::llround(seconds / 60.0));
  if (minutes < 60) return fmt::format("{} min", minutes);
  if (minutes < 48 * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  return fmt::format("{} d {:02} h", minutes / 1440, minutes % 1440 / 60);
}

std::string short_rate(double points_per_second) {
  if (points_per_second < 9.5) return fmt::format("{:.2g}/s", points_per_second);
  return fmt::format("{}/s", short_count(points_per_second));
}

Progress::Progress(ProgressStyle style, std::uint64_t total, std::uint64_t before,
                   std::vector<std::string> status_names, Output output)
    : style_(style),
      total_(total),
      before_(before),
      status_names_(std::move(status_names)),
      output_(std::move(output)),
      start_(output_.now()),
      drawn_at_(start_) {
  drawn_percent_ = percent(before_, total_);
}

void Progress::add(const Tally& tally) {
  const std::lock_guard lock(mutex_);
  tally_.add(tally);
}

void Progress::tick() {
  if (style_ == ProgressStyle::quiet) return;
  const std::lock_guard lock(mutex_);
  const std::uint64_t now_done = done();
  time_left_.note(output_.now() - start_, now_done);
  const double since = output_.now() - drawn_at_;
  const std::uint64_t reached = percent(before_ + now_done, total_);
  const bool has_moved = reached / line_percent > drawn_percent_ / line_percent;
  const bool is_due = style_ == ProgressStyle::redrawn
                          ? since >= redraw_seconds
                          : since >= max_line_interval || (has_moved && since >= min_line_interval);
  if (!is_due) return;
  drawn_at_ = output_.now();
  drawn_percent_ = reached;
  draw();
}

std::uint64_t Progress::done() const {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(static_cast<std::int64_t>(tally_.points) + tally_.in_progress, 0));
}

void Progress::draw() {
  if (style_ == ProgressStyle::lines) return output_.print(line(0) + '\n');
  const std::string text = line(output_.width);
  const std::size_t blanks = drawn_width_ > text.size() ? drawn_width_ - text.size() : 0;
  drawn_width_ = text.size();
  output_.print('\r' + text + std::string(blanks, ' '));
}

std::string Progress::line(std::size_t width) const {
  const std::uint64_t points = done();
  const std::uint64_t all = before_ + points;
  const double elapsed = output_.now() - start_;
  const double rate = elapsed > 0.0 ? static_cast<double>(points) / elapsed : 0.0;
  std::vector<std::string> parts = {
      fmt::format("{:3} %", percent(all, total_)),
      fmt::format("{} of {} points", short_count(static_cast<double>(all)), short_count(static_cast<double>(total_)))};
  if (points == 0) {
    parts.push_back(fmt::format("{} so far", short_time(elapsed)));
  } else {
    parts.push_back(short_rate(rate));
    parts.push_back(fmt::format("{} left", short_time(time_left_.of(total_ - std::min(all, total_)))));
  }
  for (std::size_t s = 0; s < tally_.statuses.size(); ++s)
    if (tally_.statuses[s] > 0)
      parts.push_back(fmt::format("{} {}", s < status_names_.size() ? status_names_[s] : "?",
                                  short_count(static_cast<double>(tally_.statuses[s]))));
  std::string text;
  for (const std::string& part : parts) {
    const std::size_t needed = text.size() + (text.empty() ? 0 : 2) + part.size();
    if (width > 0 && needed >= width) continue;
    text += (text.empty() ? "" : "  ") + part;
  }
  return text;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (style_ != ProgressStyle::redrawn || drawn_width_ == 0) return;
  output_.print('\r' + std::string(drawn_width_, ' ') + '\r');
  drawn_width_ = 0;
}

Tally Progress::total() const {
  const std::lock_guard lock(mutex_);
  return tally_;
}

double Progress::seconds() const {
  return output_.now() - start_;
}

}  // namespace dfsweep
