/// join: measured rows become columns of a copy of a result, whose own columns keep their bytes.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "io/hdf5/dataset_reader.hpp"
#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(join_test)

namespace {

constexpr const char* rows_text =
    "id,device,ways,time,speed\n"
    "one,a100,1,5 s,10\n"
    "again,a100,1,3 s,\n"
    "two,a100,2,1,\n"
    "three,h100,2,2,\n"
    "four,b200,2,2,\n";

struct Joined : NineRows {
  ScratchFile rows{"rows.csv"};
  ScratchFile output{"measured.h5"};
  ProgramResult result;
  Joined() {
    std::ofstream(rows.path()) << rows_text;
    result = dfsweep({"join", path, rows.path().string(), "-o", output.path().string()});
  }
};

std::vector<double> values_of(const DatasetReader& file, const std::string& name) {
  const DatasetColumn* column = file.column(name);
  BOOST_TEST_REQUIRE((column != nullptr), name);
  std::vector<double> values(file.row_count());
  file.read(*column, 0, values);
  return values;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(measurements_are_columns, Joined) {
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  for (const char* part :
       {"time: 3 of 5 measurements in 2 rows of the result\n", "  1: device = b200 is not in the result\n",
        "  1: the result has no value: out_of_memory\n", "speed: 1 of 1 measurement in 1 row",
        "new columns measured_time, measured_time_runs, time_error, measured_speed"})
    BOOST_TEST(contains(result.out, part), part << " is not in\n" << result.out);
  const DatasetReader file(output.path());
  const std::vector<double> measured = values_of(file, "measured_time");
  const std::vector<double> runs = values_of(file, "measured_time_runs");
  const std::vector<double> error = values_of(file, "time_error");
  // two runs of 5 and 3 s, predicted 4 s; one of 1 s, predicted 2 s
  BOOST_TEST(measured[0] == 4.0);
  BOOST_TEST(runs[0] == 2.0);
  BOOST_TEST(error[0] == 0.0);
  BOOST_TEST(measured[1] == 1.0);
  BOOST_TEST(runs[1] == 1.0);
  BOOST_TEST(error[1] == 1.0);
  for (std::size_t row = 2; row < measured.size(); ++row)
    BOOST_TEST((std::isnan(measured[row]) && std::isnan(runs[row]) && std::isnan(error[row])), row);
  BOOST_TEST(contains(file.provenance("joined"), "rows.csv"));
}

BOOST_FIXTURE_TEST_CASE(own_columns_are_as_they_were, Joined) {
  const DatasetReader before(path);
  const DatasetReader after(output.path());
  BOOST_TEST((after.verifiable() == Verifiable::whole));
  for (const DatasetColumn& column : before.columns()) {
    const DatasetColumn* same = after.column(column.name);
    BOOST_TEST_REQUIRE((same != nullptr), column.name);
    BOOST_TEST((same->type == column.type));
    BOOST_TEST(same->units == column.units);
    BOOST_TEST(same->label_table == column.label_table);
    if (column.is_categorical()) BOOST_TEST(after.labels(*same) == before.labels(column));
    const std::vector<double> old_values = values_of(before, column.name);
    const std::vector<double> new_values = values_of(after, column.name);
    for (std::size_t row = 0; row < old_values.size(); ++row)
      BOOST_TEST((old_values[row] == new_values[row] || (std::isnan(old_values[row]) && std::isnan(new_values[row]))));
  }
  BOOST_TEST(after.fixed().size() == before.fixed().size());
  BOOST_TEST(dfsweep({"verify", output.path().string()}).status == 0);
  const ProgramResult shown = dfsweep({"show", output.path().string(), "--best", "time", "--columns", "measured_time"});
  BOOST_TEST(shown.status == 0, shown.err);
}

BOOST_FIXTURE_TEST_CASE(a_result_keeps_what_it_has, Joined) {
  const ProgramResult itself = dfsweep({"join", path, rows.path().string(), "-o", path});
  BOOST_TEST(itself.status == 2);
  BOOST_TEST(contains(itself.err, "is the result itself"), itself.err);
  const ProgramResult twice =
      dfsweep({"join", output.path().string(), rows.path().string(), "-o", output.path().string() + "2"});
  BOOST_TEST(twice.status == 2);
  BOOST_TEST(contains(twice.err, "has a column measured_time already"), twice.err);
}

BOOST_FIXTURE_TEST_CASE(a_damaged_result_is_not_copied, Joined) {
  const DatasetReader before(path);
  const std::uint64_t offset = before.column("time")->offset.value();
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put('x');
  }
  const std::string other = output.path().string() + ".other";
  const ProgramResult damaged = dfsweep({"join", path, rows.path().string(), "-o", other});
  BOOST_TEST(damaged.status == 4);
  BOOST_TEST(!std::ifstream(other).good());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
