/// What the progress line says, and when it is drawn.
#include "engine/run/progress.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace dfsweep {
namespace {

constexpr double redraw_seconds = 0.1;
constexpr double shortest_line_interval = 1.0;  // between plain lines
constexpr double longest_line_interval = 60.0;
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
  const double since = output_.now() - drawn_at_;
  const std::uint64_t reached = percent(before_ + tally_.points, total_);
  const bool has_moved = reached / line_percent > drawn_percent_ / line_percent;
  const bool is_due = style_ == ProgressStyle::redrawn
                          ? since >= redraw_seconds
                          : since >= longest_line_interval || (has_moved && since >= shortest_line_interval);
  if (!is_due) return;
  drawn_at_ = output_.now();
  drawn_percent_ = reached;
  draw();
}

void Progress::draw() {
  std::string text = line();
  if (style_ == ProgressStyle::lines) return output_.print(text + '\n');
  if (output_.width > 0 && text.size() >= output_.width) text.resize(output_.width - 1);
  const std::size_t blanks = drawn_width_ > text.size() ? drawn_width_ - text.size() : 0;
  drawn_width_ = text.size();
  output_.print('\r' + text + std::string(blanks, ' '));
}

std::string Progress::line() const {
  const std::uint64_t done = before_ + tally_.points;
  const double elapsed = output_.now() - start_;
  const double rate = elapsed > 0.0 ? static_cast<double>(tally_.points) / elapsed : 0.0;
  const double left = rate > 0.0 ? static_cast<double>(total_ - std::min(done, total_)) / rate : INFINITY;
  std::string text = fmt::format("{:3} %  {} of {} points  {}/s  {} left", percent(done, total_),
                                 short_count(static_cast<double>(done)), short_count(static_cast<double>(total_)),
                                 short_count(rate), short_time(left));
  for (std::size_t s = 0; s < tally_.statuses.size(); ++s)
    if (tally_.statuses[s] > 0)
      text += fmt::format("  {} {}", s < status_names_.size() ? status_names_[s] : "?",
                          short_count(static_cast<double>(tally_.statuses[s])));
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
