#include "decl/schema.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "decl/characters.h"

namespace opwright {
namespace {

/// The types without parameters that PyTorch's schemas know.
const std::vector<std::string>& base_types() {
  static const std::vector<std::string> names = {
      "Tensor",  "int",        "SymInt",  "float",       "bool",   "SymBool",      "str",
      "Scalar",  "ScalarType", "Device",  "DeviceIndex", "Layout", "MemoryFormat", "Generator",
      "Dimname", "DimVector",  "QScheme", "Storage",     "Stream", "complex",      "ConstQuantizerPtr"};
  return names;
}

class SchemaParser {
 public:
  SchemaParser(const Node& node, Diagnostics& diagnostics) : node_(node), text_(node.text), diagnostics_(diagnostics) {}

  std::optional<Schema> parse(bool named) {
    Schema schema;
    schema.where = node_.where;
    if (named && !parse_name(schema)) return std::nullopt;
    if (!named && !at('(')) {
      fail("a schema without a name begins with `(`, found " + found());
      return std::nullopt;
    }
    if (!parse_arguments(schema) || !parse_returns(schema)) return std::nullopt;
    skip_blanks();
    if (at_ < text_.size()) {
      fail("expected the end of the schema, found " + found());
      return std::nullopt;
    }
    return schema;
  }

 private:
  bool parse_name(Schema& schema) {
    std::size_t begin = at_;
    // Some tools write the library in front: `npu::npu_swiglu`.
    while (at_ < text_.size() && (is_word(text_[at_]) || text_.substr(at_).starts_with("::"))) {
      at_ += text_[at_] == ':' ? 2 : 1;
    }
    schema.name = text_.substr(begin, at_ - begin);
    if (schema.name.empty()) return fail("expected the operator's name, found " + found());
    if (!accept('.')) return true;
    begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    schema.overload = text_.substr(begin, at_ - begin);
    return !schema.overload.empty() || fail("expected the overload's name after `.`, found " + found());
  }

  bool parse_arguments(Schema& schema) {
    if (!expect('(', "in front of the arguments")) return false;
    bool keyword_only = false;
    if (accept(')')) return true;
    do {
      skip_blanks();
      if (at('*')) {
        if (keyword_only) return fail("`*` is given twice");
        ++at_;
        keyword_only = true;
        if (!at(',')) return fail("expected `,` and a keyword argument after `*`, found " + found());
        continue;
      }
      if (!parse_argument(schema, keyword_only)) return false;
    } while (accept(','));
    return expect(')', "behind the arguments");
  }

  bool parse_argument(Schema& schema, bool keyword_only) {
    SchemaArgument argument;
    argument.keyword_only = keyword_only;
    const std::size_t begin = at_;
    if (!parse_type(argument.type)) return false;
    skip_blanks();
    const std::size_t name_begin = at_;
    if (!parse_word(argument.name)) return fail("expected the argument's name, found " + found());
    if (const SchemaArgument* first = schema.find(argument.name)) {
      Diagnostic& error = diagnostics_.error(node_.part(name_begin, argument.name.size()),
                                             "the argument `" + argument.name + "` is given twice");
      error.add_note(first->where, "first given here");
      return false;
    }
    if (accept('=')) {
      argument.default_value.emplace();
      if (!parse_default(*argument.default_value)) return false;
    }
    argument.where = node_.part(begin, at_ - begin);
    schema.arguments.push_back(std::move(argument));
    return true;
  }

  bool parse_type(SchemaType& type) {
    skip_blanks();
    const std::size_t begin = at_;
    if (!parse_word(type.base)) return fail("expected a type, found " + found());
    const std::vector<std::string>& known = base_types();
    if (std::find(known.begin(), known.end(), type.base) == known.end()) {
      Diagnostic& error =
          diagnostics_.error(node_.part(begin, type.base.size()), "`" + type.base + "` is not a schema type");
      if (const auto meant = nearest_name(type.base, known)) error.help = "did you mean `" + *meant + "`?";
      return false;
    }
    if (at_ < text_.size() && text_[at_] == '(' && !parse_alias(type)) return false;
    if (take('?')) type.optional = true;
    if (take('[')) {
      type.optional_elements = std::exchange(type.optional, false);
      type.list = true;
      if (!at(']') && !parse_list_size(type)) return false;
      if (!expect(']', "behind the list's size")) return false;
      if (take('?')) type.optional = true;
      if (at_ < text_.size() && text_[at_] == '[') return fail("lists of lists are not supported");
    }
    return true;
  }

  /// `(a)`, `(a!)`, `(a|b)`, `(a -> *)`: which storage a tensor shares, and whether it is written.
  bool parse_alias(SchemaType& type) {
    const std::size_t begin = ++at_;
    if (!parse_alias_set()) return false;
    if (text_.substr(at_).starts_with(" -> ")) {
      at_ += 4;
      if (!parse_alias_set()) return false;
    }
    type.alias = text_.substr(begin, at_ - begin);
    return expect(')', "behind the alias set");
  }

  bool parse_alias_set() {
    std::string letter;
    do {
      if (!take('*') && !parse_word(letter)) {
        return fail("expected an alias set such as `a` or `a!`, found " + found());
      }
    } while (take('|'));
    take('!');
    return true;
  }

  bool parse_list_size(SchemaType& type) {
    skip_blanks();
    int size = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), size);
    if (error != std::errc() || size < 0) return fail("expected the list's size or `]`, found " + found());
    type.list_size = size;
    at_ += static_cast<std::size_t>(end - begin);
    return true;
  }

