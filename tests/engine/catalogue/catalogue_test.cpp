/// The catalogue: what entries become, folders that override each other, and files that are refused.
#include "engine/catalogue/catalogue.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(catalogue_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

EntryFile read(std::string_view text, Sources sources, std::string_view kind = "") {
  return read_entry(parse_toml(text, "e.toml"), "e.toml", "e", kind, sources);
}

}  // namespace

BOOST_AUTO_TEST_CASE(entries_hold_base_units_texts_lists_and_parts) {
  const EntryFile file = read(R"toml(
name = "chip"
description = "a chip"
gated = true
peak_flops = { value = "993.2 TFLOP/s", source = "data sheet", note = "dense" }
cores = { value = 132, source = "data sheet" }
sizes = { value = ["1 kB", "2 KiB"], source = "measured" }
dimensions = ["ring", "switch"]
[[tier]]
source = "measured"
bandwidth = "3 GB/s"
[[tier]]
source = "guessed"
bandwidth = "1 GB/s"
efficiency = { sizes = [] }
)toml",
                              Sources::required);
  const Entry& entry = file.entry;
  BOOST_TEST(entry.name == "chip");
  BOOST_TEST(entry.numbers.at("peak_flops") == 993.2e12);
  BOOST_TEST(entry.numbers.at("cores") == 132.0);
  BOOST_TEST(entry.numbers.at("gated") == 1.0);
  BOOST_TEST(entry.lists.at("sizes") == (std::vector<double>{1000.0, 2048.0}), boost::test_tools::per_element());
  BOOST_TEST(entry.text_lists.at("dimensions") == (std::vector<std::string>{"ring", "switch"}),
             boost::test_tools::per_element());
  BOOST_REQUIRE(entry.parts.at("tier").size() == 2);
  BOOST_TEST(entry.parts.at("tier")[1].numbers.at("bandwidth") == 1e9);
  BOOST_TEST(entry.parts.at("tier")[1].parts.at("efficiency").size() == 1);
  const auto field = std::find_if(file.fields.begin(), file.fields.end(),
                                  [](const EntryField& f) { return f.path == "tier[1].bandwidth"; });
  BOOST_REQUIRE(field != file.fields.end());
  BOOST_TEST(field->written == "1 GB/s");
  BOOST_TEST(field->source == "guessed");
}

BOOST_AUTO_TEST_CASE(files_of_users_need_no_sources) {
  const Entry entry = read("bandwidth = '2 TB/s'\ncount = 3\n[kernel]\nflop = '1 GFLOP'\n", Sources::optional).entry;
  BOOST_TEST(entry.name == "e");
  BOOST_TEST(entry.numbers.at("bandwidth") == 2e12);
  BOOST_TEST(entry.parts.at("kernel")[0].numbers.at("flop") == 1e9);
}

namespace {

struct Refused {
  const char* text;
  const char* message;
};

const Refused refused[] = {
    {"cores = 3",
     "e.toml:1:9: 'cores' has no source (every number in the catalogue needs a source). "
     "Write cores = { value = ..., source = \"...\" }"},
    {"cores = { value = 3 }",
     "e.toml:1:19: 'cores' has no source (every number in the catalogue needs a source). "
     "Write cores = { value = ..., source = \"...\" }"},
    {"rate = { value = '3 Gb/s', source = 's' }",
     "e.toml:1:18: '3 Gb/s' is not a quantity (unknown unit 'Gb'). "
     "Bits are not used: write bytes, 8 Gbit/s is \"1 GB/s\""},
    {"rate = { value = 3, sauce = 's', source = 's' }",
     "e.toml:1:21: unknown key 'sauce' in 'rate' (keys here: value, source, note)."},
    {"rate = { value = nan, source = 's' }", "e.toml:1:18: number is not finite."},
    {"list = { value = [1, 'x'], source = 's' }", "e.toml:1:18: 'list' mixes numbers, texts and tables."},
    {"day = 2020-01-01", "e.toml:1:7: 'day' is a date (a number, string, array or table is needed)."},
};

}  // namespace

BOOST_DATA_TEST_CASE(malformed_entries_are_refused, bdata::make(refused), row) {
  const EntryFile file = read(row.text, Sources::required);
  BOOST_REQUIRE(file.problems.size() == 1u);
  BOOST_TEST(to_string(file.problems[0]) == row.message);
}

