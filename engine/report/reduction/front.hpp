/// Front: the rows that no other row beats in one of two costs without losing in the other.
#pragma once

#include <cstdint>
#include <vector>

namespace dfsweep::report {

/// Costs are metrics, negated where higher is better.
struct FrontMember {
  double x = 0.0;
  double y = 0.0;
  std::uint64_t row = 0;
  auto operator<=>(const FrontMember&) const = default;
};

/// The members are the same whatever the order of the offers. Of equal members the lowest row stays.
class Front {
 public:
  /// Pre: no cost is NaN.
  void offer(const FrontMember& member) {
    if (is_beaten(member)) return;
    waiting_.push_back(member);
    if (waiting_.size() >= least_waiting + steps_.size()) settle();
  }
  /// Offers all members of another front. Pre: that one is settled.
  void join(const Front& other) {
    for (const FrontMember& member : other.steps_) offer(member);
  }
  /// Sorts in what is waiting.
  void settle();
  /// Ascending in x, hence descending in y. Pre: settled.
  [[nodiscard]] const std::vector<FrontMember>& steps() const { return steps_; }
  [[nodiscard]] bool is_empty() const { return steps_.empty() && waiting_.empty(); }
  void clear() {
    steps_.clear();
    waiting_.clear();
  }
  /// Keeps at most `most` members, evenly over the front, the first and the last included. Pre: settled, most >= 2.
  void thin(std::size_t most);

 private:
  static constexpr std::size_t least_waiting = 32;

  /// By a member that is settled. Equal costs beat a higher row.
  [[nodiscard]] bool is_beaten(const FrontMember& member) const;

  std::vector<FrontMember> steps_;
  std::vector<FrontMember> waiting_;
};

}  // namespace dfsweep::report
