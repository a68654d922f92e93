/// Terminal manners: what to ask of the system, and laying out text.
#include "io/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

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

/// The columns that fit, in order; `left_out` takes the headings of the others.
std::vector<SizedColumn> fitting(const std::vector<TextColumn>& columns, const Terminal& terminal, std::size_t indent,
                                 std::vector<std::string>& left_out) {
  std::vector<SizedColumn> shown;
  std::size_t total = indent;
  for (const TextColumn& column : columns) {
    shown.push_back({&column, natural_width(column)});
    total += shown.back().width + (shown.size() == 1 ? 0 : column_gap);
  }
  while (terminal.width != 0 && total > terminal.width && shown.size() > 1) {
    auto lightest = shown.begin();
    for (auto other = shown.begin(); other != shown.end(); ++other)
      if (other->column->weight <= lightest->column->weight) lightest = other;
    total -= lightest->width + column_gap;
    left_out.insert(left_out.begin(), lightest->column->heading);
    shown.erase(lightest);
  }
  return shown;
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

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    const auto second = static_cast<unsigned char>(text.size() > 1 ? text[1] : '\0');
    const bool control = first < 0x20 || first == 0x7F || (first == 0xC2 && second < 0xA0);
    if (length == 0 || control)
      out += '?';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (shown_width(text) <= width) return std::string(text);
  std::string out;
  for (std::size_t used = 1; used < width; ++used) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out + "…";
}

RenderedTable render_table(const std::vector<TextColumn>& columns, const Terminal& terminal, std::size_t indent) {
  RenderedTable table;
  const std::vector<SizedColumn> shown = fitting(columns, terminal, indent, table.left_out);
  if (shown.empty()) return table;
  const auto compose = [&](auto text_of) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < shown.size(); ++c) {
      if (c != 0) line.append(column_gap, ' ');
      append_cell(line, text_of(*shown[c].column), shown[c].width, shown[c].column->align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  const auto heading = [](const TextColumn& column) -> std::string_view { return column.heading; };
  const auto unit = [](const TextColumn& column) -> std::string_view { return column.unit; };
  table.text += toned(terminal, Tone::bold, compose(heading)) + '\n';
  if (std::any_of(shown.begin(), shown.end(), [](const SizedColumn& sized) { return !sized.column->unit.empty(); }))
    table.text += toned(terminal, Tone::faint, compose(unit)) + '\n';
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row)
    table.text += compose([&](const TextColumn& column) -> std::string_view { return column.cells[row]; }) + '\n';
  return table;
}

std::string wrapped(std::string_view text, const Terminal& terminal, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    const std::size_t width = shown_width(word);
    if (used != 0 && terminal.width != 0 && used + 1 + width > terminal.width) {
      out.append(1, '\n').append(indent, ' ');
      used = indent;
    } else if (used != 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width;
  }
  return out + '\n';
}

}  // namespace dfsweep
