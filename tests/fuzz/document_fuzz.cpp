// YAML of any bytes: read or refused, every node inside its file, every part inside its node.
#include "tests/fuzz/fuzzing.h"

using namespace opwright;

namespace {

bool inside(const SourceRange& part, const SourceRange& whole) {
  return whole.begin <= part.begin && part.begin <= part.end && part.end <= whole.end;
}

void check(const Node& node, const SourceRange& whole) {
  if (!node.where.file) return;  // behind bad syntax
  fuzzing::require(inside(node.where, whole), "a node is inside of its parent's file");
  if (node.is_scalar()) {
    for (std::size_t at = 0; at < std::min<std::size_t>(node.text.size(), 64); ++at) {
      fuzzing::require(inside(node.part(at, 1), node.where), "a part is inside of its scalar");
    }
  }
  for (const Node& item : node.items) check(item, node.where);
  for (const Member& member : node.members) {
    check(member.key, node.where);
    check(member.value, node.where);
    fuzzing::require(node.find(member.key.text) == &member.value, "keys are found");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const SourceFilePtr file = fuzzing::source(fuzzing::text_of(data, size));
  Diagnostics diagnostics;
  const std::vector<Node> documents = parse_yaml(file, diagnostics);
  fuzzing::require_reported(true, diagnostics);
  const SourceRange whole = {file, {1, 1}, file->position(file->text().size())};
  for (const Node& document : documents) check(document, whole);
  return 0;
}
