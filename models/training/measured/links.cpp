#include "models/training/measured/links.hpp"

#include "models/measured_row.hpp"

namespace dfsweep::training {

namespace {

/// One NVLink of generations 2 to 4 in one direction, B/s: data sheets of V100, A100 and H100 (6, 12 and 18 links).
constexpr double nvlink_bytes = 25e9;

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

/// The number that stands before the unit: 400 in "8 x 400 Gb/s".
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  const std::size_t found = text.find(unit);
  if (found == std::string_view::npos) return std::nullopt;
  std::size_t start = found;
  while (start > 0 && text[start - 1] == ' ') --start;
  while (start > 0 && (text[start - 1] == '.' || (text[start - 1] >= '0' && text[start - 1] <= '9'))) --start;
  return first_number(text.substr(start, found - start));
}

/// Sum of the links named by "8 x 400 Gb/s" or "900 GB/s".
std::optional<Bandwidth> sum_of_links(std::string_view text) {
  const double links = number_before(text, " x ").value_or(1.0);
  if (const auto bits = number_before(text, "Gb/s")) return Bandwidth{links * *bits * 1e9 / 8};
  if (const auto bytes = number_before(text, "GB/s")) return Bandwidth{links * *bytes * 1e9};
  return std::nullopt;
}

}  // namespace

std::optional<Bandwidth> inside_bandwidth(std::string_view link) {
  if (const auto links = number_before(link, " links stated")) return Bandwidth{*links * nvlink_bytes};
  if (has(link, "inter-chip")) return std::nullopt;  // pages of some TPUs count one way, of others both
  const auto sum = sum_of_links(link);
  if (!sum) return std::nullopt;
  return has(link, "bidirectional") ? *sum / 2 : *sum;
}

std::optional<Bandwidth> across_bandwidth(std::string_view link, double devices_per_node) {
  const auto sum = sum_of_links(link);
  if (!sum) return std::nullopt;
  return has(link, "per node") ? *sum / devices_per_node : *sum;
}

NodeLinks node_links(std::string_view link) {
  const bool joins_pairs = has(link, "NVLink2") || has(link, "all-to-all") || has(link, " links of ");
  return joins_pairs ? NodeLinks::direct : NodeLinks::switched;
}

double joined_devices(std::string_view link, double otherwise) {
  return number_before(link, "-device domain").value_or(otherwise);
}

}  // namespace dfsweep::training
