#include "io/dataset_contents.hpp"

#include <algorithm>

#include "io/packing.hpp"

namespace dfsweep {

namespace {

class ContentsPacker {
 public:
  std::vector<std::byte> take(const DatasetContents& contents) {
    add(contents.attributes);
    for (const auto* columns : {&contents.columns, &contents.group_columns, &contents.tables}) add(*columns);
    count(contents.labels.size());
    for (const auto& [path, labels] : contents.labels) {
      out_.text(path);
      add(labels);
    }
    count(contents.fixed.size());
    for (const FixedValue& fixed : contents.fixed) {
      for (const std::string* text : {&fixed.name, &fixed.units, &fixed.long_name}) out_.text(*text);
      count(fixed.value.index());
      std::visit([&](const auto& value) { add(value); }, fixed.value);
    }
    count(contents.texts.size());
    for (const auto& [name, text] : contents.texts) {
      out_.text(name);
      out_.text(text);
    }
    return out_.take();
  }

 private:
  void count(std::size_t value) { out_.number<std::uint64_t>(value); }
  void add(const std::string& text) { out_.text(text); }
  void add(double value) { out_.number(value); }
  void add(std::int64_t value) { out_.number(value); }
  void add(const std::vector<std::int64_t>& values) { out_.numbers(std::span(values)); }
  void add(const std::vector<std::string>& texts) {
    count(texts.size());
    for (const std::string& text : texts) out_.text(text);
  }
  void add(const std::vector<Attribute>& attributes) {
    count(attributes.size());
    for (const Attribute& attribute : attributes) {
      out_.text(attribute.name);
      count(attribute.value.index());
      std::visit([&](const auto& value) { add(value); }, attribute.value);
    }
  }
  void add(const std::vector<DatasetColumn>& columns) {
    count(columns.size());
    for (const DatasetColumn& column : columns) {
      for (const std::string* text : {&column.name, &column.units, &column.long_name, &column.label_table})
        out_.text(*text);
      out_.number(static_cast<std::uint8_t>(column.type));
      out_.number(static_cast<std::uint8_t>(column.extent));
      count(column.count);
      count(column.width);
      add(column.attributes);
      out_.number<std::uint8_t>(column.offset ? 1 : 0);
      count(column.offset.value_or(0));
    }
  }

  Packer out_;
};

class ContentsUnpacker {
 public:
  explicit ContentsUnpacker(std::span<const std::byte> bytes) : in_(bytes) {}

  DatasetContents contents() {
    DatasetContents contents;
    contents.attributes = attributes();
    for (auto* list : {&contents.columns, &contents.group_columns, &contents.tables}) *list = columns();
    repeat([&] {
      std::string path = in_.text();
      contents.labels[std::move(path)] = texts();
    });
    repeat([&] {
      FixedValue fixed;
      for (std::string* text : {&fixed.name, &fixed.units, &fixed.long_name}) *text = in_.text();
      switch (count()) {
        case 0:
          fixed.value = in_.number<double>();
          break;
        case 1:
          fixed.value = in_.number<std::int64_t>();
          break;
        default:
          fixed.value = in_.text();
      }
      contents.fixed.push_back(std::move(fixed));
    });
    repeat([&] {
      std::string name = in_.text();
      contents.texts[std::move(name)] = in_.text();
    });
    return contents;
  }

 private:
  std::uint64_t count() { return in_.number<std::uint64_t>(); }
  /// Every element consumes bytes, so a wrong count stops at the end of the message.
  template <class Each>
  void repeat(const Each& each) {
    const std::uint64_t times = count();
    for (std::uint64_t i = 0; i < times; ++i) each();
  }
  std::vector<std::string> texts() {
    std::vector<std::string> texts;
    repeat([&] { texts.push_back(in_.text()); });
    return texts;
  }
  decltype(Attribute::value) value(std::uint64_t kind) {
    switch (kind) {
      case 0:
        return in_.text();
      case 1:
        return in_.number<double>();
      case 2:
        return in_.number<std::int64_t>();
      case 3:
        return in_.numbers<std::int64_t>();
      default:
        return texts();
    }
  }
  std::vector<Attribute> attributes() {
    std::vector<Attribute> attributes;
    repeat([&] {
      Attribute attribute{in_.text(), {}};
      attribute.value = value(count());
      attributes.push_back(std::move(attribute));
    });
    return attributes;
  }
  std::vector<DatasetColumn> columns() {
    std::vector<DatasetColumn> columns;
    repeat([&] {
      DatasetColumn column;
      for (std::string* text : {&column.name, &column.units, &column.long_name, &column.label_table})
        *text = in_.text();
      column.type = std::min(static_cast<ElementType>(in_.number<std::uint8_t>()), ElementType::float64);
      column.extent = std::min(static_cast<ColumnExtent>(in_.number<std::uint8_t>()), ColumnExtent::file);
      column.count = count();
      column.width = count();
      column.attributes = attributes();
      const bool has_offset = in_.number<std::uint8_t>() != 0;
      const std::uint64_t offset = count();
      if (has_offset) column.offset = offset;
      columns.push_back(std::move(column));
    });
    return columns;
  }

  Unpacker in_;
};

}  // namespace

std::string DatasetColumn::text(std::string_view attribute) const {
  return text_of(attributes, attribute);
}

const DatasetColumn& DatasetContents::column(std::size_t index) const {
  if (index < columns.size()) return columns[index];
  index -= columns.size();
  return index < group_columns.size() ? group_columns[index] : tables.at(index - group_columns.size());
}

std::string text_of(const std::vector<Attribute>& attributes, std::string_view name) {
  for (const Attribute& attribute : attributes)
    if (attribute.name == name)
      if (const auto* text = std::get_if<std::string>(&attribute.value)) return *text;
  return {};
}

std::optional<std::int64_t> integer_of(const std::vector<Attribute>& attributes, std::string_view name) {
  for (const Attribute& attribute : attributes)
    if (attribute.name == name)
      if (const auto* number = std::get_if<std::int64_t>(&attribute.value)) return *number;
  return std::nullopt;
}

std::vector<std::byte> pack(const DatasetContents& contents) {
  return ContentsPacker().take(contents);
}
DatasetContents unpack_contents(std::span<const std::byte> bytes) {
  return ContentsUnpacker(bytes).contents();
}

}  // namespace dfsweep
