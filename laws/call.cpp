#include "laws/call.h"

#include <algorithm>

namespace opwright::laws {
namespace {

using model::Dim;
using model::Extent;
using model::Known;
using model::Operator;
using model::Polynomial;
using model::Shape;
using model::TensorValue;
using model::Value;

/// Gives a dim its value where the pattern names it and nothing gave it one before.
void learn(const Operator& callee, const Dim& dim, const Value& value, Known& known) {
  if (dim.size.expr->kind != ExprKind::name) return;
  const model::NamedDim* named = callee.dim(dim.size.expr->text);
  if (named != nullptr && !named->formula) known.try_emplace(named->name, value);
}

void match(const Operator& callee, const std::vector<Dim>& dims, const Shape& shape, Known& known) {
  const auto pack = std::find_if(dims.begin(), dims.end(), [](const Dim& dim) { return dim.what == Dim::What::pack; });
  const auto front = static_cast<std::size_t>(pack - dims.begin());
  const std::size_t back = pack == dims.end() ? 0 : dims.size() - front - 1;
  for (std::size_t i = 0; i < front; ++i) {
    if (i < shape.size() && shape[i].pack.empty()) learn(callee, dims[i], shape[i].size, known);
    if (i == shape.size() && dims[i].optional) learn(callee, dims[i], Polynomial(1), known);
  }
  if (pack == dims.end() || shape.size() < front + back) return;
  learn(callee, *pack,
        Shape(shape.begin() + static_cast<std::ptrdiff_t>(front), shape.end() - static_cast<std::ptrdiff_t>(back)),
        known);
  for (std::size_t i = 0; i < back; ++i) {
    const Extent& extent = shape[shape.size() - back + i];
    if (extent.pack.empty()) learn(callee, dims[front + 1 + i], extent.size, known);
  }
}

}  // namespace

std::variant<model::Undefined, Call> call(const Operator& callee, const std::vector<Value>& arguments) {
  Call call{.which = model::cases_of(callee).front(), .known = {}, .values = {}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const model::Argument& argument = callee.arguments[i];
    const Value& value = arguments[i];
    if (const auto* undefined = std::get_if<model::Undefined>(&value)) return *undefined;
    if (const auto* tensor = std::get_if<TensorValue>(&value)) {
      if (argument.optional_tensor) call.which[argument.name()] = tensor->present;
    } else if (const auto* truth = std::get_if<model::Truth>(&value)) {
      if (!truth->known) return model::Undefined{"`" + argument.name() + "` is not decided", argument.schema.where};
      call.which[argument.name()] = *truth->known;
    } else if (!std::holds_alternative<model::Opaque>(value)) {
      call.known[argument.name()] = value;
    }
  }
  for (const bool optional : {false, true}) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const model::Argument& argument = callee.arguments[i];
      const auto* tensor = std::get_if<TensorValue>(&arguments[i]);
      if (tensor == nullptr || !tensor->present || !argument.tensor || argument.optional_tensor != optional) continue;
      match(callee, argument.tensor->dims, tensor->shape, call.known);
      if (argument.tensor->dtype.from == model::DtypeRule::From::type_set)
        call.known.try_emplace(argument.tensor->dtype.name, tensor->dtype);
    }
  }
  // What nothing gave a value must not be mistaken for the caller's dim of the same name.
  for (const model::NamedDim& dim : callee.dims) {
    const Value unknown =
        dim.pack ? Value(Shape{{0, to_string(Polynomial::anything()), false}}) : Value(Polynomial::anything());
    call.known.try_emplace(dim.name, unknown);
  }
  call.values = model::values_in(callee, call.which, call.known);
  return call;
}

std::variant<model::Undefined, TensorValue> expected(const model::Argument& argument, const Call& call,
                                                     const TensorValue& passed) {
  const Value& value = call.values.find(argument.name())->second;
  if (const auto* undefined = std::get_if<model::Undefined>(&value)) return *undefined;
  TensorValue tensor = std::get<TensorValue>(value);
  const auto& dims = argument.tensor->dims;
  if (dims.empty() || !dims.back().optional || tensor.shape.empty()) return tensor;
  if (passed.shape.size() + 1 == tensor.shape.size()) {
    tensor.shape.pop_back();
  } else if (passed.shape.size() == tensor.shape.size()) {
    tensor.shape.back().optional = passed.shape.back().optional;
  }
  return tensor;
}

}  // namespace opwright::laws
