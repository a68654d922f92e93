/// Signal handlers, time limit and limit of failures.
#include "engine/run/stop.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/console/exit_status.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

// Globals, because a signal handler can only access static storage. The program has no other mutable globals.
std::atomic<int> requested_level{0};  // values of Urgency: 0 none, 1 polite, 2 at_once
std::atomic<int> latest_signal{0};
std::atomic<std::int64_t> latest_milliseconds{0};
/// Text that the handler prints before it ends the process; set before the handler is installed.
std::array<char, 1024> resume_line{};
std::atomic<std::size_t> resume_line_length{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

/// Launchers may deliver one request twice; a signal within this time counts as the same request.
constexpr std::int64_t same_request_milliseconds = 300;

std::int64_t monotonic_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

extern "C" void on_signal(int signal) {
  const int asked = signal == SIGUSR1 || signal == SIGUSR2 ? 1 : 2;
  const int level = requested_level.load();
  const std::int64_t now = monotonic_milliseconds();
  const bool same_request = level >= asked && now - latest_milliseconds.load() < same_request_milliseconds;
  if (same_request) return;
  const int next = std::max(level + 1, asked);
  if (next > 2) {
    static_cast<void>(!write(STDERR_FILENO, resume_line.data(), resume_line_length.load()));
    _exit(static_cast<int>(ExitStatus::stopped));
  }
  latest_milliseconds = now;
  latest_signal = signal;
  requested_level = next;
}

constexpr double day = 86400.0;

/// NaN if `text` is not a number in plain decimal notation, or is negative.
double parse_number(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const bool is_whole_text = !text.empty() && error == std::errc{} && end == text.data() + text.size();
  return is_whole_text && number >= 0.0 ? number : absent;
}

/// h:m:s or m:s as seconds; NaN if malformed.
double parse_colons(std::string_view text) {
  double seconds = 0.0;
  for (int fields = 1; fields <= 3; ++fields) {
    const std::size_t colon = text.find(':');
    seconds = 60.0 * seconds + parse_number(text.substr(0, colon));
    if (colon == std::string_view::npos) return seconds;
    text.remove_prefix(colon + 1);
  }
  return absent;
}

}  // namespace

std::string_view to_string(StopReason reason) {
  constexpr std::array<std::string_view, 5> names = {"none", "signal", "time limit", "failed points", "another rank"};
  return names[static_cast<std::size_t>(reason)];
}

std::optional<std::chrono::duration<double>> parse_time_limit(std::string_view text) {
  if (text == "unlimited" || text == "UNLIMITED") return std::chrono::duration<double>(INFINITY);
  double seconds = std::numeric_limits<double>::quiet_NaN();
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    seconds = day * parse_number(text.substr(0, dash)) + parse_colons(text.substr(dash + 1));
  } else if (text.find(':') != std::string_view::npos) {
    seconds = parse_colons(text);
  } else if (!text.empty()) {
    const char unit = text.back();
    const double factor = unit == 's' ? 1.0 : unit == 'm' ? 60.0 : unit == 'h' ? 3600.0 : unit == 'd' ? day : 0.0;
    seconds = factor == 0.0 ? parse_number(text) : factor * parse_number(text.substr(0, text.size() - 1));
  }
  if (!std::isfinite(seconds)) return std::nullopt;
  return std::chrono::duration<double>(seconds);
}

void listen_for_signals(std::string_view resume) {
  std::string line = "\ndfsweep: ended by a repeated signal; complete blocks are kept\nTo resume: ";
  line += resume;
  line += '\n';
  resume_line_length = std::min(line.size(), resume_line.size());
  std::copy_n(line.begin(), resume_line_length.load(), resume_line.begin());
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGHUP}) {
    sigaction(signal, &action, nullptr);
    sigaddset(&signals, signal);
  }
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

SignalState received_signals() {
  return {static_cast<Urgency>(requested_level.load()), latest_signal.load()};
}

Stop::Stop(std::optional<Seconds> time_limit, Sources sources)
    : time_limit_(time_limit), sources_(std::move(sources)) {}

Stop::Stop(std::optional<Seconds> time_limit)
    : Stop(time_limit, {.now = [start = std::chrono::steady_clock::now()]() -> Seconds {
                          return std::chrono::steady_clock::now() - start;
                        },
                        .signals = received_signals}) {}

Stop::Seconds Stop::reserve() const {
  return std::min(Seconds(2.0), 0.05 * *time_limit_);
}

void Stop::note(StopReason reason) const {
  StopReason none = StopReason::none;
  if (!reason_.compare_exchange_strong(none, reason)) return;
  stopping_since_ = sources_.now().count();
}

bool Stop::may_start(Seconds expected) const {
  if (time_limit_ && sources_.now() + expected > *time_limit_ - reserve()) note(StopReason::time_limit);
  return urgency() == Urgency::none;
}

Urgency Stop::urgency() const {
  const Urgency signalled = sources_.signals().urgency;
  if (signalled != Urgency::none) note(StopReason::signal);
  const bool over = time_limit_ && sources_.now() > *time_limit_ - reserve();
  if (over) note(StopReason::time_limit);
  if (signalled == Urgency::at_once || over) return Urgency::at_once;
  if (reason_ == StopReason::none) return Urgency::none;
  const double since = stopping_since_;
  return since >= 0.0 && sources_.now() - Seconds(since) > grace ? Urgency::at_once : Urgency::polite;
}

StopReason Stop::reason() const {
  return reason_;
}

void Stop::request(StopReason reason) {
  note(reason);
}

}  // namespace dfsweep
