#include "engine/store/run_directory.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <optional>

#include <fmt/core.h>

#include "engine/console/build_info.hpp"
#include "engine/dataset/row_columns.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "io/json.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep::store {

namespace {

std::string hex(const std::vector<std::byte>& bytes) {
  std::string digits;
  for (const std::byte byte : bytes) digits += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return digits;
}

std::vector<std::byte> bytes_of_hex(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

constexpr std::array<std::string_view, 3> kind_names = {"aligned", "small", "candidates"};
constexpr std::array<std::string_view, 3> extent_names = {"rows", "groups", "file"};

/// The enumerator of a name.
template <class Enum, std::size_t n>
Enum named(const std::array<std::string_view, n>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw JsonError("unknown word '" + name + "'");
  return static_cast<Enum>(found - names.begin());
}

JsonObject cut_json(const BlockCut& cut) {
  return {{"kind", kind_names[static_cast<std::size_t>(cut.kind)]},
          {"blocks", cut.block_count},
          {"rows", cut.rows},
          {"groups", cut.groups},
          {"rows_per_group", cut.rows_per_group},
          {"groups_per_block", cut.groups_per_block},
          {"slices_per_group", cut.slices_per_group}};
}

std::uint32_t whole32(const Json& json) {
  const std::uint64_t value = json.whole();
  if (value > std::numeric_limits<std::uint32_t>::max()) throw JsonError("a number is too large");
  return static_cast<std::uint32_t>(value);
}

BlockCut read_cut(const Json& json) {
  return {.kind = named<BlockKind>(kind_names, json.at("kind").text()),
          .block_count = whole32(json.at("blocks")),
          .rows = json.at("rows").whole(),
          .groups = json.at("groups").whole(),
          .rows_per_group = json.at("rows_per_group").whole(),
          .groups_per_block = json.at("groups_per_block").whole(),
          .slices_per_group = whole32(json.at("slices_per_group"))};
}

int read_level(const Json& json) {
  const std::uint64_t level = json.at("level").whole();
  if (json.at("filter").text() != "deflate" || level < 1 || level > 9) throw JsonError("an unknown compression");
  return static_cast<int>(level);
}

JsonArray columns_json(const RunRecord& record) {
  JsonArray columns;
  for (std::size_t i = 0; i < record.places.size(); ++i) {
    const ColumnPlace& place = record.places[i];
    JsonObject column = {{"path", place.path},
                         {"offset", place.offset},
                         {"element_bytes", place.element_bytes},
                         {"count", place.count},
                         {"extent", extent_names[static_cast<std::size_t>(place.extent)]}};
    if (i < record.missing.size()) column.emplace_back("missing", hex(record.missing[i]));
    columns.emplace_back(std::move(column));
  }
  return columns;
}

void read_columns(const Json& json, RunRecord& record) {
  for (const Json& column : json.array()) {
    record.places.push_back({.path = column.at("path").text(),
                             .offset = column.at("offset").whole(),
                             .element_bytes = column.at("element_bytes").whole(),
                             .count = column.at("count").whole(),
                             .extent = named<ColumnExtent>(extent_names, column.at("extent").text())});
    if (const Json* missing = column.find("missing")) record.missing.push_back(bytes_of_hex(missing->text()));
  }
}

Checksum read_checksum(const Json& json) {
  const std::optional<Checksum> checksum = from_hex(json.text());
  if (!checksum) throw JsonError("a checksum is malformed");
  return *checksum;
}

/// Elements of a row that was not evaluated: "no value" in every column, and status `missing`.
std::vector<std::vector<std::byte>> missing_elements(const RowColumns& columns) {
  std::vector<std::vector<std::byte>> elements(columns.count());
  elements[0].assign(sizeof(std::uint64_t), std::byte{0xFF});
  for (std::size_t a = 0; a < columns.axes.size(); ++a) elements[columns.first_axis() + a] = columns.axes[a].absent;
  if (columns.split) append_value(elements[columns.split_column()], absent_split);
  elements[columns.status()] = {std::byte{missing_status}};
  for (std::size_t m = 0; m < columns.metrics.size(); ++m) {
    std::vector<std::byte>& element = elements[columns.first_metric() + m];
    element.resize(size_of(columns.metrics[m].type));
    encode_metric(absent, columns.metrics[m].type, element.data());
  }
  if (columns.has_rank) {
    elements[columns.rank()].assign(size_of(rank_type), std::byte{0});
    elements[columns.reported_point()].assign(sizeof(std::uint64_t), std::byte{0xFF});
    elements[columns.rejections()].assign(columns.statuses.size() * sizeof(std::uint64_t), std::byte{0});
  }
  return elements;
}

}  // namespace

Checksum RunRecord::plan_checksum() const {
  const std::optional<Checksum> checksum = from_hex(fingerprint);
  DFSWEEP_EXPECT(checksum.has_value());
  return *checksum;
}

const ColumnPlace& RunRecord::place(std::string_view column) const {
  const auto found =
      std::find_if(places.begin(), places.end(), [&](const ColumnPlace& place) { return place.path == column; });
  DFSWEEP_EXPECT(found != places.end());
  return *found;
}

std::string to_plan_json(const RunRecord& record) {
  JsonObject object = {{"program", "dfsweep"},
                       {"format_version", record.format_version},
                       {"program_version", record.program_version},
                       {"name", record.name},
                       {"fingerprint", record.fingerprint},
                       {"sweep", record.sweep},
                       {"build", record.build},
                       {"cut", cut_json(record.cut)}};
  if (record.parts > 1) object.emplace_back("parts", record.parts);
  if (record.compression_level)
    object.emplace_back("compression",
                        JsonObject{{"filter", "deflate"}, {"level", std::int64_t{*record.compression_level}}});
  if (record.order) {
    JsonObject search{{"better", record.order->better == Better::higher ? "higher" : "lower"},
                      {"top", record.order->top},
                      {"rank_column", std::uint64_t{record.order->rank_column}}};
    if (record.order->ties == SearchTies::one) search.emplace_back("one_per_tie", true);
    object.emplace_back("search", std::move(search));
  }
  object.emplace_back("columns", columns_json(record));
  object.emplace_back("file_size", record.file_size);
  object.emplace_back("frame_checksum", to_hex(record.frame));
  const std::string text = to_text(Json(object));
  object.emplace_back("checksum", xxh3_128_hex(text));
  return to_text(Json(std::move(object)));
}

RunRecord read_plan_json(std::string_view text, const std::filesystem::path& path) {
  try {
    const Json json = parse_json(text);
    RunRecord record;
    record.format_version = whole32(json.at("format_version"));
    if (record.format_version < oldest_run_format || record.format_version > run_format_version)
      throw ForeignRun(
          fmt::format("{} has format version {}, this program writes {}. Use the program that started the "
                      "run, or another --out",
                      path.string(), record.format_version, run_format_version));
    JsonObject covered = json.object();
    std::erase_if(covered, [](const auto& member) { return member.first == "checksum"; });
    if (xxh3_128_hex(to_text(Json(covered))) != json.at("checksum").text()) throw JsonError("its checksum is wrong");
    if (to_text(json) != text) throw JsonError("its formatting is not that of dfsweep");
    record.program_version = json.at("program_version").text();
    record.name = json.at("name").text();
    record.fingerprint = to_hex(read_checksum(json.at("fingerprint")));
    record.sweep = json.at("sweep").text();
    record.build = json.at("build").text();
    record.cut = read_cut(json.at("cut"));
    if (const Json* parts = json.find("parts")) record.parts = whole32(*parts);
    if (const Json* compression = json.find("compression")) record.compression_level = read_level(*compression);
    if (const Json* search = json.find("search"))
      record.order = CandidateOrder{.better = search->at("better").text() == "higher" ? Better::higher : Better::lower,
                                    .top = whole32(search->at("top")),
                                    .ties = search->find("one_per_tie") ? SearchTies::one : SearchTies::all,
                                    .rank_column = search->at("rank_column").whole()};
    read_columns(json.at("columns"), record);
    record.file_size = json.at("file_size").whole();
    record.frame = read_checksum(json.at("frame_checksum"));
    return record;
  } catch (const JsonError& error) {
    throw DamagedPlan(
        fmt::format("{} is damaged or not a plan of dfsweep ({}). The next run of the same sweep restores it",
                    path.string(), error.what()));
  }
}

RunRecord read_run_record(FileSystem& files, const RunDirectory& directory) {
  if (!files.exists(directory.plan())) {
    if (!files.exists(directory.path)) throw IoError("open", directory.path, ENOENT);
    const bool has_result = files.exists(directory.partial()) || files.exists(directory.result());
    if (!has_result && files.exists(directory.journals())) throw no_result_yet(directory);
    throw ForeignRun(fmt::format("{} {}", directory.path.string(),
                                 has_result ? "has no plan.json. The next run of the same sweep restores it"
                                            : "is not a run directory (it has no plan.json)"));
  }
  const std::vector<std::byte> bytes = read_file(files, directory.plan(), max_plan_bytes);
  return read_plan_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, directory.plan());
}

NotReady no_result_yet(const RunDirectory& directory) {
  return NotReady(
      fmt::format("{} has no result yet: its run was stopped before the result file was made. To continue: the same "
                  "dfsweep run again",
                  directory.path.string()));
}

RunRecord make_run_record(const Plan& plan, const DatasetImage& image) {
  const SweepSpec& spec = plan.spec();
  const RowColumns columns = row_columns(plan);
  RunRecord record;
  record.program_version = program_version();
  record.build = build_text();
  record.name = spec.name;
  record.fingerprint = plan.fingerprint();
  record.sweep = resolved_text(spec);
  record.cut = block_cut(plan);
  record.compression_level = spec.compression_level;
  if (spec.search)
    record.order = CandidateOrder{spec.search->direction, spec.search->top, spec.search->ties, columns.rank()};
  record.places = image.places;
  record.missing = missing_elements(columns);
  record.file_size = image.size;
  record.frame = frame_checksum(image);
  return record;
}

}  // namespace dfsweep::store
