/// Numbers of the enumerations of the Parquet format. Source: [parquet]
#pragma once

#include <cstdint>

namespace dfsweep::parquet {

constexpr std::int32_t data_page = 0;
constexpr std::int32_t dictionary_page = 2;
constexpr std::int32_t plain_encoding = 0;
constexpr std::int32_t hybrid_encoding = 3;
constexpr std::int32_t difference_encoding = 5;
constexpr std::int32_t dictionary_encoding = 8;
constexpr std::int32_t split_encoding = 9;
constexpr std::int32_t optional_field = 1;
constexpr std::int32_t utf8_converted = 0;
constexpr std::int32_t uint64_converted = 14;
constexpr std::int32_t no_codec = 0;
constexpr std::int32_t zstd_codec = 6;

}  // namespace dfsweep::parquet