namespace {

struct WrongField {
  const char* kind;
  const char* text;
  const char* message;
};

const WrongField wrong_fields[] = {
    {"memories", "bandwidth = '3 W'", "e.toml:1:13: bandwidth = '3 W' has the wrong unit (expected B/s, got W)."},
    {"memories", "bandwidth = 3", "e.toml:1:13: bandwidth = 3 has no unit (unit B/s). Write \"3 GB/s\""},
    {"memories", "bandwidth = '3'", "e.toml:1:13: bandwidth = 3 has no unit (unit B/s). Write \"3 GB/s\""},
    {"memories", "bandwidth = { value = '3 Gb/s' }",
     "e.toml:1:23: bandwidth: unknown unit 'Gb' (unit B/s). "
     "Bits are not used: write bytes, 8 Gbit/s is \"1 GB/s\""},
    {"memories", "bandwidth = 'fast'",
     "e.toml:1:13: bandwidth: 'fast' is not a quantity (unit B/s). Write a number, a space and a unit"},
    {"memories", "price_per_bandwidth = '1 USD'",
     "e.toml:1:23: price_per_bandwidth = '1 USD' has the wrong unit (expected USD/(B/s), got USD)."},
    {"memories", "bandwith = '3 GB/s'",
     "e.toml:1:1: unknown field 'bandwith' (memories have no such field). Did you mean 'bandwidth'?"},
    {"devices", "cores = '3 B'",
     "e.toml:1:9: cores = '3 B' has the wrong unit (a number without unit is expected, got B)."},
    {"devices", "cores = '3'", "e.toml:1:9: 'cores' is a string (a number is needed). Write it without quotes"},
    {"devices", "cores = [1, 2]", "e.toml:1:9: 'cores' is an array (a number is needed)."},
    {"devices", "cores = { count = 2 }", "e.toml:1:9: 'cores' is a table without 'value' (a number is needed)."},
    {"topologies", "dimensions = 'ring'", "e.toml:1:14: 'dimensions' is a string (an array of strings is needed)."},
    {"topologies", "dimensions = [1]",
     "e.toml:1:14: 'dimensions' holds something else (an array of strings is needed)."},
    {"models", "kind = 3", "e.toml:1:8: 'kind' is an integer (a string is needed)."},
    {"models", "[[kernel]]\nnn = 8",
     "e.toml:2:1: unknown field 'kernel.nn' (models have no such field). Fields here: name, type, "
     "outer, m, k, n, weight_words, gradient_words, memory_words, exchange_words, tiling, pass"},
    {"models", "kernel = 8", "e.toml:1:10: 'kernel' is an integer (a table or an array of tables is needed)."},
    {"mappings", "[assignment]\nQ = 'first'",
     "e.toml:2:5: assignment.Q: 'first' is not a quantity (a plain number is needed)."},
};

}  // namespace

BOOST_DATA_TEST_CASE(fields_are_those_of_the_kind, bdata::make(wrong_fields), row) {
  const EntryFile file = read(row.text, Sources::optional, row.kind);
  BOOST_REQUIRE(file.problems.size() == 1u);
  BOOST_TEST(to_string(file.problems[0]) == row.message);
}

BOOST_AUTO_TEST_CASE(texts_that_look_like_quantities_stay_texts) {
  const EntryFile file = read("description = '3 W'\ndimensions = ['2 B']", Sources::required, "topologies");
  BOOST_TEST(file.problems.empty());
  BOOST_TEST(file.entry.texts.at("description") == "3 W");
  BOOST_TEST(file.entry.text_lists.at("dimensions").front() == "2 B");
}

BOOST_AUTO_TEST_CASE(assignments_are_lists_or_named_numbers) {
  const auto mapping = [](const char* text) { return read(text, Sources::optional, "mappings").entry; };
  BOOST_TEST(mapping("assignment = [0, 1]").lists.at("assignment").size() == 2u);
  BOOST_TEST(mapping("[assignment]\nQ = 1").parts.at("assignment").front().numbers.at("Q") == 1.0);
}

BOOST_AUTO_TEST_CASE(later_folders_add_and_override) {
  const auto root = std::filesystem::temp_directory_path() / fmt::format("dfsweep_catalogue_{}", ::getpid());
  const auto write = [&](const char* path, const char* text) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  };
  write("a/devices/one.toml", "name = \"one\"\ncores = { value = 1, source = \"a\" }\n");
  write("a/devices/two.toml", "name = \"two\"\n");
  std::filesystem::create_directories(root / "a/devices/folder.toml");
  write("b/devices/one.toml", "name = \"one\"\ncores = { value = 2, source = \"b\" }\n");
  write("b/memories/three.toml", "name = \"four\"\n");
  const Catalogue catalogue({root / "a", root / "b", root / "none"});
  BOOST_TEST(catalogue.kinds() == (std::vector<std::string>{"devices", "memories"}), boost::test_tools::per_element());
  BOOST_TEST(catalogue.names("devices") == (std::vector<std::string>{"one", "two"}), boost::test_tools::per_element());
  const EntryFile one = catalogue.load("devices", "one");
  BOOST_TEST(one.entry.numbers.at("cores") == 2.0);
  BOOST_TEST(one.input.name == "catalogue/devices/one.toml");
  BOOST_TEST(one.input.checksum.size() == 32);
  BOOST_TEST(!catalogue.contains("devices", "../devices/one"));
  BOOST_TEST(!catalogue.contains("devices", "three"));
  BOOST_CHECK_THROW(static_cast<void>(catalogue.load("memories", "three")), UserError);  // its file has another name
  std::filesystem::remove_all(root);
}

