// Faults seeded into the declarations of the repository: each result that is a gradient gets another dtype, or looks
// like another argument. None may pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "laws/laws.h"
#include "model/testing.h"

namespace opwright::laws {
namespace {

using model::DeclarationFile;
using model::Operator;

/// A place in a file, and what to write there.
struct Mutant {
  SourceRange where;
  std::string text;
};

/// Results that some declaration calls the gradient of an argument.
std::vector<std::pair<const Operator*, const model::Result*>> gradients(const model::Library& library) {
  std::vector<std::pair<const Operator*, const model::Result*>> found;
  std::set<std::string> called;
  for (const Operator& op : library.operators) {
    if (op.gradient && op.gradient->form == model::Gradient::Form::by) called.insert(op.gradient->op);
  }
  for (const Operator& op : library.operators) {
    for (const model::Result& result : op.results) {
      const bool is_held = std::any_of(op.gradient_of.begin(), op.gradient_of.end(),
                                       [&](const auto& entry) { return entry.first == result.name; });
      if (is_held || called.contains(op.name)) found.emplace_back(&op, &result);
    }
  }
  return found;
}

std::vector<Mutant> mutants(const Operator& op, const model::Result& result) {
  std::vector<Mutant> mutants;
  if (!result.like.empty()) {
    for (const model::Argument& argument : op.arguments) {
      if (argument.tensor && argument.name() != result.like)
        mutants.push_back({result.tensor.where, "like " + argument.name()});
    }
    return mutants;
  }
  for (const model::TypeSet& type : op.types) {
    if (type.name != result.tensor.dtype.name) mutants.push_back({result.tensor.dtype.where, type.name});
  }
  for (const char* dtype : {"float32", "bfloat16"}) mutants.push_back({result.tensor.dtype.where, dtype});
  return mutants;
}

/// All files, one of them mutated.
std::vector<DeclarationFile> mutated(std::vector<DeclarationFile> files, const Mutant& mutant) {
  for (DeclarationFile& file : files) {
    if (file.source->path() != mutant.where.file->path()) continue;
    const std::size_t begin = file.source->byte(mutant.where.begin);
    std::string text(file.source->text());
    text.replace(begin, file.source->byte(mutant.where.end) - begin, mutant.text);
    file.source = testing::source(text, file.source->path());
  }
  return files;
}

TEST(Mutation, NoWrongGradientPasses) {
  Diagnostics none;
  const auto files = testing::repository_declarations();
  const model::Library library = model::load(files, none);
  ASSERT_FALSE(none.has_errors());
  int count = 0;
  for (const auto& [op, result] : gradients(library)) {
    for (const Mutant& mutant : mutants(*op, *result)) {
      Diagnostics diagnostics;
      check(model::load(mutated(files, mutant), diagnostics), diagnostics);
      const bool caught =
          std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [](const Diagnostic& diagnostic) {
            return diagnostic.severity == Severity::error && (diagnostic.law == "L1" || diagnostic.law.empty());
          });
      EXPECT_TRUE(caught) << op->name << ": " << result->name << ": " << mutant.text << "\n"
                          << testing::printed(diagnostics);
      ++count;
    }
  }
  EXPECT_GE(count, 30);
}

}  // namespace
}  // namespace opwright::laws
