/// merge: results of one estimator become one, with the bytes of a run of the whole where they fill a grid.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "io/hdf5/dataset_reader.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "io/seal.hpp"
#include "tests/cli/program_under_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(merge_test)

namespace {

struct Folder {
  TemporaryFolder folder;

  [[nodiscard]] std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  /// Runs a sweep of training steps with these lines of [parameters] and what follows; returns the result file.
  std::string run(const std::string& name, const std::string& parameters, const std::vector<std::string>& more = {}) {
    std::ofstream(path(name + ".toml")) << "[sweep]\nname = \"steps\"\nestimator = \"training\"\n[parameters]\n"
                                           "model = \"llama3-8b\"\nmemory = \"hbm3\"\ninterconnect = \"nvlink4\"\n"
                                           "device_count = 64\nglobal_batch = 64\n"
                                        << parameters;
    std::vector<std::string> words = {"run", path(name + ".toml"), "--out", path(name), "-q"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult ran = dfsweep(words);
    BOOST_TEST_REQUIRE(ran.status == 0, ran.err);
    return path(name) + "/result.h5";
  }

  ProgramResult merge(const std::vector<std::string>& parts, const std::string& output,
                      const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"merge"};
    words.insert(words.end(), parts.begin(), parts.end());
    words.insert(words.end(), {"-o", path(output)});
    words.insert(words.end(), more.begin(), more.end());
    return dfsweep(words);
  }
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<double> values_of(const DatasetReader& file, const std::string& name) {
  const DatasetColumn* column = file.column(name);
  BOOST_TEST_REQUIRE((column != nullptr), name);
  std::vector<double> values(file.row_count());
  file.read(*column, 0, std::span(values));
  return values;
}

/// The merged file has every byte of the rows and the sweep of a run of the whole; its provenance says more.
void expect_whole(const std::string& merged, const std::string& whole) {
  const DatasetReader file(merged);
  const DatasetReader fresh(whole);
  for (const char* text : {"sweep", "inputs", "catalogue", "overridden", "build"})
    BOOST_TEST(file.provenance(text) == fresh.provenance(text), text);
  BOOST_TEST(file.attribute("plan_fingerprint") == fresh.attribute("plan_fingerprint"));
  BOOST_TEST(file.has_provenance("merged"));
  const auto table = [](const std::string& path) {
    const auto opened = real_file_system().open(path, OpenFor::reading);
    const Seal seal = read_seal(*opened).seal;
    static_cast<void>(read_tables(*opened, seal, path));  // throws if they are damaged
    std::vector<std::byte> bytes(seal.tables()[0].bytes() + seal.tables()[1].bytes());
    opened->read_at(seal.tables()[0].offset, std::span(bytes).first(seal.tables()[0].bytes()));
    opened->read_at(seal.tables()[1].offset, std::span(bytes).subspan(seal.tables()[0].bytes()));
    return bytes;
  };
  BOOST_TEST((table(merged) == table(whole)));
  for (const DatasetColumn& column : fresh.columns())
    if (column.is_categorical()) BOOST_TEST(file.labels(*file.column(column.name)) == fresh.labels(column));
  BOOST_TEST(dfsweep({"verify", merged}).status == 0);
}

struct Case {
  const char* what;
  std::vector<const char*> parts;
  const char* whole;
};

const std::string axes = "tensor_parallel = [1, 2, 4, 8]\npipeline_parallel = [1, 2]\nmicro_batch = [1, 2]\n";

const Case cases[] = {
    {"values of the first axis",
     {"device = [\"a100\", \"h100\"]\n", "device = [\"a800\"]\n"},
     "device = [\"a100\", \"a800\", \"h100\"]\n"},
    {"values of the first axis, some of them in both",
     {"device = [\"h100\", \"a100\"]\n", "device = [\"a800\", \"a100\"]\n"},
     "device = [\"a800\", \"h100\", \"a100\"]\n"},
    {"an axis that no part has", {"device = \"h100\"\n", "device = \"a100\"\n"}, "device = [\"a100\", \"h100\"]\n"},
    {"three parts, and numbers that no part orders",
     {"device = \"h100\"\nsequence_length = [4096, 8192]\n", "device = \"h100\"\nsequence_length = [2048]\n",
      "device = \"h100\"\nsequence_length = [1024, 16384]\n"},
     "device = \"h100\"\nsequence_length = [1024, 2048, 4096, 8192, 16384]\n"},
};

const std::string two_filters[] = {"[filter]\nkeep = [\"tensor_parallel <= 4\", \"micro_batch == 1\"]\n",
                                   "[filter]\nkeep = [\"tensor_parallel <= 4\", \"micro_batch == 2\"]\n"};

}  // namespace

BOOST_FIXTURE_TEST_CASE(parts_of_a_grid_are_the_grid, Folder) {
  int number = 0;
  for (const Case& one : cases) {
    const std::string name = std::to_string(number++);
    std::vector<std::string> parts;
    for (const char* part : one.parts) parts.push_back(run(name + "-" + std::to_string(parts.size()), part + axes));
    const ProgramResult merged = merge(parts, name + ".h5");
    BOOST_TEST_REQUIRE(merged.status == 0, one.what << ": " << merged.err);
    BOOST_TEST(contains(merged.out, ", a grid"), one.what << ": " << merged.out);
    expect_whole(path(name + ".h5"), run(name, one.whole + axes));
    BOOST_TEST(merge({parts.rbegin(), parts.rend()}, "turned.h5").status == 0);
    BOOST_TEST((bytes_of(path(name + ".h5")) == bytes_of(path("turned.h5"))), one.what);
  }
}

BOOST_FIXTURE_TEST_CASE(a_row_passes_the_filters_of_one_part, Folder) {
  const std::string parts[] = {run("one", "device = \"h100\"\n" + axes + two_filters[0]),
                               run("two", "device = \"h100\"\n" + axes + two_filters[1])};
  const ProgramResult merged = merge({parts[0], parts[1]}, "merged.h5");
  BOOST_TEST_REQUIRE(merged.status == 0, merged.err);
  const DatasetReader file(path("merged.h5"));
  BOOST_TEST(contains(file.provenance("sweep"), "((micro_batch == 1)) || ((micro_batch == 2))"),
             file.provenance("sweep"));
  BOOST_TEST(file.row_count() == 3 * 2 * 2);
}

BOOST_FIXTURE_TEST_CASE(a_merged_result_grows, Folder) {
  const std::string first = run("first", "device = \"h100\"\n" + axes);
  const std::string second = run("second", "device = \"a100\"\n" + axes);
  BOOST_TEST_REQUIRE(merge({first, second}, "merged.h5").status == 0);
  const std::string whole = "device = [\"a100\", \"a800\", \"h100\"]\n" + axes;
  const std::string grown = run("grown", whole, {"--from", path("merged.h5")});
  BOOST_TEST((bytes_of(grown) == bytes_of(run("fresh", whole))));
  // a merged result is a part itself, and keeps its sources
  const ProgramResult again = merge({path("merged.h5"), run("third", "device = \"a800\"\n" + axes)}, "again.h5");
  BOOST_TEST_REQUIRE(again.status == 0, again.err);
  expect_whole(path("again.h5"), grown);
  const std::string sources = DatasetReader(path("again.h5")).provenance("merged");
  BOOST_TEST(std::count(sources.begin(), sources.end(), '\n') == 4, sources);
  const ProgramResult shown = dfsweep({"show", path("again.h5")});
  BOOST_TEST(contains(shown.out, "merged from: "), shown.out);
}

BOOST_FIXTURE_TEST_CASE(unfinished_parts_of_one_sweep_are_the_sweep, Folder) {
  const std::string text = "device = \"h100\"\nsequence_length = { from = 1024, to = 8192, step = 64 }\n" + axes;
  run("one", text, {"--part", "1/2"});
  run("two", text, {"--part", "2/2"});
  const ProgramResult merged = merge({path("one"), path("two")}, "merged.h5");
  BOOST_TEST_REQUIRE(merged.status == 0, merged.err);
  expect_whole(path("merged.h5"), run("whole", text));
  const ProgramResult half = merge({path("one"), path("one")}, "half.h5");
  BOOST_TEST(half.status == 2);
  BOOST_TEST(contains(half.err, "is not finished"), half.err);
}

BOOST_FIXTURE_TEST_CASE(rows_without_a_grid_are_a_list_of_points, Folder) {
  const std::string first = run("first", "device = [\"h100\", \"a100\"]\ntensor_parallel = [4, 2]\n");
  const std::string second = run("second", "device = \"a100\"\ntensor_parallel = [2, 1]\nmicro_batch = [1, 2]\n");
  const ProgramResult merged = merge({first, second}, "merged.h5", {"--name", "list"});
  BOOST_TEST_REQUIRE(merged.status == 0, merged.err);
  BOOST_TEST(contains(merged.out, "a list of points: "), merged.out);
  const DatasetReader file(path("merged.h5"));
  // The rows of the first, then those of the second: micro_batch is 1 where the first leaves it out, so of the second
  // one row is there already.
  BOOST_TEST((values_of(file, "point") == std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
  BOOST_TEST((values_of(file, "tensor_parallel") == std::vector<double>{4, 2, 4, 2, 2, 1, 1}));
  BOOST_TEST((values_of(file, "micro_batch") == std::vector<double>{1, 1, 1, 1, 2, 1, 2}));
  BOOST_TEST((values_of(file, "device") == std::vector<double>{0, 0, 1, 1, 1, 1, 1}));
  std::vector<double> times = values_of(DatasetReader(first), "step_time");
  const std::vector<double> more = values_of(DatasetReader(second), "step_time");
  times.insert(times.end(), more.begin() + 1, more.end());  // its rows: (2, 1), (2, 2), (1, 1), (1, 2)
  const std::vector<double> found = values_of(file, "step_time");
  BOOST_TEST((std::memcmp(times.data(), found.data(), times.size() * sizeof(double)) == 0));
  BOOST_TEST(dfsweep({"verify", path("merged.h5")}).status == 0);
  BOOST_TEST(dfsweep({"explain", path("merged.h5"), "--point", "4"}).status == 0);
  // a list is a part as well; each of its points is in it once
  const ProgramResult again = merge({path("merged.h5"), second}, "again.h5", {"--json"});
  BOOST_TEST_REQUIRE(again.status == 0, again.err);
  BOOST_TEST(contains(again.out, "\"rows\": 7"), again.out);
}

BOOST_FIXTURE_TEST_CASE(what_does_not_belong_together_is_refused, Folder) {
  const std::string text = "device = \"h100\"\n" + axes;
  const std::string plain = run("plain", text);
  std::filesystem::create_directories(path("catalogue/devices"));
  std::string entry = bytes_of(std::string(DFSWEEP_SOURCE_DIR) + "/sweeps/catalogue/devices/h100.toml");
  std::ofstream(path("catalogue/devices/h100.toml")) << entry << "\n# another one\n";
  const std::string changed = run("changed", text, {"--catalogue", path("catalogue")});
  const std::string narrow = run("narrow", text + "[output]\nprecision = \"float32\"\n");
  const std::string fewer = run("fewer", "device = \"a100\"\n" + axes + "[output]\nmetrics = [\"step_time\"]\n");
  const std::string search = run("search", text + "[search]\nover = [\"micro_batch\"]\nminimize = \"step_time\"\n");
  struct Refusal {
    std::string other;
    const char* reason;
  };
  const Refusal refusals[] = {{changed, "h100"},
                              {narrow, "one is in double precision and one in single precision"},
                              {fewer, "it does not have the metric"},
                              {search, "it is the result of a search"}};
  for (const Refusal& one : refusals) {
    const ProgramResult merged = merge({plain, one.other}, "merged.h5");
    BOOST_TEST(merged.status == 2, merged.out);
    BOOST_TEST(contains(merged.err, one.reason), merged.err);
    BOOST_TEST(!std::filesystem::exists(path("merged.h5")));
  }
  const ProgramResult itself = dfsweep({"merge", plain, narrow, "-o", plain});
  BOOST_TEST(itself.status == 2);
  BOOST_TEST(contains(itself.err, "is one of the results"), itself.err);
}

namespace {

/// Changes the first step time of a result file; `with_checksums`: as a program would have written it.
void change_value(const std::string& path, bool with_checksums) {
  const DatasetReader reader(path);
  const auto file = real_file_system().open(path, OpenFor::writing);
  const SealReading sealed = read_seal(*file);
  const Seal& seal = sealed.seal;
  std::size_t column = 0;
  while (reader.columns()[column].name != "step_time") ++column;
  const ColumnPlace& place = seal.places[column];
  std::vector<std::byte> bytes(place.bytes());
  file->read_at(place.offset, bytes);
  bytes[0] ^= std::byte{1};
  file->write_at(place.offset, bytes);
  if (!with_checksums) return;
  const StoredTables tables = read_tables(*file, seal, path);
  const std::uint64_t rows = tables.first_rows.size() > 1 ? tables.first_rows[1] : place.count;
  const Checksum checksum = xxh3_128(std::span(bytes).first(rows * place.element_bytes));
  file->write_at(seal.tables()[1].offset + column * sizeof checksum, std::as_bytes(std::span(&checksum, 1)));
  write_seal(*file, seal);
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(rows_that_disagree_are_refused, Folder) {
  const std::string first = run("first", "device = [\"h100\", \"a100\"]\n" + axes);
  const std::string second = run("second", "device = [\"h100\", \"a800\"]\n" + axes);
  change_value(second, true);
  BOOST_TEST_REQUIRE(dfsweep({"verify", second}).status == 0);
  const std::string list = run("list", "device = \"a800\"\nsequence_length = 4096\n" + axes);
  for (const std::vector<std::string>& parts : {std::vector{first, second}, std::vector{first, second, list}}) {
    const ProgramResult merged = merge(parts, "merged.h5");
    BOOST_TEST(merged.status == 2, merged.out);
    BOOST_TEST(contains(merged.err, "disagree on a row that both have ("), merged.err);
    BOOST_TEST(contains(merged.err, "device = h100"), merged.err);
    BOOST_TEST(contains(merged.err, ": step_time is "), merged.err);
    BOOST_TEST(!std::filesystem::exists(path("merged.h5")));
  }
}

BOOST_FIXTURE_TEST_CASE(damaged_parts_are_refused, Folder) {
  const std::string first = run("first", "device = \"h100\"\n" + axes);
  const std::string second = run("second", "device = \"a100\"\n" + axes);
  change_value(second, false);
  const ProgramResult merged = merge({first, second}, "merged.h5");
  BOOST_TEST(merged.status == 4, merged.err);
  BOOST_TEST(!std::filesystem::exists(path("merged.h5")));
  BOOST_TEST(!std::filesystem::exists(path("merged.h5.unfinished")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