BOOST_AUTO_TEST_CASE(former_names_lead_to_entries) {
  const auto root = std::filesystem::temp_directory_path() / fmt::format("dfsweep_former_{}", ::getpid());
  for (const char* folder : {"a/models/lab", "b/models/lab"}) std::filesystem::create_directories(root / folder);
  std::ofstream(root / "a/models/small.toml") << "name = \"small\"\nformer_name = \"lab/Small\"\n";
  std::ofstream(root / "a/models/broken.toml") << "name = \n";
  const Catalogue catalogue({root / "a"});
  BOOST_TEST(catalogue.contains("models", "lab/Small"));
  BOOST_TEST(!catalogue.contains("models", "lab/small"));
  BOOST_TEST(!catalogue.contains("devices", "lab/Small"));
  BOOST_TEST(catalogue.input_name("models", "lab/Small") == "catalogue/models/small.toml");
  BOOST_TEST(catalogue.load("models", "lab/Small").entry.name == "small");
  BOOST_TEST(catalogue.names("models") == (std::vector<std::string>{"broken", "small"}),
             boost::test_tools::per_element());
  // An entry that has the name today comes first.
  std::ofstream(root / "b/models/lab/Small.toml") << "name = \"lab/Small\"\n";
  BOOST_TEST(Catalogue({root / "a", root / "b"}).load("models", "lab/Small").entry.name == "lab/Small");
  std::filesystem::remove_all(root);
}

// Systems with tables of engines were in the folder systems/ before their kind had one.
BOOST_AUTO_TEST_CASE(entries_belong_to_the_kind_that_their_fields_say) {
  const auto root = std::filesystem::temp_directory_path() / fmt::format("dfsweep_kinds_{}", ::getpid());
  for (const char* folder : {"systems", "calculon_systems"}) std::filesystem::create_directories(root / folder);
  const std::string engines = "[[engine]]\nkind = \"matrix\"\n";
  const std::string rates = "peak_flops = { value = \"1 TFLOP/s\", source = \"a\" }\n";
  std::ofstream(root / "systems" / "former.toml") << "name = \"former\"\n" << engines;
  std::ofstream(root / "systems" / "both.toml") << "name = \"both\"\n" << rates;
  std::ofstream(root / "calculon_systems" / "both.toml") << "name = \"both\"\n" << engines;
  const Catalogue catalogue({root});
  BOOST_TEST(catalogue.names("systems") == std::vector<std::string>{"both"}, boost::test_tools::per_element());
  BOOST_TEST(catalogue.names("calculon_systems") == (std::vector<std::string>{"both", "former"}),
             boost::test_tools::per_element());
  BOOST_TEST(!catalogue.contains("systems", "former"));
  BOOST_TEST(catalogue.load("calculon_systems", "former").input.name == "catalogue/systems/former.toml");
  BOOST_TEST(catalogue.load("calculon_systems", "both").input.name == "catalogue/calculon_systems/both.toml");
  BOOST_TEST(catalogue.load("systems", "both").entry.has_number("peak_flops"));
  std::filesystem::remove_all(root);
}

BOOST_AUTO_TEST_CASE(files_of_a_kind_that_is_alike_are_refused_as_a_whole) {
  try {
    static_cast<void>(read("name = 'e'\n[[engine]]\nkind = 'matrix'\n", Sources::optional, "systems"));
    BOOST_ERROR("accepted");
  } catch (const UserError& error) {
    BOOST_TEST(std::string(error.what()) ==
               "e.toml:2:1: 'e' is one of calculon_systems, not of systems (it has a field 'engine'). "
               "Systems with tables of engines are for estimator 'calculon' alone");
  }
}

BOOST_AUTO_TEST_CASE(names_may_have_levels_but_lead_nowhere_else) {
  const auto root = std::filesystem::temp_directory_path() / fmt::format("dfsweep_levels_{}", ::getpid());
  std::filesystem::create_directories(root / "models" / "lab");
  std::ofstream(root / "models" / "lab" / "small.toml") << "name = \"lab/small\"\n";
  std::ofstream(root / "models" / "lab" / "other.toml") << "name = \"other\"\n";
  const Catalogue catalogue({root});
  BOOST_TEST(catalogue.names("models") == (std::vector<std::string>{"lab/other", "lab/small"}),
             boost::test_tools::per_element());
  BOOST_TEST(catalogue.load("models", "lab/small").input.name == "catalogue/models/lab/small.toml");
  BOOST_CHECK_THROW(static_cast<void>(catalogue.load("models", "lab/other")), UserError);  // not its whole name
  for (const char* name : {"lab/../lab/small", "/lab/small", "lab//small", "lab/", "small"})
    BOOST_TEST(!catalogue.contains("models", name), name);
  std::filesystem::remove_all(root);
}

BOOST_AUTO_TEST_CASE(every_entry_that_comes_with_the_program_is_well_formed) {
  const Catalogue catalogue({std::filesystem::path(DFSWEEP_SOURCE_DIR) / "sweeps" / "catalogue"});
  for (const std::string& kind : catalogue.kinds())
    for (const std::string& name : catalogue.names(kind)) BOOST_TEST(catalogue.load(kind, name).entry.name == name);
}

BOOST_AUTO_TEST_SUITE_END()
