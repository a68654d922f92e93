/// Progress: one line that is redrawn on a terminal, plain lines from time to time elsewhere, nothing with --quiet.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/tally.hpp"
#include "engine/run/time_left.hpp"

namespace dfsweep {

enum class ProgressStyle : std::uint8_t { redrawn, lines, quiet };

/// 3 210 000 is "3.21 M"; below 10 000 all digits are written.
[[nodiscard]] std::string short_count(double count);
/// 0.123 is "0.12 s", 4000 is "1 h 06 min".
[[nodiscard]] std::string short_time(double seconds);
/// 0.1234 is "0.12/s", 3 210 000 is "3.21 M/s".
[[nodiscard]] std::string short_rate(double points_per_second);

/// Thread-safe.
class Progress {
 public:
  struct Output {
    std::function<void(std::string_view)> print;  ///< receives whole lines, or a carriage return and a line
    std::function<double()> now;                  ///< seconds of a monotonic clock
    std::size_t width = 80;                       ///< columns; 0: unlimited
  };
  /// `before` of the `total` points were complete before this run.
  Progress(ProgressStyle style, std::uint64_t total, std::uint64_t before, std::vector<std::string> status_names,
           Output output);

  void add(const Tally& tally);
  /// Called several times a second; redraws the line if it is due.
  void tick();
  /// Erases the line, so that other text can be printed.
  void clear();
  /// Sum of the tallies of all ranks in this run.
  [[nodiscard]] Tally total() const;
  [[nodiscard]] double seconds() const;

 private:
  /// Evaluated points, blocks in progress included.
  [[nodiscard]] std::uint64_t done() const;
  /// The line, without trailing parts that do not fit into `width` columns (0: unlimited).
  [[nodiscard]] std::string line(std::size_t width) const;
  void draw();

  ProgressStyle style_;
  std::uint64_t total_;
  std::uint64_t before_;
  std::vector<std::string> status_names_;
  Output output_;
  double start_;
  mutable std::mutex mutex_;  ///< guards the members below
  Tally tally_;
  double drawn_at_;
  std::uint64_t drawn_percent_ = 0;
  std::size_t drawn_width_ = 0;
  TimeLeft time_left_;
};

}  // namespace dfsweep
