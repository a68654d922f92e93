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
    std::function<void(std::string_view)> print;  ///< gets whole lines, or a carriage return and a line
    std::function<double()> now;                  ///< seconds, never going back
    std::size_t width = 80;                       ///< columns; 0: unlimited
  };
  /// `total` points of which `before` were complete before this run.
  Progress(ProgressStyle style, std::uint64_t total, std::uint64_t before, std::vector<std::string> status_names,
           Output output);

  void add(const Tally& tally);
  /// Called several times a second: draws where something is to be drawn.
  void tick();
  /// Takes the line away, so that other text can be printed.
  void clear();
  /// What this run has evaluated, over all ranks.
  [[nodiscard]] Tally total() const;
  [[nodiscard]] double seconds() const;

 private:
  /// Points that are evaluated, those of blocks in progress included.
  [[nodiscard]] std::uint64_t done() const;
  /// The whole parts of the line that fit into `width` columns (0: all).
  [[nodiscard]] std::string line(std::size_t width) const;
  void draw();

  ProgressStyle style_;
  std::uint64_t total_;
  std::uint64_t before_;
  std::vector<std::string> status_names_;
  Output output_;
  double start_;
  mutable std::mutex mutex_;  ///< guards what follows
  Tally tally_;
  double drawn_at_;
  std::uint64_t drawn_percent_ = 0;
  std::size_t drawn_width_ = 0;
  TimeLeft time_left_;
};

}  // namespace dfsweep
