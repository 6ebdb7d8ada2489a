// Where in the file a part of a scalar's value stands: the value is laid beside the text that it was read from.
#include <algorithm>

#include "decl/characters.h"
#include "decl/document.h"
#include "decl/utf8.h"

namespace opwright {
namespace {

/// How many characters of text an escape of a double-quoted scalar has, counting the backslash.
std::size_t escape_length(std::string_view raw, std::size_t at) {
  if (at + 1 >= raw.size()) return 1;
  switch (raw[at + 1]) {
    case 'x':
      return 4;
    case 'u':
      return 6;
    case 'U':
      return 10;
    default:
      return 2;
  }
}

/// Steps through a scalar's value and the text it was written as together.
class Alignment {
 public:
  Alignment(std::string_view value, std::string_view raw) : value_(value), raw_(raw) {
    if (raw.starts_with('\'') || raw.starts_with('"')) {
      quote_ = raw.front();
      at_ = 1;
    } else if (raw.starts_with('|') || raw.starts_with('>')) {
      at_ = std::min(raw.find('\n'), raw.size());
    }
  }

  /// Moves until `offset` bytes of the value are passed. False when value and text do not fit together.
  bool move_to(std::size_t offset) {
    while (passed_ < offset) {
      if (!step()) return false;
    }
    return true;
  }
  /// The next character's place in the raw text; white space that folding removed is skipped.
  std::size_t begin() {
    if (passed_ < value_.size() && !is_blank(value_[passed_])) skip_space();
    return at_;
  }
  std::size_t end() const { return at_; }

 private:
  void skip_space() {
    while (at_ < raw_.size() && (is_blank(raw_[at_]) || is_line_continuation())) ++at_;
  }
  bool is_line_continuation() const {
    return quote_ == '"' && raw_[at_] == '\\' && at_ + 1 < raw_.size() &&
           (raw_[at_ + 1] == '\n' || raw_[at_ + 1] == '\r');
  }

  bool step() {
    if (is_blank(value_[passed_])) return step_over_space();
    skip_space();
    if (at_ >= raw_.size()) return false;
    if (quote_ == '"' && raw_[at_] == '\\') {
      at_ = std::min(raw_.size(), at_ + escape_length(raw_, at_));
      utf8::next(value_, passed_);
      return true;
    }
    if (raw_[at_] != value_[passed_]) return false;
    if (quote_ == '\'' && raw_[at_] == '\'') ++at_;  // written twice
    ++at_;
    ++passed_;
    return true;
  }

  /// One blank or line break of the value: the same in the text, an escape, or any white space that was folded.
  bool step_over_space() {
    if (at_ < raw_.size() && quote_ == '"' && raw_[at_] == '\\' && !is_line_continuation()) {
      at_ = std::min(raw_.size(), at_ + escape_length(raw_, at_));
    } else if (at_ < raw_.size() && raw_[at_] == value_[passed_] && value_[passed_] != '\n') {
      ++at_;
    } else {
      skip_space();
    }
    ++passed_;
    return true;
  }

  std::string_view value_;
  std::string_view raw_;
  char quote_ = 0;
  std::size_t at_ = 0;
  std::size_t passed_ = 0;
};

}  // namespace

SourceRange Node::part(std::size_t offset, std::size_t length) const {
  if (!where.file || !is_scalar()) return where;
  offset = std::min(offset, text.size());
  length = std::min(length, text.size() - offset);
  const std::size_t start = where.file->byte(where.begin);
  const std::string_view raw = where.file->text().substr(start, where.file->byte(where.end) - start);
  Alignment alignment(text, raw);
  if (!alignment.move_to(offset)) return where;
  const std::size_t begin = alignment.begin();
  if (!alignment.move_to(offset + length)) return where;
  return {where.file, where.file->position(start + begin),
          where.file->position(start + std::max(begin, alignment.end()))};
}

}  // namespace opwright
