#include "model/bridge.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "decl/document.h"

namespace opwright::model {
namespace {

struct KindName {
  std::string_view text;
  BridgeKind kind;
};

constexpr std::array kKindNames = {
    KindName{"Tensor", BridgeKind::tensor},
    KindName{"Tensor?", BridgeKind::optional_tensor},
    KindName{"Tensor*", BridgeKind::resized_tensor},
    KindName{"Tensor[]", BridgeKind::tensor_list},
    KindName{"Tensor?[]", BridgeKind::optional_tensor_list},
    KindName{"Scalar", BridgeKind::scalar},
    KindName{"Scalar?", BridgeKind::optional_scalar},
    KindName{"Scalar[]", BridgeKind::scalar_list},
    KindName{"int[]", BridgeKind::integers},
    KindName{"bool[]", BridgeKind::booleans},
    KindName{"int", BridgeKind::integer},
    KindName{"float", BridgeKind::floating},
    KindName{"float32", BridgeKind::floating32},
    KindName{"bool", BridgeKind::boolean},
    KindName{"dtype", BridgeKind::dtype},
    KindName{"int8", BridgeKind::int8},
    KindName{"str", BridgeKind::string},
};

constexpr std::string_view kSpace = " \t\n";

/// A piece of a line's text, and where in it the piece stands.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;

  Piece trimmed() const {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return {{}, offset};
    return {text.substr(begin, text.find_last_not_of(kSpace) - begin + 1), offset + begin};
  }
};

bool can_be_written(BridgeKind kind) {
  return kind == BridgeKind::tensor || kind == BridgeKind::tensor_list || kind == BridgeKind::resized_tensor;
}

std::vector<Piece> split(Piece piece, char separator) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(piece.text.find(separator, begin), piece.text.size());
    pieces.push_back(Piece{piece.text.substr(begin, end - begin), piece.offset + begin}.trimmed());
    if (end == piece.text.size()) return pieces;
    begin = end + 1;
  }
}

/// Reads one line of a bridge.
class LineReader {
 public:
  LineReader(const Member& line, Diagnostics& diagnostics) : line_(line), diagnostics_(diagnostics) {}

  /// The function of the line, and its in-place twin if it has one; nothing if there is an error in it.
  std::vector<BridgeFunction> read() {
    const Node& value = line_.value;
    const std::string_view text = value.text;
    const std::size_t close = text.find(')');
    const std::size_t equals = text.find('=', close == std::string_view::npos ? text.size() : close);
    if (!value.is_scalar() || !text.starts_with('(') || equals == std::string_view::npos ||
        text.substr(close + 1, equals - close - 1).find_first_not_of(kSpace) != std::string_view::npos) {
      diagnostics_.error(value.where, "a line of the bridge is `Name: (arguments) = call`").help =
          "for example `Abs: (Tensor self, Tensor! out) = abs(self)`";
      return {};
    }
    const int errors_before = diagnostics_.error_count();
    const std::vector<Piece> names = split({line_.key.text, 0}, ',');
    function_.name = names.front().text;
    function_.where = line_.key.where;
    for (const Piece& piece : split({text.substr(1, close - 1), 1}, ',')) read_argument(piece);
    read_call(Piece{text.substr(equals + 1), equals + 1}.trimmed());
    if (diagnostics_.error_count() > errors_before) return {};
    if (names.size() == 1) return {function_};
    if (names.size() > 2 || names.back().text != "Inplace" + function_.name || !has_twin()) {
      diagnostics_.error(function_.where, "a second name is that of the in-place twin").help =
          "`Name, InplaceName: (Tensor self, ..., Tensor! out) = call(self, ...)`";
      return {};
    }
    return {function_, in_place_twin()};
  }

 private:
  SourceRange range(Piece piece) const { return line_.value.part(piece.offset, piece.text.size()); }

  void read_argument(Piece piece) {
    const std::size_t space = piece.text.find_last_of(kSpace);
    if (space == std::string_view::npos) {
      diagnostics_.error(range(piece), "an argument is a kind and a name").help = "for example `Tensor self`";
      return;
    }
    BridgeArgument argument;
    argument.name = piece.text.substr(space + 1);
    argument.where = range(piece);
    Piece kind = Piece{piece.text.substr(0, space), piece.offset}.trimmed();
    if (kind.text.ends_with('!')) {
      argument.written = true;
      kind.text.remove_suffix(1);
    }
    const auto found = std::ranges::find(kKindNames, kind.text, &KindName::text);
    if (found == kKindNames.end()) return report_unknown_kind(kind);
    argument.kind = found->kind;
    argument.written |= argument.kind == BridgeKind::resized_tensor;
    if (argument.written && !can_be_written(argument.kind))
      diagnostics_.error(range(kind), "only tensors and lists of tensors can be written");
    if (std::ranges::count(function_.arguments, argument.name, &BridgeArgument::name))
      diagnostics_.error(argument.where, "`" + argument.name + "` is the name of another argument");
    function_.arguments.push_back(std::move(argument));
  }

