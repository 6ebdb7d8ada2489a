#include <algorithm>
#include <array>

#include "decl/upstream/entry_reader.h"
#include "decl/upstream/file.h"

namespace opwright::upstream {
namespace {

/// Keys whose value says for which versions something exists.
const std::vector<std::string>& version_keys() {
  static const std::vector<std::string> keys = {"acl_op", "op_api", "sparse", "dvm", "internal_format_opapi",
                                                "exposed"};
  return keys;
}

const std::vector<std::string>& entry_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all = version_keys();
    for (const char* key : {"func", "gen_opapi", "device_check", "tags", "dispatch", "structured",
                            "structured_delegate", "use_const_ref_for_mutable_tensors", "impl_name",
                            // of files before versions stood behind the names of back ends
                            "impl_ns", "version", "kernel"}) {
      all.emplace_back(key);
    }
    return all;
  }();
  return keys;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class FunctionsReader {
 public:
  explicit FunctionsReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  FunctionsFile read(const Node& root) {
    file_.versions = read_version_names(root);
    for (const Member& section : root.members) {
      // What older files send to the CPU or reject: lists of names, without schemas.
      const bool only_names = section.key.text == "tocpu" || section.key.text == "unsupported";
      if (section.key.text == "all_version" || only_names) continue;
      if (!section.value.is_sequence()) {
        if (!section.value.is_null()) diagnostics_.error(section.value.where, "expected a list of operators");
        continue;
      }
      for (const Node& entry : section.value.items) read_operator(section.key.text, entry);
    }
    return std::move(file_);
  }

 private:
  void read_operator(const std::string& section, const Node& entry) {
    const Node* function = entry.find("func");
    if (!function) {
      diagnostics_.error(entry.where, "expected an operator with `func:`");
      return;
    }
    std::optional<Schema> schema = parse_schema(*function, true, diagnostics_);
    if (!schema) return;
    Operator op;
    op.schema = std::move(*schema);
    op.section = section;
    op.where = function->where;
    for (const Member& member : entry.members) read_member(op, member);
    file_.operators.push_back(std::move(op));
  }

  void read_member(Operator& op, const Member& member) {
    const std::string& key = member.key.text;
    if (contains(version_keys(), key)) {
      check_versions(member.value, file_.versions, diagnostics_);
    } else if (key == "gen_opapi") {
      op.generated = read_generated(member);
    } else if (key == "structured_delegate") {
      op.delegate = Word{member.value.text, member.value.where};
    } else if (key == "structured") {
      op.structured = true;
    } else if (!contains(entry_keys(), key)) {
      report_unknown_key(member.key, entry_keys(), diagnostics_);
    }
  }

  Generated read_generated(const Member& member) {
    Generated generated;
    generated.where = member.key.where;
    for (const Member& part : member.value.members) {
      const std::string& key = part.key.text;
      if (key == "exec") {
        generated.exec = read_exec(part.value);
      } else if (key == "new_params") {
        for (const Member& parameter : part.value.members) {
          generated.new_parameters.push_back(
              {parameter.key.text, parameter.key.where, read_expression(parameter.value, diagnostics_)});
        }
      } else if (key == "structured_inherit") {
        generated.inherits = Word{part.value.text, part.value.where};
      } else if (key != "cpu_scalar_h2d" && key != "cpu_scalar_op" && key != "integral_identity_tensor") {
        read_result(generated, part);
      }
    }
    return generated;
  }

  void read_result(Generated& generated, const Member& part) {
    ResultRule result;
    result.name = part.key.text;
    result.where = part.key.where;
    if (!part.value.is_mapping() && !part.value.is_null()) {
      diagnostics_.error(part.value.where, "expected `size:` and `dtype:` of the result `" + result.name + "`");
      return;
    }
    static const std::vector<std::string> keys = {"size", "dtype", "name"};
    for (const Member& rule : part.value.members) {
      if (rule.key.text == "size") {
        result.size = read_expression(rule.value, diagnostics_);
      } else if (rule.key.text == "dtype") {
        result.dtype = read_expression(rule.value, diagnostics_);
      } else if (rule.key.text != "name") {
        report_unknown_key(rule.key, keys, diagnostics_);
      }
    }
    generated.results.push_back(std::move(result));
  }

  Exec read_exec(const Node& value) {
    std::vector<Word> words = read_words(value);
    Exec exec{words.front(), std::nullopt};
    if (words.size() > 1) exec.arguments.emplace(words.begin() + 1, words.end());
    return exec;
  }

  Diagnostics& diagnostics_;
  FunctionsFile file_;
};

}  // namespace

const NewParameter* Generated::new_parameter(std::string_view name) const {
  for (const NewParameter& parameter : new_parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

std::string Operator::name() const {
  return schema.overload.empty() ? schema.name : schema.name + "." + schema.overload;
}

bool Operator::is_functional() const {
  return std::none_of(schema.arguments.begin(), schema.arguments.end(), [](const SchemaArgument& argument) {
    return argument.type.alias.find('!') != std::string::npos;
  });
}

const Operator* FunctionsFile::find(std::string_view name_with_overload) const {
  const Operator* found = nullptr;
  for (const Operator& op : operators) {
    if (op.name() == name_with_overload && (!found || (op.generated && !found->generated))) found = &op;
  }
  return found;
}

const Operator* FunctionsFile::find_called(std::string_view name) const {
  const Operator* found = nullptr;
  for (const Operator& op : operators) {
    if (op.schema.name != name || !op.is_functional()) continue;
    if (!found || (op.generated && !found->generated)) found = &op;
  }
  return found;
}

FunctionsFile read_functions(const SourceFilePtr& file, Diagnostics& diagnostics) {
  const std::vector<Node> documents = parse_yaml(file, diagnostics);
  if (documents.empty() || !documents.front().is_mapping()) return {};
  return FunctionsReader(diagnostics).read(documents.front());
}

}  // namespace opwright::upstream