  /// Kept as written: a number, a word, a string in quotes, or a list of these.
  bool parse_default(std::string& value) {
    skip_blanks();
    const std::size_t begin = at_;
    if (!at_end() && (text_[at_] == '\'' || text_[at_] == '"')) {
      if (!skip_string()) return false;
    } else if (accept('[')) {
      while (!at(']')) {
        std::string item;
        if (!parse_default_item(item)) return false;
        if (!accept(',') && !at(']')) return fail("expected `,` or `]` in the default's list, found " + found());
      }
      accept(']');
    } else if (!parse_default_item(value)) {
      return false;
    }
    value = text_.substr(begin, at_ - begin);
    return true;
  }

  bool parse_default_item(std::string& item) {
    skip_blanks();
    const std::size_t begin = at_;
    while (!at_end() && (is_word(text_[at_]) || text_[at_] == '.' || text_[at_] == '-' || text_[at_] == '+')) ++at_;
    item = text_.substr(begin, at_ - begin);
    return !item.empty() || fail("expected a default value, found " + found());
  }

  bool skip_string() {
    const std::size_t begin = at_;
    const char quote = text_[at_++];
    while (!at_end() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    if (take(quote)) return true;
    at_ = begin;
    return fail("the string has no closing quote");
  }

  bool parse_returns(Schema& schema) {
    skip_blanks();
    if (!text_.substr(std::min(at_, text_.size())).starts_with("->")) {
      return fail("expected `->` and the results, found " + found());
    }
    at_ += 2;
    if (!accept('(')) return parse_return(schema, false);
    if (accept(')')) return true;
    do {
      if (!parse_return(schema, true)) return false;
    } while (accept(','));
    return expect(')', "behind the results");
  }

  bool parse_return(Schema& schema, bool may_be_named) {
    SchemaReturn result;
    skip_blanks();
    const std::size_t begin = at_;
    if (!parse_type(result.type)) return false;
    std::size_t end = at_;
    skip_blanks();
    if (may_be_named && parse_word(result.name)) end = at_;
    result.where = node_.part(begin, end - begin);
    schema.returns.push_back(std::move(result));
    return true;
  }

  bool parse_word(std::string& word) {
    const std::size_t begin = at_;
    if (at_end() || !is_letter(text_[at_])) return false;
    while (!at_end() && is_word(text_[at_])) ++at_;
    word = text_.substr(begin, at_ - begin);
    return true;
  }

  bool at_end() const { return at_ >= text_.size(); }
  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }
  bool at(char c) {
    skip_blanks();
    return !at_end() && text_[at_] == c;
  }
  /// Takes the character when it stands here, with no blank in front.
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool accept(char c) {
    skip_blanks();
    return take(c);
  }
  bool expect(char c, std::string_view where) {
    if (accept(c)) return true;
    return fail(std::string("expected `") + c + "` " + std::string(where) + ", found " + found());
  }

  /// What stands here, for messages: a word or a single character.
  std::string found() {
    skip_blanks();
    if (at_end()) return "the end";
    return "`" + std::string(text_.substr(at_, found_length())) + "`";
  }
  std::size_t found_length() const {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    if (end == at_ && !at_end()) {
      for (++end; end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0u) == 0x80u;) ++end;
    }
    return end - at_;
  }
  bool fail(std::string message) {
    diagnostics_.error(node_.part(std::min(at_, text_.size()), found_length()), std::move(message));
    return false;
  }

  const Node& node_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

std::string to_string(const SchemaArgument& argument) {
  std::string text = to_string(argument.type) + " " + argument.name;
  if (argument.default_value) text += "=" + *argument.default_value;
  return text;
}

std::string to_string(const SchemaReturn& result) {
  return to_string(result.type) + (result.name.empty() ? "" : " " + result.name);
}

}  // namespace

std::string to_string(const SchemaType& type) {
  std::string text = type.base;
  if (!type.alias.empty()) text += "(" + type.alias + ")";
  if (type.optional_elements) text += "?";
  if (type.list) text += "[" + (type.list_size ? std::to_string(*type.list_size) : "") + "]";
  if (type.optional) text += "?";
  return text;
}

const SchemaArgument* Schema::find(std::string_view argument) const {
  const auto found = std::find_if(arguments.begin(), arguments.end(),
                                  [&](const SchemaArgument& candidate) { return candidate.name == argument; });
  return found == arguments.end() ? nullptr : &*found;
}

std::optional<Schema> parse_schema(const Node& node, bool named, Diagnostics& diagnostics) {
  if (!node.is_scalar()) {
    diagnostics.error(node.where, "expected a schema such as `(Tensor x, int dim=-1) -> Tensor`");
    return std::nullopt;
  }
  return SchemaParser(node, diagnostics).parse(named);
}

std::string to_string(const Schema& schema) {
  std::string text = schema.name;
  if (!schema.overload.empty()) text += "." + schema.overload;
  text += "(";
  bool keyword_only = false;
  std::string_view separator;
  for (const SchemaArgument& argument : schema.arguments) {
    text += separator;
    separator = ", ";
    if (argument.keyword_only && !keyword_only) text += "*, ";
    keyword_only = argument.keyword_only;
    text += to_string(argument);
  }
  text += ") -> ";
  const bool bare = schema.returns.size() == 1 && schema.returns.front().name.empty();
  if (bare) return text + to_string(schema.returns.front());
  text += "(";
  separator = {};
  for (const SchemaReturn& result : schema.returns) {
    text += separator;
    separator = ", ";
    text += to_string(result);
  }
  return text + ")";
}

}  // namespace opwright
