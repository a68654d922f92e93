/// KeptData: how often data is read as its files change, and that sweeps share what was read.
#include "engine/sweep/kept_data.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(kept_data_test)

namespace {

const DataInfo trace{.name = "trace", .meaning = "requests"};
const DataInfo other{.name = "other", .meaning = "the same files in another form"};

/// A folder with one table; removed at the end.
class DataFolder {
 public:
  DataFolder() : scratch_("kept-data") {
    std::filesystem::create_directories(scratch_.path());
    write("a.csv", "n\n1\n", 1);
  }
  ~DataFolder() { std::filesystem::remove_all(scratch_.path()); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  /// `time`: of the last change; clocks of file systems may be too slow for a test.
  void write(const std::string& name, const std::string& text, int time) const {
    const std::filesystem::path path = scratch_.path() / name;
    std::ofstream(path) << text;
    std::filesystem::last_write_time(path, std::filesystem::file_time_type(std::chrono::seconds(time)));
  }
  [[nodiscard]] DataPlace place() const { return {"trace", scratch_.path()}; }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return scratch_.path() / name; }

 private:
  ScratchFile scratch_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(data_is_read_again_where_a_file_changes) {
  const DataFolder folder;
  const Catalogue catalogue({});
  KeptData kept;
  const auto get = [&] { return kept.get(folder.place(), trace, catalogue); };
  const auto first = get();
  BOOST_TEST(first->data.tables->size() == 1U);
  BOOST_TEST(get().get() == first.get());
  BOOST_TEST(kept.reads() == 1U);
  folder.write("a.csv", "n\n2\n", 2);  // as many bytes, at another time
  BOOST_TEST(get()->data.tables->at(0).columns[0].numbers[0] == 2.0);
  BOOST_TEST(kept.reads() == 2U);
  BOOST_TEST(first->data.tables->at(0).columns[0].numbers[0] == 1.0);  // sweeps keep what they read
  folder.write("b.csv", "n\n3\n", 1);                                  // a new file
  BOOST_TEST(get()->data.tables->size() == 2U);
  std::filesystem::remove(folder.path("a.csv"));
  BOOST_TEST(get()->data.tables->size() == 1U);
  BOOST_TEST(get()->inputs.at(0).name == "trace/b.csv");
  BOOST_TEST(kept.reads() == 4U);
}

BOOST_AUTO_TEST_CASE(forms_and_places_are_kept_apart) {
  const DataFolder folder;
  const Catalogue catalogue({});
  KeptData kept;
  static_cast<void>(kept.get(folder.place(), trace, catalogue));
  BOOST_TEST(kept.get(folder.place(), other, catalogue)->data.name == "other");
  BOOST_TEST(kept.reads() == 2U);
  for (int turn = 0; turn < 2; ++turn)
    for (const DataInfo* info : {&trace, &other}) static_cast<void>(kept.get(folder.place(), *info, catalogue));
  BOOST_TEST(kept.reads() == 2U);
}

BOOST_AUTO_TEST_CASE(of_many_places_the_last_used_are_kept) {
  const DataFolder folder;
  const Catalogue catalogue({});
  KeptData kept;
  const auto get = [&](int i) {
    const std::string name = std::to_string(i) + ".csv";
    folder.write(name, "n\n1\n", 1);
    return kept.get({"trace", folder.path(name)}, trace, catalogue);
  };
  for (int i = 0; i < 4; ++i) static_cast<void>(get(i));
  static_cast<void>(get(0));  // used again
  static_cast<void>(get(4));  // in place of 1
  BOOST_TEST(kept.reads() == 5U);
  static_cast<void>(get(0));
  BOOST_TEST(kept.reads() == 5U);
  static_cast<void>(get(1));
  BOOST_TEST(kept.reads() == 6U);
}

BOOST_AUTO_TEST_CASE(data_with_problems_is_not_kept) {
  const DataFolder folder;
  const Catalogue catalogue({});
  folder.write("a.csv", "n,m\n1\n", 1);
  KeptData kept;
  for (std::uint64_t turn = 1; turn <= 2; ++turn) {
    BOOST_TEST(kept.get(folder.place(), trace, catalogue)->problems.size() == 1U);
    BOOST_TEST(kept.reads() == turn);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
