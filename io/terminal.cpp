/// Terminal detection and layout of text.
#include "io/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/core.h>

#include "io/utf8.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t assumed_width = 80;
constexpr std::size_t narrowest = 20;
constexpr std::size_t column_gap = 2;

bool is_set(const Environment& environment, std::string_view name) {
  const auto value = environment(name);
  return value.has_value() && !value->empty();
}

bool forces(const Environment& environment, std::string_view name) {
  return is_set(environment, name) && *environment(name) != "0";
}

bool shows_colour(StreamKind kind, ColourChoice choice, const Environment& environment) {
  if (choice != ColourChoice::automatic) return choice == ColourChoice::always;
  if (is_set(environment, "NO_COLOR")) return false;
  if (forces(environment, "CLICOLOR_FORCE") || forces(environment, "FORCE_COLOR")) return true;
  return kind == StreamKind::terminal && environment("TERM").value_or("dumb") != "dumb" &&
         environment("CLICOLOR").value_or("1") != "0";
}

std::size_t width_of(std::size_t columns, const Environment& environment) {
  std::size_t stated = 0;
  if (const auto text = environment("COLUMNS")) std::from_chars(text->data(), text->data() + text->size(), stated);
  const std::size_t width = columns != 0 ? columns : stated != 0 ? stated : assumed_width;
  return std::max(width, narrowest);
}

std::size_t natural_width(const TextColumn& column) {
  std::size_t width = std::max(shown_width(column.heading), shown_width(column.unit));
  for (const std::string& cell : column.cells) width = std::max(width, shown_width(cell));
  return width;
}

void append_cell(std::string& line, std::string_view text, std::size_t width, Align align) {
  const std::string padding(width - std::min(width, shown_width(text)), ' ');
  line += align == Align::right ? padding + std::string(text) : std::string(text) + padding;
}

struct SizedColumn {
  const TextColumn* column = nullptr;
  std::size_t width = 0;
};

struct Fitting {
  std::vector<SizedColumn> shown;
  std::vector<std::string> left_out;
};

std::size_t total_width(const std::vector<SizedColumn>& columns, std::size_t indent) {
  std::size_t total = indent + column_gap * (columns.size() - 1);
  for (const SizedColumn& sized : columns) total += sized.width;
  return total;
}

/// Removes up to `excess` characters of width from the widest shrinkable columns.
void narrow(std::vector<SizedColumn>& columns, std::size_t excess) {
  for (; excess > 0; --excess) {
    SizedColumn* widest = nullptr;
    for (SizedColumn& sized : columns) {
      const bool may_shrink = sized.column->narrowest != 0 && sized.width > sized.column->narrowest;
      if (may_shrink && (widest == nullptr || sized.width > widest->width)) widest = &sized;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

Fitting fit(const std::vector<TextColumn>& columns, const Terminal& terminal, std::size_t indent) {
  Fitting fitting;
  for (const TextColumn& column : columns) fitting.shown.push_back({&column, natural_width(column)});
  const auto excess = [&] {
    const std::size_t total = total_width(fitting.shown, indent);
    return terminal.width == 0 || total <= terminal.width ? 0 : total - terminal.width;
  };
  narrow(fitting.shown, excess());
  while (excess() > 0 && fitting.shown.size() > 1) {
    auto lightest = fitting.shown.begin();
    for (auto other = fitting.shown.begin(); other != fitting.shown.end(); ++other)
      if (other->column->weight <= lightest->column->weight) lightest = other;
    fitting.left_out.insert(fitting.left_out.begin(), lightest->column->heading);
    fitting.shown.erase(lightest);
  }
  return fitting;
}

/// One row of cells, in as many lines as its tallest cell needs.
std::string row_text(const std::vector<SizedColumn>& columns, const std::vector<std::string_view>& cells,
                     std::size_t indent) {
  std::vector<std::vector<std::string>> lines;
  std::size_t height = 1;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (shown_width(cells[c]) <= columns[c].width)
      lines.push_back({std::string(cells[c])});
    else
      lines.push_back(broken_into_lines(cells[c], columns[c].width));
    height = std::max(height, lines.back().size());
  }
  std::string text;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c != 0) line.append(column_gap, ' ');
      append_cell(line, l < lines[c].size() ? lines[c][l] : std::string(), columns[c].width, columns[c].column->align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += (l == 0 ? "" : "\n") + line;
  }
  return text;
}

/// Bytes of the first `width` columns of `text`.
std::size_t bytes_of_columns(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  for (std::size_t used = 0; used < width && bytes < text.size(); ++used)
    bytes += std::max<std::size_t>(utf8_length(text.substr(bytes)), 1);
  return bytes;
}

}  // namespace

Environment process_environment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

