/// The names of formats, in a table.
#include "models/operators/number_formats.hpp"

#include <array>

namespace dfsweep::operators {

namespace {

struct NamedFormat {
  std::string_view name;
  TableFormat format;
};

using enum MatrixFormat;
/// Blocks of 16 or 32 numbers of 4 bits share a scale of one byte.
constexpr std::array named_formats{
    NamedFormat{"bfloat16", {bits16, 2.0, 2.0, 0.0}},
    NamedFormat{"float16", {bits16, 2.0, 2.0, 0.0}},
    NamedFormat{"half", {bits16, 2.0, 2.0, 0.0}},
    NamedFormat{"fp8", {bits8, 1.0, 1.0, 1.0}},
    NamedFormat{"fp8_block", {bits8, 1.0, 1.0, 1.0}},
    NamedFormat{"int8", {bits8, 1.0, 1.0, 1.0}},
    NamedFormat{"sq", {bits8, 1.0, 1.0, 1.0}},
    NamedFormat{"nvfp4", {bits4, 0.5625, 0.5625, 1.0}},
    NamedFormat{"int8_wo", {bits16, 2.0, 1.0, 0.0}},
    NamedFormat{"int4_wo", {bits16, 2.0, 0.5, 0.0}},
    NamedFormat{"w4a16_mxfp4", {bits16, 2.0, 0.53125, 0.0}},
    NamedFormat{"w4a8_mxfp4_mxfp8", {bits8, 1.03125, 0.53125, 1.0}},
};

}  // namespace

std::optional<TableFormat> table_format(std::string_view name) {
  for (const NamedFormat& one : named_formats)
    if (one.name == name) return one.format;
  return std::nullopt;
}

}  // namespace dfsweep::operators
