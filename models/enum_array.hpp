/// EnumArray: an array with one element for each enumerator of a scoped enumeration, indexed by the enumerators.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace dfsweep {

/// The value of an enumerator as an array index.
template <class Enumerator>
requires std::is_enum_v<Enumerator>
[[nodiscard]] constexpr std::underlying_type_t<Enumerator> index_of(Enumerator enumerator) {
  return static_cast<std::underlying_type_t<Enumerator>>(enumerator);
}

/// Number of enumerators. Pre: the enumeration starts at 0, and its last enumerator is `count`.
template <class Enumerator>
inline constexpr std::size_t count_of = static_cast<std::size_t>(Enumerator::count);

/// Pre: the enumeration starts at 0, and its last enumerator is `count`.
template <class Enumerator, class Element>
struct EnumArray {
  std::array<Element, count_of<Enumerator>> elements{};

  [[nodiscard]] constexpr Element& operator[](Enumerator at) { return elements[index_of(at)]; }
  [[nodiscard]] constexpr const Element& operator[](Enumerator at) const { return elements[index_of(at)]; }
  auto operator<=>(const EnumArray&) const = default;
};

/// All enumerators before `count`, in order.
template <class Enumerator>
inline constexpr auto all_of = [] {
  std::array<Enumerator, count_of<Enumerator>> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Enumerator>(i);
  return all;
}();

}  // namespace dfsweep
