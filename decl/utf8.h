// Code points of UTF-8 text: what columns count.
#pragma once

#include <cstddef>
#include <string_view>

namespace opwright::utf8 {

/// The code point at `offset`, which moves behind it. A byte that is not UTF-8 counts as one U+FFFD, so that every text
/// has a reading. `offset` must be inside of `text`.
char32_t next(std::string_view text, std::size_t& offset);

/// How many code points `text` has.
std::size_t length(std::string_view text);

/// How many cells of a terminal a code point takes: 2 for East Asian wide ones, otherwise 1.
int cells(char32_t code_point);

}  // namespace opwright::utf8
