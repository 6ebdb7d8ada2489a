#include "decl/document.h"

#include <yaml.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "decl/utf8.h"

namespace opwright {
namespace {

constexpr int kDepthLimit = 64;  // libyaml has none, and takes quadratic time in the depth

/// libyaml counts code points from the start of the text, and lines by breaks that editors do not show (U+0085). We
/// keep its count of code points, and turn it into the places of our own line table.
class CodePointTable {
 public:
  explicit CodePointTable(const SourceFile& file) {
    std::size_t code_points = 0;
    for (int number = 1; number <= file.line_count(); ++number) {
      starts_.push_back(code_points);
      const std::size_t begin = file.byte({number, 1});
      const std::size_t end = number == file.line_count() ? file.text().size() : file.byte({number + 1, 1});
      code_points += utf8::length(file.text().substr(begin, end - begin));
    }
  }

  Position position(std::size_t code_point) const {
    const auto next_line = std::upper_bound(starts_.begin(), starts_.end(), code_point);
    return {static_cast<int>(next_line - starts_.begin()), static_cast<int>(code_point - *(next_line - 1)) + 1};
  }

 private:
  std::vector<std::size_t> starts_;  // code points in front of each line
};

/// libyaml's parser and its current event, freed whatever happens.
class EventStream {
 public:
  explicit EventStream(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  ~EventStream() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }

  /// Moves to the next event; false on bad syntax.
  bool next() {
    yaml_event_delete(&event_);
    event_ = {};
    return yaml_parser_parse(&parser_, &event_) != 0;
  }
  const yaml_event_t& event() const { return event_; }
  const yaml_parser_t& parser() const { return parser_; }

 private:
  yaml_parser_t parser_ = {};
  yaml_event_t event_ = {};
};

class DocumentReader {
 public:
  DocumentReader(const SourceFilePtr& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), table_(*file), events_(file->text()) {}

  std::vector<Node> read() {
    std::vector<Node> documents;
    while (advance() && events_.event().type != YAML_STREAM_END_EVENT) {
      if (events_.event().type == YAML_DOCUMENT_START_EVENT && advance()) documents.push_back(read_node(1));
    }
    return documents;
  }

 private:
  bool advance() {
    if (stopped_) return false;
    if (events_.next()) return true;
    stopped_ = true;
    report_syntax();
    return false;
  }

  /// Reads the node that the current event starts, and stops at its last event.
  Node read_node(int depth) {
    const yaml_event_t& event = events_.event();
    if (depth > kDepthLimit) {
      diagnostics_.error(range(event.start_mark, event.end_mark),
                         "nesting is limited to " + std::to_string(kDepthLimit) + " levels");
      stopped_ = true;
      return {};
    }
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        return read_scalar();
      case YAML_SEQUENCE_START_EVENT:
        return read_sequence(depth);
      case YAML_MAPPING_START_EVENT:
        return read_mapping(depth);
      default:
        return read_alias();
    }
  }

  Node read_scalar() {
    const yaml_event_t& event = events_.event();
    const auto& scalar = event.data.scalar;
    Node node;
    node.kind = NodeKind::scalar;
    node.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    node.quoted = scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node.where = range(event.start_mark, event.end_mark);
    const bool block = scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE;
    if (block) node.where.end = without_trailing_space(node.where);
    refuse_properties(scalar.anchor, scalar.tag, node.where);
    return node;
  }

  Node read_sequence(int depth) {
    Node node;
    node.kind = NodeKind::sequence;
    const yaml_event_t& start = events_.event();
    node.where = range(start.start_mark, start.end_mark);
    const bool flow = start.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    refuse_properties(start.data.sequence_start.anchor, start.data.sequence_start.tag, node.where);
    while (advance() && events_.event().type != YAML_SEQUENCE_END_EVENT) {
      node.items.push_back(read_node(depth + 1));
      node.where.end = std::max(node.where.end, node.items.back().where.end);
    }
    if (flow && !stopped_) node.where.end = position(events_.event().end_mark);
    return node;
  }

