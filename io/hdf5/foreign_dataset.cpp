/// A child process opens the file and sends contents and elements as messages.
#include "io/hdf5/foreign_dataset.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

#include <fmt/core.h>

#include "io/child_process.hpp"
#include "io/hdf5/contents.hpp"
#include "io/packing.hpp"

namespace dfsweep {

namespace {

enum class Answered : std::uint8_t { result, refusal };

/// Runs in the child: reads the file with HDF5.
class Parser {
 public:
  explicit Parser(std::filesystem::path path) : path_(std::move(path)) {}

  /// An empty message requests the contents; any other message is a column, a first element and a number of bytes.
  std::vector<std::byte> answer(std::span<const std::byte> message) {
    const hdf5::Quiet quiet;
    try {
      std::vector<std::byte> result = message.empty() ? contents() : elements(message);
      result.insert(result.begin(), static_cast<std::byte>(Answered::result));
      return result;
    } catch (const hdf5::Failure& failure) {
      const std::string why = failure.what();
      return refusal(why.ends_with("file signature not found")
                         ? fmt::format("{} is not a result file (it is not in HDF5)", path_.string())
                         : fmt::format("{} is not a result file, or is damaged ({})", path_.string(), why));
    } catch (const BadDataset& bad) {
      return refusal(bad.what());
    }
  }

 private:
  static std::vector<std::byte> refusal(const std::string& why) {
    Packer packer;
    packer.number(static_cast<std::uint8_t>(Answered::refusal));
    packer.text(why);
    return packer.take();
  }

  std::vector<std::byte> contents() {
    file_ = hdf5::open_for_reading(path_);
    contents_ = hdf5::read_contents(file_, path_);
    return pack(contents_);
  }

  [[nodiscard]] std::vector<std::byte> elements(std::span<const std::byte> message) const {
    Unpacker unpacker(message);
    const auto column = unpacker.number<std::uint64_t>();
    const auto first = unpacker.number<std::uint64_t>();
    std::vector<std::byte> bytes(unpacker.number<std::uint64_t>());
    hdf5::read_elements(file_, contents_.column(column), first, bytes);
    return bytes;
  }

  std::filesystem::path path_;
  hdf5::Handle file_;
  DatasetContents contents_;
};

/// Runs in the parent: reads columns through the child.
class ForeignColumns final : public ColumnSource {
 public:
  ForeignColumns(const std::filesystem::path& path, const ForeignLimits& limits)
      : path_(path),
        timeout_(limits.timeout),
        child_([parser = std::make_shared<Parser>(path)](auto message) { return parser->answer(message); },
               limits.processor_time + std::chrono::seconds(std::filesystem::file_size(path) / 20'000'000)) {}

  void read(std::size_t column, std::uint64_t first, std::span<std::byte> bytes) const override {
    Packer packer;
    packer.number<std::uint64_t>(column);
    packer.number(first);
    packer.number<std::uint64_t>(bytes.size());
    const std::vector<std::byte> answer = ask(packer.take());
    if (answer.size() != bytes.size() + 1) throw damaged("it returns a wrong number of bytes");
    std::copy(answer.begin() + 1, answer.end(), bytes.begin());
  }

  [[nodiscard]] DatasetContents contents() const {
    const std::vector<std::byte> answer = ask({});
    try {
      return unpack_contents(std::span(answer).subspan(1));
    } catch (const MessageTooShort& error) {
      throw damaged(error.what());
    }
  }

 private:
  [[nodiscard]] BadDataset damaged(const std::string& why) const {
    return BadDataset(fmt::format("{} is damaged: the HDF5 library cannot read it ({})", path_.string(), why));
  }

  [[nodiscard]] std::vector<std::byte> ask(std::span<const std::byte> message) const {
    const std::lock_guard one_at_a_time(mutex_);
    std::vector<std::byte> answer;
    try {
      answer = child_.ask(message, timeout_);
    } catch (const ChildFailed& failed) {
      throw damaged(failed.what());
    }
    if (answer.empty()) throw damaged("it returns no answer");
    if (answer.front() == static_cast<std::byte>(Answered::result)) return answer;
    try {
      throw BadDataset(Unpacker(std::span(answer).subspan(1)).text());
    } catch (const MessageTooShort& error) {
      throw damaged(error.what());
    }
  }

  std::filesystem::path path_;
  std::chrono::milliseconds timeout_;
  mutable std::mutex mutex_;  ///< guards child_
  mutable ChildProcess child_;
};

/// Upper bound of the compression ratio of HDF5 filters (deflate: 1032).
constexpr std::uint64_t max_compression = 1100;

/// Whether a file of this size can hold a column of that length.
bool is_possible(const DatasetColumn& column, std::uint64_t file_size) {
  if (column.count == 0 || column.width == 0 || column.width > file_size) return false;
  const std::uint64_t room = column.offset ? file_size : file_size * max_compression;
  return column.count <= room / column.element_bytes();
}

void expect_plausible(const DatasetContents& contents, const std::filesystem::path& path) {
  const std::uint64_t size = std::filesystem::file_size(path);
  for (std::size_t i = 0; i < contents.column_count(); ++i) {
    const DatasetColumn& column = contents.column(i);
    const std::uint64_t expected = column.extent == ColumnExtent::rows     ? contents.columns.front().count
                                   : column.extent == ColumnExtent::groups ? contents.group_columns.front().count
                                                                           : column.count;
    if (!is_possible(column, size) || column.count != expected)
      throw BadDataset(
          fmt::format("{} is damaged: column {} has {} elements", path.string(), column.name, column.count));
  }
  if (!contents.group_columns.empty() && contents.columns.front().count % contents.group_columns.front().count != 0)
    throw BadDataset(fmt::format("{} is damaged: its rows do not match its reported points", path.string()));
}

}  // namespace

ForeignDataset open_foreign(const std::filesystem::path& path, const ForeignLimits& limits) {
  auto columns = std::make_unique<ForeignColumns>(path, limits);
  ForeignDataset dataset{columns->contents(), std::move(columns)};
  if (dataset.contents.columns.empty()) throw BadDataset(path.string() + " has no columns");
  expect_plausible(dataset.contents, path);
  return dataset;
}

}  // namespace dfsweep