Terminal decide_terminal(StreamKind kind, std::size_t columns, ColourChoice choice, const Environment& environment) {
  const bool is_terminal = kind == StreamKind::terminal;
  return {.width = is_terminal ? width_of(columns, environment) : 0,
          .is_terminal = is_terminal,
          .colour = shows_colour(kind, choice, environment),
          .rewrites_lines = is_terminal && environment("TERM").value_or("dumb") != "dumb"};
}

Terminal terminal_of(int descriptor, ColourChoice choice) {
  winsize size{};
  const bool is_terminal = isatty(descriptor) == 1;
  const std::size_t columns = is_terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  return decide_terminal(is_terminal ? StreamKind::terminal : StreamKind::other, columns, choice,
                         process_environment());
}

std::string toned(const Terminal& terminal, Tone tone, std::string_view text) {
  if (!terminal.colour || tone == Tone::plain) return std::string(text);
  constexpr std::string_view codes[] = {"0", "1", "2", "32", "33", "31"};
  return "\x1b[" + std::string(codes[static_cast<std::size_t>(tone)]) + "m" + std::string(text) + "\x1b[0m";
}

namespace {

enum class LineFeed : std::uint8_t { escaped, kept };

/// The code point that these bytes of valid UTF-8 encode.
char32_t code_point(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes.front());
  char32_t code = bytes.size() == 1 ? first : first & (0x7FU >> bytes.size());
  for (const char c : bytes.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

/// Control characters, and those that are invisible or change the direction of the text around them. Source: Unicode
/// 15, general categories Cc, Cf, Zl and Zp, without marks that only shape letters.
bool steers_text(char32_t code) {
  struct CodePoints {
    char32_t first;
    char32_t last;
  };
  constexpr CodePoints ranges[] = {{0x00, 0x1F},     {0x7F, 0x9F},      {0x61C, 0x61C},   {0x180E, 0x180E},
                                   {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
                                   {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const CodePoints& range) { return code >= range.first && code <= range.last; });
}

std::string escaped(std::string_view text, LineFeed line_feed) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view next = text.substr(0, std::max<std::size_t>(length, 1));
    const bool is_kept_feed = next == "\n" && line_feed == LineFeed::kept;
    if (length != 0 && (is_kept_feed || !steers_text(code_point(next))))
      out += next;
    else
      for (const char c : next) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    text.remove_prefix(next.size());
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, LineFeed::escaped);
}
std::string printable_lines(std::string_view text) {
  return escaped(text, LineFeed::kept);
}

std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

RenderedTable render_table(const std::vector<TextColumn>& columns, const Terminal& terminal, std::size_t indent) {
  if (columns.empty()) return {};
  Fitting fitting = fit(columns, terminal, indent);
  const auto row = [&](auto cell_of) {
    std::vector<std::string_view> cells;
    for (const SizedColumn& sized : fitting.shown) cells.push_back(cell_of(*sized.column));
    return row_text(fitting.shown, cells, indent);
  };
  const auto has_unit = [](const SizedColumn& sized) { return !sized.column->unit.empty(); };
  RenderedTable table{.text = toned(terminal, Tone::bold,
                                    row([](const TextColumn& column) -> std::string_view { return column.heading; })) +
                              '\n',
                      .left_out = std::move(fitting.left_out)};
  if (std::any_of(fitting.shown.begin(), fitting.shown.end(), has_unit))
    table.text +=
        toned(terminal, Tone::faint, row([](const TextColumn& column) -> std::string_view { return column.unit; })) +
        '\n';
  for (std::size_t r = 0; r < columns.front().cells.size(); ++r)
    table.text += row([r](const TextColumn& column) -> std::string_view { return column.cells[r]; }) + '\n';
  return table;
}

std::string table_with_note(const std::vector<TextColumn>& columns, const Terminal& terminal, std::size_t indent) {
  const RenderedTable table = render_table(columns, terminal, indent);
  if (table.left_out.empty()) return table.text;
  std::string names;
  for (const std::string& heading : table.left_out) names += (names.empty() ? "" : ", ") + heading;
  std::string lines = wrapped("(not shown for lack of width: " + names + ")", terminal, indent);
  lines.pop_back();
  return table.text + std::string(indent, ' ') + toned(terminal, Tone::faint, lines) + '\n';
}

std::vector<std::string> broken_into_lines(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const bool fits = lines.back().empty() || shown_width(lines.back()) + 1 + shown_width(word) <= width;
    if (!fits) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    for (; shown_width(word) > width; lines.emplace_back()) {
      const std::size_t bytes = bytes_of_columns(word, width);
      lines.back() += word.substr(0, bytes);
      word.remove_prefix(bytes);
    }
    lines.back() += word;
  }
  return lines;
}

std::string wrapped(std::string_view text, const Terminal& terminal, std::size_t indent) {
  if (terminal.width <= indent) return std::string(text) + '\n';
  std::string out;
  for (const std::string& line : broken_into_lines(text, terminal.width - indent))
    out += (out.empty() ? "" : std::string(indent, ' ')) + line + '\n';
  return out;
}

}  // namespace dfsweep
