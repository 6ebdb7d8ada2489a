#include <algorithm>
#include <array>
#include <utility>

#include "decl/upstream/snippet.h"
#include "decl/upstream/snippet_precedence.h"
#include "decl/upstream/snippet_token.h"

namespace opwright::upstream {
namespace {

constexpr int kDepthLimit = 64;

Precedence tighter(Precedence precedence) { return static_cast<Precedence>(static_cast<int>(precedence) + 1); }

/// `<` behind these names opens template arguments; behind any other it compares.
bool is_template(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {"static_cast", "const_cast", "get",      "SmallVector", "ArrayRef",
                                                     "vector",      "array",      "optional", "tuple"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `(` behind these opens a cast when `)` or `*` follows.
bool is_builtin_type(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {"int64_t", "int32_t", "uint64_t", "int", "long",
                                                     "float",   "double",  "bool",     "char"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

class SnippetParser {
 public:
  SnippetParser(const Node& node, Diagnostics& diagnostics)
      : node_(node), diagnostics_(diagnostics), tokens_(tokenize_snippet(node, diagnostics)) {}

  SnippetPtr parse_whole() {
    if (tokens_.empty()) return nullptr;
    SnippetPtr snippet = parse(Precedence::conditional);
    if (snippet && peek().kind != SnippetTokenKind::end) return fail("expected an operator or the end");
    return snippet;
  }

 private:
  SnippetPtr parse(Precedence loosest) {
    const int depth_before = depth_;
    SnippetPtr snippet = descend() ? parse_operators(loosest) : nullptr;
    depth_ = depth_before;
    return snippet;
  }

  SnippetPtr parse_operators(Precedence loosest) {
    const std::size_t begin = peek().offset;
    SnippetPtr left = parse_prefix();
    while (left) {
      const Precedence own = peek().kind == SnippetTokenKind::sign ? precedence_of(peek().text) : Precedence::sequence;
      if (own == Precedence::sequence || own < loosest) break;
      if (!descend()) return nullptr;
      const std::string sign(take().text);
      SnippetPtr right = parse(tighter(own));
      if (!right) return nullptr;
      left = make(SnippetKind::binary, sign, {std::move(left), std::move(right)}, begin);
    }
    if (!left || loosest > Precedence::conditional || !accept("?")) return left;
    SnippetPtr then = parse(Precedence::conditional);
    if (!then || !expect(":")) return nullptr;
    SnippetPtr otherwise = parse(Precedence::conditional);
    if (!otherwise) return nullptr;
    return make(SnippetKind::conditional, {}, {std::move(left), std::move(then), std::move(otherwise)}, begin);
  }

  SnippetPtr parse_prefix() {
    const std::size_t begin = peek().offset;
    if (peek().is("!") || peek().is("-")) {
      const std::string sign(take().text);
      SnippetPtr operand = parse(Precedence::prefix);
      return operand ? make(SnippetKind::unary, sign, {std::move(operand)}, begin) : nullptr;
    }
    if (at_cast()) return parse_cast();
    SnippetPtr snippet = parse_primary();
    while (snippet && (peek().is(".") || peek().is("->") || peek().is("(") || peek().is("[") || peek().is("{"))) {
      if (!descend()) return nullptr;
      snippet = parse_postfix(std::move(snippet), begin);
    }
    return snippet;
  }

  bool at_cast() const {
    return peek().is("(") && is_builtin_type(ahead(1).text) && (ahead(2).is(")") || ahead(2).is("*"));
  }

  SnippetPtr parse_cast() {
    const std::size_t begin = take().offset;
    std::string type(take().text);
    if (peek().is("*")) type += " ";
    while (accept("*")) type += "*";
    if (!expect(")")) return nullptr;
    SnippetPtr operand = parse(Precedence::prefix);
    return operand ? make(SnippetKind::cast, type, {std::move(operand)}, begin) : nullptr;
  }

  SnippetPtr parse_primary() {
    const SnippetToken& token = peek();
    switch (token.kind) {
      case SnippetTokenKind::number:
        take();
        return make(SnippetKind::number, std::string(token.text), {}, token.offset);
      case SnippetTokenKind::string:
        take();
        return make(SnippetKind::string, std::string(token.text), {}, token.offset);
      case SnippetTokenKind::word:
        return parse_name();
      default:
        break;
    }
    if (token.is("::")) return parse_name();
    if (accept("{")) {
      std::vector<SnippetPtr> items;
      if (!parse_items("}", items)) return nullptr;
      return make(SnippetKind::list, {}, std::move(items), token.offset);
    }
    if (accept("(")) return parse_parentheses(token.offset);
    return fail("expected an expression");
  }

  SnippetPtr parse_parentheses(std::size_t begin) {
    std::vector<SnippetPtr> items;
    if (peek().is(")")) return fail("expected an expression");
    if (!parse_items(")", items)) return nullptr;
    if (items.size() == 1) return items.front();
    return make(SnippetKind::sequence, {}, std::move(items), begin);
  }

  SnippetPtr parse_name() {
    const std::size_t begin = peek().offset;
    std::string name;
    if (accept("::")) name = "::";
    while (true) {
      if (peek().kind != SnippetTokenKind::word) return fail("expected a name");
      const std::string word(take().text);
      name += word;
      if (peek().is("<") && is_template(word) && !parse_template_arguments(name)) return nullptr;
      if (!accept("::")) break;
      name += "::";
    }
    return make(SnippetKind::name, std::move(name), {}, begin);
  }

  bool parse_template_arguments(std::string& name) {
    int open = 0;
    do {
      const SnippetToken& token = peek();
      const bool fits = token.kind == SnippetTokenKind::word || token.kind == SnippetTokenKind::number ||
                        token.is("::") || token.is("<") || token.is(">") || token.is(",") || token.is("*") ||
                        token.is("&");
      if (!fits) {
        fail("expected a template argument");
        return false;
      }
      open += token.is("<") ? 1 : token.is(">") ? -1 : 0;
      const bool words_touch = token.kind == SnippetTokenKind::word && tokens_[at_ - 1].kind == SnippetTokenKind::word;
      if (words_touch || token.is("*") || token.is("&")) name += " ";
      name += token.text;
      if (token.is(",")) name += " ";
      take();
    } while (open > 0);
    return true;
  }

  SnippetPtr parse_postfix(SnippetPtr base, std::size_t begin) {
    if (accept("(")) {
      std::vector<SnippetPtr> operands = {std::move(base)};
      if (!parse_items(")", operands)) return nullptr;
      return make(SnippetKind::call, {}, std::move(operands), begin);
    }
    if (accept("[")) {
      SnippetPtr index = parse(Precedence::conditional);
      if (!index || !expect("]")) return nullptr;
      return make(SnippetKind::index, {}, {std::move(base), std::move(index)}, begin);
    }
    if (peek().is("{")) {
      if (base->kind != SnippetKind::name) return fail("expected an operator or the end");
      take();
      std::vector<SnippetPtr> items;
      if (!parse_items("}", items)) return nullptr;
      return make(SnippetKind::construct, base->text, std::move(items), begin);
    }
    const SnippetKind kind = take().is(".") ? SnippetKind::member : SnippetKind::arrow;
    if (peek().kind != SnippetTokenKind::word) return fail("expected a member's name");
    return make(kind, std::string(take().text), {std::move(base)}, begin);
  }

  bool parse_items(std::string_view closing, std::vector<SnippetPtr>& items) {
    if (accept(closing)) return true;
    do {
      SnippetPtr item = parse(Precedence::conditional);
      if (!item) return false;
      items.push_back(std::move(item));
    } while (accept(","));
    return expect(closing);
  }

  const SnippetToken& ahead(std::size_t steps) const { return tokens_[std::min(at_ + steps, tokens_.size() - 1)]; }
  const SnippetToken& peek() const { return ahead(0); }
  const SnippetToken& take() {
    const SnippetToken& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool accept(std::string_view sign) {
    if (!peek().is(sign)) return false;
    take();
    return true;
  }
  bool expect(std::string_view sign) {
    if (accept(sign)) return true;
    fail("expected `" + std::string(sign) + "`");
    return false;
  }
  /// One level further down the tree; reports when that is too deep.
  bool descend() {
    if (++depth_ <= kDepthLimit) return true;
    diagnostics_.error(node_.part(peek().offset, peek().text.size()),
                       "an expression is limited to " + std::to_string(kDepthLimit) + " levels");
    return false;
  }
  SnippetPtr fail(const std::string& message) {
    const SnippetToken& token = peek();
    const std::string found = token.kind == SnippetTokenKind::end ? "the end" : "`" + std::string(token.text) + "`";
    diagnostics_.error(node_.part(token.offset, token.text.size()), message + ", found " + found);
    return nullptr;
  }
  SnippetPtr make(SnippetKind kind, std::string text, std::vector<SnippetPtr> operands, std::size_t begin) {
    const bool at_last = peek().kind == SnippetTokenKind::end;
    const SnippetToken& last = tokens_[at_last ? tokens_.size() - 2 : at_ - 1];
    return std::make_shared<const Snippet>(
        Snippet{kind, std::move(text), std::move(operands), node_.part(begin, last.offset + last.text.size() - begin)});
  }

  const Node& node_;
  Diagnostics& diagnostics_;
  std::vector<SnippetToken> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

SnippetPtr parse_snippet(const Node& node, Diagnostics& diagnostics) {
  if (!node.is_scalar()) {
    diagnostics.error(node.where, "expected an expression");
    return nullptr;
  }
  return SnippetParser(node, diagnostics).parse_whole();
}

std::string_view unqualified(std::string_view name) {
  const std::string_view head = name.substr(0, name.find('<'));
  const std::size_t qualifier = head.rfind("::");
  return qualifier == std::string_view::npos ? head : head.substr(qualifier + 2);
}

std::string called_function(const Snippet& snippet) {
  if (snippet.kind != SnippetKind::call || snippet.operands[0]->kind != SnippetKind::name) return {};
  return std::string(unqualified(snippet.operands[0]->text));
}

std::string called_member(const Snippet& snippet) {
  if (snippet.kind != SnippetKind::call) return {};
  const Snippet& called = *snippet.operands[0];
  return called.kind == SnippetKind::member || called.kind == SnippetKind::arrow ? called.text : std::string();
}

}  // namespace opwright::upstream
