// Mixing of 64-bit words: one multiplication, folded. Used for fingerprints, sequence checks,
// tables and seeds.
#pragma once

#include <cstdint>

namespace heddle {

// The constants are the fractional parts of sqrt(2) and sqrt(3): nothing up the sleeve.
inline constexpr uint64_t kMix1 = 0x6a09e667f3bcc909;
inline constexpr uint64_t kMix2 = 0xbb67ae8584caa73b;

__extension__ typedef unsigned __int128 uint128;

constexpr uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a ^ kMix1, y = b ^ kMix2;
#ifdef __x86_64__
  if (!__builtin_is_constant_evaluated()) {
    __asm__("mulq %%rdx" : "+a"(x), "+d"(y) : : "cc");
    return x ^ y;
  }
#endif
  uint128 product = static_cast<uint128>(x) * y;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t hash_text(const char* text) {
  uint64_t hash = kMix2;
  for (; *text != '\0'; ++text) hash = mix(hash, static_cast<unsigned char>(*text));
  return hash;
}

}  // namespace heddle