  void report_unknown_kind(Piece kind) {
    std::vector<std::string> names;
    for (const KindName& known : kKindNames) names.emplace_back(known.text);
    Diagnostic& error = diagnostics_.error(range(kind), "`" + std::string(kind.text) + "` is no kind of argument");
    if (const auto near = nearest_name(kind.text, names)) error.help = "did you mean `" + *near + "`?";
  }

  void read_call(Piece piece) {
    Node node;
    node.text = piece.text;
    node.where = range(piece);
    function_.call = parse_expression(node, diagnostics_);
    if (!function_.call) return;
    if (function_.call->kind != ExprKind::call) {
      diagnostics_.error(function_.call->where, "an entry point is computed by a call");
      return;
    }
    mark_used(*function_.call);
    check_use();
  }

  /// Asking for the dtype of a written tensor is no use of it.
  void mark_used(const Expr& expr, bool within_dtype = false) {
    if (expr.kind == ExprKind::name) {
      const auto found = std::ranges::find(function_.arguments, expr.text, &BridgeArgument::name);
      if (found == function_.arguments.end())
        report_unknown_name(expr);
      else if (!within_dtype || !found->written)
        found->used = true;
    }
    const bool is_dtype = expr.kind == ExprKind::call && expr.text == "dtype";
    for (const ExprPtr& operand : expr.operands) mark_used(*operand, is_dtype);
  }

  void report_unknown_name(const Expr& expr) {
    std::vector<std::string> names;
    for (const BridgeArgument& argument : function_.arguments) names.push_back(argument.name);
    Diagnostic& error =
        diagnostics_.error(expr.where, "`" + expr.text + "` is no argument of `" + function_.name + "`");
    if (const auto near = nearest_name(expr.text, names)) error.help = "did you mean `" + *near + "`?";
  }

  /// Every written tensor is a result of the call or named in it; every other argument is named, or says that it is
  /// not.
  void check_use() {
    int written = 0;
    int written_by_call = 0;
    for (const BridgeArgument& argument : function_.arguments) {
      if (argument.written) {
        ++written;
        written_by_call += argument.used;
      } else if (argument.used == argument.name.starts_with('_')) {
        diagnostics_.error(argument.where, "`" + argument.name + "` is " + (argument.used ? "used" : "not used")).help =
            "the names of exactly those arguments that the call does not need begin with `_`";
      }
    }
    if (written == 0)
      diagnostics_.error(function_.where, "`" + function_.name + "` writes nothing").help = "mark a tensor with `!`";
    if (written_by_call != 0 && written_by_call != written)
      diagnostics_.error(function_.call->where, "the call names some of the written tensors, but not all");
    function_.stores_results = written_by_call == 0;
  }

  bool has_twin() const {
    const Expr& call = *function_.call;
    return function_.stores_results && function_.arguments.size() >= 2 && function_.arguments.back().written &&
           std::ranges::count_if(function_.arguments, &BridgeArgument::written) == 1 &&
           function_.arguments.front().kind == BridgeKind::tensor && !call.operands.empty() &&
           call.operands.front()->kind == ExprKind::name &&
           call.operands.front()->text == function_.arguments.front().name;
  }

  /// Writes its first argument by the method of ATen that does so.
  BridgeFunction in_place_twin() const {
    BridgeFunction twin = function_;
    twin.name = "Inplace" + function_.name;
    twin.arguments.pop_back();
    twin.arguments.front().written = true;
    twin.stores_results = false;
    Expr call = *function_.call;
    call.text += "_";
    twin.call = std::make_shared<const Expr>(std::move(call));
    return twin;
  }

  const Member& line_;
  Diagnostics& diagnostics_;
  BridgeFunction function_;
};

void report_second(const BridgeFunction& function, const SourceRange& first, Diagnostics& diagnostics) {
  Diagnostic note;
  note.severity = Severity::note;
  note.message = "here";
  note.where = first;
  diagnostics.error(function.where, "`" + function.name + "` stands in the bridge already").notes.push_back(note);
}

}  // namespace

std::vector<BridgeFunction> load_bridge(const std::vector<SourceFilePtr>& files, Diagnostics& diagnostics) {
  std::vector<BridgeFunction> functions;
  std::map<std::string, SourceRange> seen;
  for (const SourceFilePtr& file : files) {
    for (const Node& document : parse_yaml(file, diagnostics)) {
      if (!document.is_mapping()) {
        diagnostics.error(document.where, "a file of the bridge has one `Name: (arguments) = call` a line");
        continue;
      }
      for (const Member& line : document.members) {
        for (BridgeFunction& function : LineReader(line, diagnostics).read()) {
          const auto [first, is_new] = seen.try_emplace(function.name, function.where);
          if (is_new)
            functions.push_back(std::move(function));
          else
            report_second(function, first->second, diagnostics);
        }
      }
    }
  }
  return functions;
}

}  // namespace opwright::model
