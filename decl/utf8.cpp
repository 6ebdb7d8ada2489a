#include "decl/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace opwright::utf8 {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// How many bytes a sequence has that starts with `lead`; 0 when none does.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

/// Too long an encoding, half of a surrogate pair, or beyond Unicode.
bool is_forbidden(char32_t code_point, std::size_t bytes) {
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  return code_point < smallest[bytes] || (code_point >= 0xD800 && code_point < 0xE000) || code_point > 0x10FFFF;
}

}  // namespace

char32_t next(std::string_view text, std::size_t& offset) {
  const auto lead = static_cast<unsigned char>(text[offset]);
  const std::size_t bytes = sequence_length(lead);
  if (bytes == 1) {
    ++offset;
    return lead;
  }
  if (bytes == 0 || offset + bytes > text.size()) {
    ++offset;
    return kReplacement;
  }
  char32_t code_point = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[offset + i]);
    if ((byte & 0xC0u) != 0x80u) {
      ++offset;
      return kReplacement;
    }
    code_point = (code_point << 6) | (byte & 0x3Fu);
  }
  if (is_forbidden(code_point, bytes)) {
    ++offset;
    return kReplacement;
  }
  offset += bytes;
  return code_point;
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size(); ++count) next(text, offset);
  return count;
}

int cells(char32_t code_point) {
  constexpr std::array<std::pair<char32_t, char32_t>, 8> wide = {{{0x1100, 0x115F},
                                                                  {0x2E80, 0xA4CF},
                                                                  {0xAC00, 0xD7A3},
                                                                  {0xF900, 0xFAFF},
                                                                  {0xFE30, 0xFE6F},
                                                                  {0xFF00, 0xFF60},
                                                                  {0x1F300, 0x1FAFF},
                                                                  {0x20000, 0x3FFFD}}};
  return std::any_of(wide.begin(), wide.end(),
                     [&](const auto& range) { return range.first <= code_point && code_point <= range.second; })
             ? 2
             : 1;
}

}  // namespace opwright::utf8
