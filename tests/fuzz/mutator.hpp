/// Mutator: malformed sweep files from valid ones, by a counter-based generator, so that mutant n is always the same.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// Random numbers as a function of seed and counter (splitmix64).
class CounterGenerator {
 public:
  explicit CounterGenerator(std::uint64_t seed) : seed_(seed * 0x9e3779b97f4a7c15U) {}
  std::uint64_t next() {
    std::uint64_t x = seed_ + ++counter_ * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t seed_;
  std::uint64_t counter_ = 0;
};

/// Words, numbers, quoted texts and single characters, in order; joined they are the text.
inline std::vector<std::string> tokens_of(std::string_view text) {
  const auto is_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.' ||
           c == '-';
  };
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '"')
      end = text.find('"', end) + 1;
    else if (is_word(text[i]))
      while (end < text.size() && is_word(text[end])) ++end;
    if (end == 0) end = text.size();
    tokens.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

inline std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Mutant number `n` of one of the `valid` texts: one to four changes of tokens.
inline std::string mutant(const std::vector<std::string>& valid, std::uint64_t n) {
  static const std::array<std::string_view, 40> spices{
      "nan",
      "inf",
      "-inf",
      "-0.0",
      "1e400",
      "5e-324",
      "9223372036854775808",
      "9223372036854775807",
      "-1",
      "0",
      "0x7fffffffffffffff",
      "1e18",
      "\"1 GB\"",
      "\"1 Gb/s\"",
      "\"1 GB/s/s\"",
      "\"80GB\"",
      "\"\"",
      "\"h1000\"",
      "\"../../x\"",
      "\"x.toml\"",
      "true",
      "1979-05-27",
      "[]",
      "[[]]",
      "{}",
      "[1, 1]",
      "{ powers_of = 1, from = 1, to = 9 }",
      "{ divisors_of = \"seed\" }",
      "{ from = 1, to = 1e15, step = 1 }",
      "{ from = 0, to = 1e308, points = 10000000000, scale = \"log\" }",
      "\"seed = 1\"",
      "\"seed == 'zzz'\"",
      "\"((((seed))\"",
      "\"seed % 0\"",
      "\"\\u0000\"",
      "'''",
      "\"\"\"",
      "\xff",
      "#",
      "="};
  CounterGenerator random(n);
  std::vector<std::string> tokens = tokens_of(valid[random.below(valid.size())]);
  for (std::size_t changes = 1 + random.below(4); changes > 0 && !tokens.empty(); --changes) {
    const std::size_t at = random.below(tokens.size());
    const auto where = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.below(9)) {
      case 0:
        tokens.erase(where);
        break;
      case 1:
        tokens.insert(where, std::string(tokens[random.below(tokens.size())]));
        break;
      case 2:
        std::swap(tokens[at], tokens[random.below(tokens.size())]);
        break;
      case 3:
        tokens[at] = spices[random.below(spices.size())];
        break;
      case 4:
        tokens.resize(at);
        break;  // a torn file
      case 5:
        tokens.insert(where, repeated(random.below(2) == 0 ? "[" : "{a=", 1 + random.below(3000)));
        break;
      case 6:
        tokens.insert(where, repeated("a.", 1 + random.below(3000)));
        break;
      case 7:
        tokens[at].insert(random.below(tokens[at].size() + 1), 1, static_cast<char>(random.below(256)));
        break;
      default:
        if (!tokens[at].empty()) tokens[at].erase(random.below(tokens[at].size()), 1);
        break;
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

/// Sweep files of the toy that between them use every form.
inline std::vector<std::string> valid_sweeps() {
  return {R"toml([sweep]
name = "mutant"
estimator = "toy"
[parameters]
flavour = ["plain", "odd"]
size = ["1 kB", "2 KiB", "1.5 MB"]
rate = { from = "1 GB/s", to = "1 TB/s", points = 4, scale = "log" }
capacity = { from = "1 MB", to = "9 MB", points = 9, scale = "linear" }
[[together]]
seed = [1, 2, 3]
work = [10, 20, 30]
[filter]
keep = ["flavour != 'odd' || seed == 2", "size > '1 kB' && seed % 2 == 1"]
[search]
over = ["work"]
minimize = "time"
top = 2
[output]
metrics = ["time", "memory"]
precision = "float32"
)toml",
          R"toml([sweep]
name = "ranges"
estimator = "toy"
description = "every kind of range"
[parameters]
seed = { divisors_of = "work" }
work = 24
skew = { powers_of = 2, from = 1, to = 64 }
size = { from = "1 kB", to = "5 kB", step = "2 kB" }
outcome = "normal"
[filter]
keep = "seed * skew <= 12 ? size < 4000 : (seed + skew) % 3 == 0"
)toml"};
}

}  // namespace dfsweep