  Node read_mapping(int depth) {
    Node node;
    node.kind = NodeKind::mapping;
    const yaml_event_t& start = events_.event();
    node.where = range(start.start_mark, start.end_mark);
    const bool flow = start.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    refuse_properties(start.data.mapping_start.anchor, start.data.mapping_start.tag, node.where);
    std::unordered_map<std::string, SourceRange> first_places;
    while (advance() && events_.event().type != YAML_MAPPING_END_EVENT) {
      Member member;
      member.key = read_node(depth + 1);
      if (advance()) member.value = read_node(depth + 1);
      node.where.end = std::max(node.where.end, std::max(member.key.where.end, member.value.where.end));
      if (stopped_ && !member.value.where.file) break;
      if (accept_key(member.key, first_places)) node.members.push_back(std::move(member));
    }
    if (flow && !stopped_) node.where.end = position(events_.event().end_mark);
    return node;
  }

  bool accept_key(const Node& key, std::unordered_map<std::string, SourceRange>& first_places) {
    if (!key.is_scalar()) {
      diagnostics_.error(key.where, "a key must be plain text");
      return false;
    }
    const auto [place, is_new] = first_places.emplace(key.text, key.where);
    if (is_new) return true;
    Diagnostic& error = diagnostics_.error(key.where, "the key `" + key.text + "` is given twice");
    error.add_note(place->second, "first given here");
    return false;
  }

  /// One text, one meaning: declarations have no references within a file. An alias reads as an empty value.
  Node read_alias() {
    const yaml_event_t& event = events_.event();
    Node node;
    node.where = range(event.start_mark, event.end_mark);
    const std::string name = reinterpret_cast<const char*>(event.data.alias.anchor);
    diagnostics_.error(node.where, "`*" + name + "` is a YAML alias, and declarations have none").help =
        "write `'*" + name + "'` in quotes if it is text, or the value that it stands for";
    return node;
  }

  void refuse_properties(const unsigned char* anchor, const unsigned char* tag, const SourceRange& where) {
    if (anchor) {
      const std::string name = reinterpret_cast<const char*>(anchor);
      diagnostics_.error(first_character(where), "`&" + name + "` is a YAML anchor, and declarations have none");
    }
    if (tag) {
      const std::string name = reinterpret_cast<const char*>(tag);
      diagnostics_.error(first_character(where), "`" + name + "` is a YAML tag, and declarations have none");
    }
  }

  void report_syntax() {
    const yaml_parser_t& parser = events_.parser();
    const std::string problem = parser.problem ? parser.problem : "not enough memory";
    if (parser.error == YAML_READER_ERROR) {
      const Position begin = file_->position(parser.problem_offset);
      const bool control = problem == "control characters are not allowed";
      diagnostics_.error({file_, begin, {begin.line, begin.column + 1}},
                         control ? "control characters are not allowed in YAML" : "this is not UTF-8: " + problem);
      return;
    }
    const Position begin = position(parser.problem_mark);
    Diagnostic& error = diagnostics_.error({file_, begin, {begin.line, begin.column + 1}}, "bad YAML: " + problem);
    if (file_->text().substr(file_->byte(begin)).starts_with('\t')) error.help = "indent with blanks instead of tabs";
    if (!parser.context) return;
    const Position context = position(parser.context_mark);
    if (context == begin) return;
    error.add_note({file_, context, {context.line, context.column + 1}}, parser.context);
  }

  Position position(const yaml_mark_t& mark) const { return table_.position(mark.index); }
  SourceRange range(const yaml_mark_t& begin, const yaml_mark_t& end) const {
    return {file_, position(begin), position(end)};
  }
  static SourceRange first_character(SourceRange range) {
    range.end = {range.begin.line, range.begin.column + 1};
    return range;
  }
  /// A block scalar's event reaches into the lines behind it.
  Position without_trailing_space(const SourceRange& range) const {
    const std::size_t begin = file_->byte(range.begin);
    const std::string_view text = file_->text().substr(begin, file_->byte(range.end) - begin);
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? range.end : file_->position(begin + last + 1);
  }

  SourceFilePtr file_;
  Diagnostics& diagnostics_;
  CodePointTable table_;
  EventStream events_;
  bool stopped_ = false;  // after bad syntax: what is read so far is returned
};

}  // namespace

bool Node::is_null() const {
  return is_scalar() && !quoted && (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL");
}

const Node* Node::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key.text == key) return &member.value;
  }
  return nullptr;
}

std::vector<Node> parse_yaml(const SourceFilePtr& file, Diagnostics& diagnostics) {
  return DocumentReader(file, diagnostics).read();
}

}  // namespace opwright
