/// Malformed files of other programs and of broken disks: kept inputs and 10 000 mutants of them are read or refused.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/inputs.hpp"
#include "tests/fuzz/mutator.hpp"

BOOST_AUTO_TEST_SUITE(malformed_inputs_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

/// Of each reader; ten times as many with DFSWEEP_LONG_TESTS=1.
std::uint64_t mutants() {
  const char* value = std::getenv("DFSWEEP_LONG_TESTS");
  return value != nullptr && std::string_view(value) == "1" ? 20'000 : 2'000;
}

/// The files of tests/fuzz/corpus/NAME, in the order of their names.
std::vector<std::pair<std::string, std::string>> kept_inputs(const char* name) {
  const std::filesystem::path folder = std::filesystem::path(DFSWEEP_SOURCE_DIR) / "tests/fuzz/corpus" / name;
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const auto& item : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(item.path(), std::ios::binary);
    inputs.emplace_back(item.path().filename().string(), std::string(std::istreambuf_iterator<char>(file), {}));
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

std::vector<const char*> names() {
  std::vector<const char*> all;
  for (const fuzzed::Reader& reader : fuzzed::readers) all.push_back(reader.name);
  return all;
}

const fuzzed::Reader& reader_of(std::string_view name) {
  return *std::find_if(std::begin(fuzzed::readers), std::end(fuzzed::readers),
                       [&](const fuzzed::Reader& reader) { return reader.name == name; });
}

/// Mutant n, which for binary inputs differs by bits, bytes and lengths.
std::string changed(const std::vector<std::string>& valid, std::string_view reader, std::uint64_t n) {
  if (reader != "journal") return mutant(valid, n);
  CounterGenerator random(n);
  std::string text = valid[random.below(valid.size())];
  for (std::size_t change = 1 + random.below(4); change > 0 && !text.empty(); --change) {
    const std::size_t at = random.below(text.size());
    if (random.below(4) == 0)
      text.resize(at);
    else if (random.below(4) == 0)
      text.insert(at, text.substr(0, random.below(200)));
    else
      text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << random.below(8)));
  }
  return text;
}

}  // namespace

/// The name of a kept input says what has to happen: "ok-..." is accepted, "bad-..." refused.
BOOST_DATA_TEST_CASE(kept_inputs_are_read_or_refused, bdata::make(names()), name) {
  const auto inputs = kept_inputs(name);
  BOOST_TEST(inputs.size() >= 3U);
  for (const auto& [file, text] : inputs) {
    BOOST_TEST_CONTEXT(name << "/" << file) {
      BOOST_TEST((file.starts_with("ok-") || file.starts_with("bad-")));
      BOOST_TEST(fuzzed::accepts(reader_of(name), text) == file.starts_with("ok-"));
    }
  }
}

BOOST_DATA_TEST_CASE(mutants_are_read_or_refused, bdata::make(names()), name) {
  std::vector<std::string> valid;
  for (const auto& [file, text] : kept_inputs(name))
    if (file.starts_with("ok-")) valid.push_back(text);
  std::uint64_t accepted = 0;
  for (std::uint64_t n = 0; n < mutants(); ++n) {
    BOOST_TEST_CONTEXT(name << ", mutant " << n) {
      try {
        accepted += fuzzed::accepts(reader_of(name), changed(valid, name, n)) ? 1 : 0;
      } catch (const std::exception& error) {
        BOOST_ERROR(error.what());
      }
    }
  }
  BOOST_TEST_MESSAGE(name << ": " << accepted << " of " << mutants() << " mutants are accepted");
  BOOST_TEST(accepted > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
