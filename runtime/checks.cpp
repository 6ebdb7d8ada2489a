#include "runtime/checks.h"

namespace opwright::messages {
namespace {

std::string dimensions(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " dimension" : " dimensions");
}

/// "float32, float16 or float64"
std::string alternatives(std::span<const Dtype> dtypes) {
  std::string text;
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    if (i > 0) text += i + 1 < dtypes.size() ? ", " : " or ";
    text += name(dtypes[i]);
  }
  return text;
}

[[noreturn]] void fail(const char* op, const std::string& text) { throw Error(op + (": " + text)); }

}  // namespace

std::string dimension_of(std::int64_t dimension, const char* argument) {
  return "dimension " + std::to_string(dimension) + " of " + argument;
}

void absent(const char* op, const char* argument) { fail(op, std::string(argument) + " must be given, but is absent"); }

void rank(const char* op, const char* argument, const Pattern& pattern, std::size_t rank, const std::string& sizes) {
  std::string required;
  if (pattern.unbounded) {
    required = "at least " + dimensions(pattern.least);
  } else if (pattern.least < pattern.most) {
    required = std::to_string(pattern.least) + " or " + dimensions(pattern.most);
  } else {
    required = dimensions(pattern.most);
  }
  fail(op, argument + (" must have " + required) + " " + pattern.text + ", got " + dimensions(rank) + " " + sizes);
}

void dtype(const char* op, const char* argument, std::span<const Dtype> accepted, const std::string& got) {
  fail(op, argument + (" must be " + alternatives(accepted)) + ", got " + got);
}

void dtype_differs(const char* op, const char* argument, Dtype required, const std::string& as,
                   const std::string& got) {
  fail(op, argument + (" must be " + std::string(name(required))) + ", " + as + ", got " + got);
}

void size(const char* op, const char* argument, std::int64_t dimension, const char* expression,
          const std::string& required, const std::string& from, const std::string& got) {
  fail(op, dimension_of(dimension, argument) + " is " + expression + " = " + required +
               (from.empty() ? "" : " (" + from + ")") + ", got " + got);
}

void pack(const char* op, const char* argument, const char* expression, const std::string& required,
          const std::string& from, const std::string& got) {
  fail(op, "the dimensions " + std::string(expression) + " of " + argument + " are " + required +
               (from.empty() ? "" : " (as in " + from + ")") + ", got " + got);
}

void rule(const char* op, const char* rule, const char* condition, std::initializer_list<Named> values,
          const char* fix) {
  std::string text = "rule " + std::string(rule) + " (" + condition + ") does not hold";
  const char* separator = ": ";
  for (const Named& value : values) {
    text += separator + value.text();
    separator = ", ";
  }
  if (*fix) text += "; " + std::string(fix);
  fail(op, text);
}

void no_value(const char* op, const std::string& place, const char* reason) {
  fail(op, place + " has no value: " + reason);
}

void too_large(const char* op, const char* result, const std::string& sizes) {
  fail(op, result + (" would have the sizes " + sizes) + ", which no memory holds");
}

void negative(const char* op, const char* result, std::size_t dimension, const std::string& size) {
  fail(op, dimension_of(static_cast<std::int64_t>(dimension), result) + " would be " + size + ", which is negative");
}

}  // namespace opwright::messages
