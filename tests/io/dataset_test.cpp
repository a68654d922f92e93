/// The layout of a file: determinism, alignment, sparse size, and what comes back through the reader.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "io/dataset.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "tests/support/temporary_folder.hpp"

BOOST_AUTO_TEST_SUITE(dataset_test)

using namespace dfsweep;

namespace {

DatasetDescription description(std::uint64_t rows) {
  DatasetDescription d;
  d.attributes = {{"format", std::string("dfsweep")},
                  {"format_version", std::int64_t{contiguous_format}},
                  {"columns", std::string("point device speed")},
                  {"group_columns", std::string()},
                  {"shape", std::vector<std::int64_t>{3, 4}}};
  d.columns = {
      {"point", ElementType::uint64, ColumnExtent::rows, rows, 1, {"point"}, {}},
      {"device", ElementType::int16, ColumnExtent::rows, rows, 1, {"point"}, {{"labels", std::string("device_label")}}},
      {"speed",
       ElementType::float64,
       ColumnExtent::rows,
       rows,
       1,
       {"point"},
       {{"units", std::string("s")}, {"_FillValue", std::numeric_limits<double>::quiet_NaN()}}},
      {"provenance/block", ElementType::uint64, ColumnExtent::file, 1, 1, {"provenance/block"}, {}},
      {"provenance/checksums",
       ElementType::uint64,
       ColumnExtent::file,
       1,
       6,
       {"provenance/block", "device_label"},
       {}}};
  d.labels = {{"device_label", {"a b", "\xC3\xBC"}}};
  d.scalars = {{"fixed/count", std::int64_t{7}, {{"units", std::string("1")}}},
               {"fixed/name", std::string("gpt"), {}},
               {"fixed/rate", 1.5, {}}};
  d.texts = {{"provenance/sweep", "two\nlines\n"}};
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_description_gives_the_same_bytes) {
  const DatasetImage one = lay_out_dataset(description(10000));
  const DatasetImage two = lay_out_dataset(description(10000));
  BOOST_TEST((one.pieces == two.pieces));
  BOOST_TEST((frame_checksum(one) == frame_checksum(two)));
}

BOOST_AUTO_TEST_CASE(columns_are_aligned_apart_and_inside_the_file) {
  const DatasetImage image = lay_out_dataset(description(10000));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const ColumnPlace& place : image.places) {
    if (place.bytes() >= 4096) BOOST_TEST(place.offset % 4096 == 0U);
    ranges.emplace_back(place.offset, place.offset + place.bytes());
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) BOOST_TEST(ranges[i - 1].second <= ranges[i].first);
  BOOST_TEST(ranges.back().second <= image.size);
}

BOOST_AUTO_TEST_CASE(a_layout_of_terabytes_costs_kilobytes) {
  const DatasetImage image = lay_out_dataset(description(std::uint64_t{1} << 38));
  BOOST_TEST(image.size > (std::uint64_t{18} << 38));
  BOOST_TEST(image.pieces.size() < 100U);
}

BOOST_AUTO_TEST_CASE(what_is_written_comes_back) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "file.h5";
  const DatasetImage image = lay_out_dataset(description(3));
  {
    const std::unique_ptr<File> file = real_file_system().open(path, OpenFor::creating);
    file->truncate(image.size);
    write_frame(*file, image);
    const std::vector<std::int16_t> codes = {1, -1, 0};
    const std::vector<double> speeds = {0.5, std::numeric_limits<double>::quiet_NaN(), 2.0};
    const std::vector<std::uint64_t> points = {0, 1, 2};
    file->write_at(image.places[0].offset, std::as_bytes(std::span(points)));
    file->write_at(image.places[1].offset, std::as_bytes(std::span(codes)));
    file->write_at(image.places[2].offset, std::as_bytes(std::span(speeds)));
    BOOST_TEST((frame_checksum(*file, image.places, image.size) == frame_checksum(image)));
    const std::vector<std::uint64_t> first_rows = {0};
    const std::vector<Checksum> checksums = {xxh3_128(std::as_bytes(std::span(points))),
                                             xxh3_128(std::as_bytes(std::span(codes))),
                                             xxh3_128(std::as_bytes(std::span(speeds)))};
    file->write_at(image.places[3].offset, std::as_bytes(std::span(first_rows)));
    file->write_at(image.places[4].offset, std::as_bytes(std::span(checksums)));
    write_seal(*file, {.file_size = image.size, .frame = frame_checksum(image), .table = {}, .places = image.places});
  }
  const DatasetReader reader(path);
  BOOST_TEST(reader.row_count() == 3U);
  BOOST_TEST(reader.complete_count() == 3U);
  const DatasetColumn& device = *reader.column("device");
  BOOST_TEST(device.is_categorical());
  BOOST_TEST(reader.labels(device)[1] == "\xC3\xBC");
  std::vector<std::int64_t> codes(2);
  reader.read(device, 1, std::span(codes));
  BOOST_TEST(codes == (std::vector<std::int64_t>{-1, 0}), boost::test_tools::per_element());
  std::vector<double> speeds(3);
  reader.read(*reader.column("speed"), 0, std::span(speeds));
  BOOST_TEST(speeds[2] == 2.0);
  BOOST_TEST(reader.column("speed")->units == "s");
  BOOST_TEST(*reader.column("speed")->offset == image.places[2].offset);
  BOOST_TEST(reader.fixed().size() == 3U);
  BOOST_TEST(std::get<std::int64_t>(reader.fixed()[0].value) == 7);
  BOOST_TEST(reader.provenance("sweep") == "two\nlines\n");
  BOOST_TEST(reader.tables().size() == 2U);
  BOOST_TEST((reader.verifiable() == Verifiable::whole));
  BOOST_CHECK_THROW(reader.read(*reader.column("speed"), 0, std::span(codes)), std::logic_error);
  BOOST_CHECK_THROW(static_cast<void>(reader.provenance("nothing")), BadDataset);
  BOOST_CHECK_THROW(reader.read(device, 2, std::span(codes)), BadDataset);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_result_is_named) {
  const TemporaryFolder folder;
  const std::string text = "not HDF5";
  replace_file(real_file_system(), folder.path() / "text.h5", std::as_bytes(std::span(text)));
  BOOST_CHECK_THROW(DatasetReader(folder.path() / "text.h5"), BadDataset);
  BOOST_CHECK_THROW(DatasetReader(folder.path() / "absent.h5"), IoError);
  BOOST_CHECK_THROW(DatasetReader(folder.path()), BadDataset);
}

BOOST_AUTO_TEST_SUITE_END()
