/// A child process parses the tables and sends them as one message.
#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/core.h>

#include "io/child_process.hpp"
#include "io/dataset_contents.hpp"
#include "io/file_system.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/contents.hpp"
#include "io/hdf5/table_file.hpp"
#include "io/packing.hpp"

namespace dfsweep {

namespace {

/// Limit of rows: a fit has some thousand, and a page cannot show many more.
constexpr std::uint64_t max_table_rows = 1'000'000;
constexpr int max_nested_groups = 8;

std::vector<std::pair<std::string, std::string>> text_attributes(hid_t object) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const Attribute& attribute : hdf5::attributes_of(object))
    if (const auto* text = std::get_if<std::string>(&attribute.value)) texts.emplace_back(attribute.name, *text);
  return texts;
}

/// Runs in the child: reads the file with HDF5.
class TableParser {
 public:
  TableFile parse(const std::filesystem::path& path, std::string_view format) {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    const hdf5::Handle root(H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose, "open the root group");
    found_.attributes = text_attributes(root.id());
    const auto has_format = [&](const auto& attribute) {
      return attribute.first == "format" && attribute.second == format;
    };
    if (std::any_of(found_.attributes.begin(), found_.attributes.end(), has_format)) add_group(root, "", 0);
    return std::move(found_);
  }

 private:
  void add_group(const hdf5::Handle& group, const std::string& path, int depth) {
    TableFileTable table{.path = path, .columns = {}};
    H5G_info_t info = {};
    hdf5::check(H5Gget_info(group.id(), &info), "list a group");
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      const std::string name = hdf5::link_name(group, i);
      const hdf5::Handle object(H5Oopen(group.id(), name.c_str(), H5P_DEFAULT), H5Oclose, "open an object");
      const H5I_type_t kind = hdf5::checked(H5Iget_type(object.id()), "get the kind of an object");
      if (kind == H5I_GROUP && depth < max_nested_groups)
        add_group(object, path.empty() ? name : path + "/" + name, depth + 1);
      else if (kind == H5I_DATASET)
        add_column(table, object, name);
    }
    if (table.columns.empty()) return;
    table.attributes = text_attributes(group.id());
    found_.tables.push_back(std::move(table));
  }

  static void add_column(TableFileTable& table, const hdf5::Handle& dataset, const std::string& name) {
    const hdf5::Handle space(H5Dget_space(dataset.id()), H5Sclose, "get a dataspace");
    const std::vector<hsize_t> extents = hdf5::extents_of(space);
    if (extents.size() != 1 || extents[0] > max_table_rows) return;
    const hdf5::Handle type(H5Dget_type(dataset.id()), H5Tclose, "get a type");
    const std::vector<Attribute> attributes = hdf5::attributes_of(dataset.id());
    TableFileColumn column{.name = name,
                           .values = std::vector<double>(extents[0]),
                           .units = text_of(attributes, "units"),
                           .meaning = text_of(attributes, "long_name")};
    const H5T_class_t kind = hdf5::checked(H5Tget_class(type.id()), "get a type");
    if (kind == H5T_STRING && hdf5::checked(H5Tis_variable_str(type.id()), "get a type") > 0) {
      column.values = hdf5::read_texts(space, [&](hid_t memory, void* to) {
        return H5Dread(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
      });
    } else if (kind == H5T_FLOAT || kind == H5T_INTEGER) {
      double* const to = std::get<std::vector<double>>(column.values).data();
      hdf5::check(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, to), "read a column");
    } else {
      return;
    }
    table.columns.push_back(std::move(column));
  }

  TableFile found_;
};

void pack_pairs(Packer& packer, const std::vector<std::pair<std::string, std::string>>& pairs) {
  packer.number<std::uint64_t>(pairs.size());
  for (const auto& [name, text] : pairs) {
    packer.text(name);
    packer.text(text);
  }
}

std::vector<std::pair<std::string, std::string>> unpack_pairs(Unpacker& unpacker) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto count = unpacker.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string name = unpacker.text();
    pairs.emplace_back(std::move(name), unpacker.text());
  }
  return pairs;
}

