/// Point lists: lines become codes, and every wrong cell is named.
#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "engine/sweep/placed_problems.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(points_test)

using namespace dfsweep;
using T = ToyEstimator;

namespace {

/// A folder with a point list, for one test.
class PointFolder {
 public:
  explicit PointFolder(std::string_view points)
      : path_(std::filesystem::temp_directory_path() / fmt::format("dfsweep_points_{}", ::getpid())) {
    std::filesystem::create_directories(path_);
    std::ofstream(path_ / "p.csv") << points;
  }
  ~PointFolder() { std::filesystem::remove_all(path_); }
  PointFolder(const PointFolder&) = delete;
  PointFolder& operator=(const PointFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(point_lists_become_columns_of_codes) {
  const PointFolder folder("seed,rate,flavour\n5,1 GB/s,odd\n5.0,1000 MB/s,plain\n7,2 GB/s,odd\n");
  const SweepSpec spec = toy_sweep("[parameters]\nwork = 3\n[points]\nfile = 'p.csv'\n", folder.path());
  BOOST_REQUIRE(spec.points);
  BOOST_TEST(spec.points->lines == 3);
  BOOST_TEST(labels(spec, T::seed) == "5 7");
  BOOST_TEST(labels(spec, T::rate) == "1e9 2e9");
  BOOST_TEST((spec.points->codes == std::vector<std::vector<std::uint32_t>>{{0, 0, 1}, {0, 0, 1}, {0, 1, 0}}));
  BOOST_TEST(labels(spec, T::work) == "3");
  BOOST_TEST(spec.inputs.size() == 1);
  const UserError error = to_user_error(InvalidValues({{T::rate, 1, "too fast", "", ""}}), spec);
  BOOST_TEST(std::string(error.what()).ends_with("p.csv:4:3: too fast."));
}

BOOST_AUTO_TEST_CASE(errors_of_point_lists_name_the_cell) {
  const auto problems = [](std::string_view points, std::string_view more) {
    const PointFolder folder(points);
    try {
      static_cast<void>(toy_sweep("[points]\nfile = 'p.csv'\n" + std::string(more), folder.path()));
      return std::string("accepted");
    } catch (const UserError& error) {
      const std::string prefix = folder.path().string() + "/";
      std::string text = error.what();
      for (std::size_t at = 0; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
      return text;
    }
  };
  BOOST_TEST(problems("seed,sede\n1,2\n", "") ==
             "p.csv:1:6: unknown parameter 'sede' (estimator 'toy' has no such parameter). Did you mean 'seed'?");
  BOOST_TEST(problems("seed,rate\n1,5\n-1,1 B/s\n", "") ==
             "p.csv:2:3: rate = 5 has no unit (unit B/s). Write \"5 GB/s\"\np.csv:3:1: seed = -1 is out of range "
             "(allowed: at least 0).");
  BOOST_TEST(problems("seed,rate\n1\n", "") == "p.csv:2:1: line has 1 cell (the header has 2).");
  // Wrong cells hide nothing else that is wrong.
  BOOST_TEST(
      problems("seed,rate\nx,1 B/s\n2,1 B/s\n", "[parameters]\nseed = 2\nwork = 'y'\n") ==
      "p.csv:2:1: seed: 'x' is not a number.\nsweep.toml:7:1: parameter 'seed' is given twice (it is a column of "
      "p.csv). Keep one of them\nsweep.toml:8:8: 'work' must be an integer, not a string.");
  BOOST_TEST(problems("seed\n", "") == "p.csv:1:1: point list is empty.");
  BOOST_TEST(problems("seed\n1\n", "[parameters]\nseed = 2\n") ==
             "sweep.toml:7:1: parameter 'seed' is given twice (it is a column of p.csv). Keep one of them");
  BOOST_TEST(problems("seed\n1\n", "[parameters]\nwork = [2]\n") ==
             "sweep.toml:7:1: axis 'work' with [points] (every point is a line of the list). Give a single value, or a "
             "column of the list");
  BOOST_TEST(
      problems("seed\n1\n", "[search]\nover = ['seed']\nminimize = 'time'\n") ==
      "sweep.toml:6:1: [search] with [points] (a list of points has no axes to search over). Use axes in [parameters]");
}

BOOST_AUTO_TEST_CASE(empty_cells_stand_for_what_holds_without_the_column) {
  const PointFolder folder("work,flavour,rate\n1,odd,1 GB/s\n2,,\n");
  const SweepSpec spec = toy_sweep("[points]\nfile = 'p.csv'\n", folder.path());
  for (const ParameterIndex p : {T::flavour, T::rate}) {
    const ParameterInfo& info = spec.estimator->parameters()[p];
    const ParameterValue& empty = spec.values.parameters[p].values.at(1);
    BOOST_TEST(label(info, empty) == (info.absence == Absence::fallback ? info.fallback : ""));
  }
}

BOOST_AUTO_TEST_SUITE_END()
