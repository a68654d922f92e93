/// SharedWork: a fixed number of tasks, run once and shared among all threads that need the results.
#pragma once

#include <atomic>
#include <cstddef>

#include "models/expect.hpp"

namespace dfsweep {

/// A thread that needs the results takes unassigned tasks, then waits for tasks of other threads. So expensive
/// preparation runs only once, and no thread waits while tasks are left.
class SharedWork {
 public:
  explicit SharedWork(std::size_t tasks) : tasks_(tasks) {}
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  [[nodiscard]] bool is_done() const { return done_.load(std::memory_order_acquire) == tasks_; }

  /// Returns when task(0) ... task(tasks - 1) have all returned, in this thread or another one. Pre: every call passes
  /// the same tasks; a task does not wait for this object. If a task throws (defects, out of memory), this call and
  /// every later one throw.
  template <class Task>
  void finish(Task task) const {
    while (!is_done()) {
      const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i < tasks_) {
        perform(task, i);
        continue;
      }
      const std::size_t seen = done_.load(std::memory_order_acquire);
      if (seen < tasks_) done_.wait(seen, std::memory_order_acquire);
    }
    if (failed_.load(std::memory_order_acquire)) throw LogicError("a task that prepares shared results failed");
  }

 private:
  template <class Task>
  void perform(Task& task, std::size_t i) const {
    const Completion completion{*this};
    try {
      task(i);
    } catch (...) {
      failed_.store(true, std::memory_order_release);
      throw;
    }
  }
  /// Counts a task as done, also after an exception.
  struct Completion {
    const SharedWork& work;
    ~Completion() {
      work.done_.fetch_add(1, std::memory_order_acq_rel);
      work.done_.notify_all();
    }
  };

  std::size_t tasks_;
  mutable std::atomic<std::size_t> next_{0};
  mutable std::atomic<std::size_t> done_{0};
  mutable std::atomic<bool> failed_{false};
};

}  // namespace dfsweep