std::vector<std::byte> packed(const TableFile& file) {
  Packer packer;
  pack_pairs(packer, file.attributes);
  packer.number<std::uint64_t>(file.tables.size());
  for (const TableFileTable& table : file.tables) {
    packer.text(table.path);
    pack_pairs(packer, table.attributes);
    packer.number<std::uint64_t>(table.columns.size());
    for (const TableFileColumn& column : table.columns) {
      for (const std::string* text : {&column.name, &column.units, &column.meaning}) packer.text(*text);
      const auto* numbers = std::get_if<std::vector<double>>(&column.values);
      packer.number<std::uint8_t>(numbers != nullptr ? 1 : 0);
      if (numbers != nullptr) {
        packer.numbers(std::span(*numbers));
        continue;
      }
      const auto& texts = std::get<std::vector<std::string>>(column.values);
      packer.number<std::uint64_t>(texts.size());
      for (const std::string& text : texts) packer.text(text);
    }
  }
  return packer.take();
}

TableFileColumn unpacked_column(Unpacker& unpacker) {
  TableFileColumn column;
  for (std::string* text : {&column.name, &column.units, &column.meaning}) *text = unpacker.text();
  if (unpacker.number<std::uint8_t>() != 0) {
    column.values = unpacker.numbers<double>();
    return column;
  }
  std::vector<std::string> texts;
  const auto count = unpacker.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) texts.push_back(unpacker.text());
  column.values = std::move(texts);
  return column;
}

TableFile unpacked(std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  TableFile file;
  file.attributes = unpack_pairs(unpacker);
  const auto tables = unpacker.number<std::uint64_t>();
  for (std::uint64_t t = 0; t < tables; ++t) {
    TableFileTable& table = file.tables.emplace_back();
    table.path = unpacker.text();
    table.attributes = unpack_pairs(unpacker);
    const auto columns = unpacker.number<std::uint64_t>();
    for (std::uint64_t c = 0; c < columns; ++c) table.columns.push_back(unpacked_column(unpacker));
  }
  return file;
}

/// The answer is 1 and the tables, or 0 and the reason why there are no tables.
std::vector<std::byte> answer_of(const std::filesystem::path& path, std::string_view format) {
  const hdf5::Quiet quiet;
  try {
    std::vector<std::byte> bytes = packed(TableParser().parse(path, format));
    bytes.insert(bytes.begin(), std::byte{1});
    return bytes;
  } catch (const hdf5::Failure& failure) {
    Packer packer;
    packer.number<std::uint8_t>(0);
    packer.text(failure.what());
    return packer.take();
  }
}

}  // namespace

bool may_be_table_file(const std::filesystem::path& path) {
  static constexpr std::array<unsigned char, 8> signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  if (!std::filesystem::is_regular_file(path)) return false;
  std::array<std::byte, signature.size()> first = {};
  const std::unique_ptr<File> file = real_file_system().open(path, OpenFor::reading);
  return file->read_some(0, first) == first.size() &&
         std::equal(first.begin(), first.end(), signature.begin(),
                    [](std::byte byte, unsigned char expected) { return byte == std::byte{expected}; });
}

TableFile read_table_file(const std::filesystem::path& path, std::string_view format) {
  try {
    constexpr std::chrono::seconds timeout{20};  // one answer holds all tables
    ChildProcess child([path, format](std::span<const std::byte>) { return answer_of(path, format); }, timeout);
    const std::vector<std::byte> answer = child.ask({}, timeout);
    if (!answer.empty() && answer.front() == std::byte{1}) return unpacked(std::span(answer).subspan(1));
    throw BadDataset(fmt::format("{} is damaged ({})", path.string(),
                                 answer.empty() ? "no answer" : Unpacker(std::span(answer).subspan(1)).text()));
  } catch (const ChildFailed& failed) {
    throw BadDataset(fmt::format("{} is damaged: the HDF5 library cannot read it ({})", path.string(), failed.what()));
  } catch (const MessageTooShort& error) {
    throw BadDataset(fmt::format("{} is damaged ({})", path.string(), error.what()));
  }
}

}  // namespace dfsweep
