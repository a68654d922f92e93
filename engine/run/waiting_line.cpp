#include "engine/run/waiting_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "engine/parallel/heartbeat.hpp"
#include "engine/run/progress.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

constexpr double first_after = 0.5;
constexpr double waiting_redraw_seconds = 0.5;
constexpr double line_seconds = 60.0;

}  // namespace

WaitingLine::WaitingLine(std::string text)
    : text_(std::move(text)),
      rewrites_lines_(terminal_of(STDERR_FILENO).rewrites_lines),
      start_(steady_seconds()),
      width_(terminal_of(STDERR_FILENO).width) {
  if (!text_.empty()) heartbeat_ = std::make_unique<Heartbeat>([this] { draw(); });
}

WaitingLine::~WaitingLine() {
  heartbeat_.reset();
  if (drawn_width_ == 0) return;
  std::fputs(('\r' + std::string(drawn_width_, ' ') + '\r').c_str(), stderr);
  std::fflush(stderr);
}

void WaitingLine::set_text(std::string text) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

void WaitingLine::draw() {
  const double seconds = steady_seconds() - start_;
  const double interval = rewrites_lines_ ? waiting_redraw_seconds : line_seconds;
  if (seconds < first_after || (drawn_at_ >= 0.0 && seconds - drawn_at_ < interval)) return;
  drawn_at_ = seconds;
  std::string line;
  {
    const std::lock_guard lock(mutex_);
    line = fmt::format("{}, {} so far", text_, short_time(seconds));
  }
  if (rewrites_lines_) {
    if (width_ > 0 && line.size() >= width_) return;
    const std::size_t blanks = drawn_width_ > line.size() ? drawn_width_ - line.size() : 0;
    drawn_width_ = line.size();
    line = '\r' + line + std::string(blanks, ' ');
  } else {
    line += '\n';
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace dfsweep
