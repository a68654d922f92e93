/// Registers of several numbers, and what one instruction does with them. Functions are chosen by the instructions that
/// a source is compiled for; all give the same bits.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <bit>
#include <cmath>
#include <cstddef>

namespace dfsweep {

// Functions of a few instructions, which compilers else call where a formula has many of them.
#define DFSWEEP_INLINE [[gnu::always_inline]] inline

namespace detail {

/// What one instruction works on: 2 numbers in every 64-bit processor, 4 with AVX2, 8 with AVX-512.
using NumberPair __attribute__((vector_size(16))) = double;
using NumberQuad __attribute__((vector_size(32))) = double;
using NumberOctet __attribute__((vector_size(64))) = double;
using MaskPair = decltype(NumberPair{} < NumberPair{});
using MaskQuad = decltype(NumberQuad{} < NumberQuad{});
using MaskOctet = decltype(NumberOctet{} < NumberOctet{});

/// A register of `Width` numbers, and one whose lanes have all bits set where a condition is fulfilled.
template <std::size_t Width>
struct Register;
template <>
struct Register<2> {
  using Numbers = NumberPair;
  using Mask = MaskPair;
};
template <>
struct Register<4> {
  using Numbers = NumberQuad;
  using Mask = MaskQuad;
};
template <>
struct Register<8> {
  using Numbers = NumberOctet;
  using Mask = MaskOctet;
};
template <class Numbers>
using MaskOfRegister = typename Register<sizeof(Numbers) / sizeof(double)>::Mask;

template <class Numbers>
DFSWEEP_INLINE MaskOfRegister<Numbers> less(Numbers x, Numbers y) {
  return x < y;
}
template <class Numbers>
DFSWEEP_INLINE MaskOfRegister<Numbers> less_or_equal(Numbers x, Numbers y) {
  return x <= y;
}
template <class Numbers>
DFSWEEP_INLINE MaskOfRegister<Numbers> equal(Numbers x, Numbers y) {
  return x == y;
}
template <class Numbers>
DFSWEEP_INLINE Numbers lesser_numbers(Numbers x, Numbers y) {
  return y < x ? y : x;
}
template <class Numbers>
DFSWEEP_INLINE Numbers greater_numbers(Numbers x, Numbers y) {
  return x < y ? y : x;
}
template <class Numbers>
DFSWEEP_INLINE Numbers root_numbers(Numbers x) {
  for (std::size_t i = 0; i < sizeof(Numbers) / sizeof(double); ++i) x[i] = std::sqrt(x[i]);
  return x;
}
template <class Mask>
DFSWEEP_INLINE bool any_of_register(Mask x) {
  long long some = 0;
  for (std::size_t i = 0; i < sizeof(Mask) / sizeof some; ++i) some |= x[i];
  return some != 0;
}
/// The bits of `a` or of `b`.
template <class Numbers>
DFSWEEP_INLINE Numbers chosen_numbers(MaskOfRegister<Numbers> condition, Numbers a, Numbers b) {
  using Mask = MaskOfRegister<Numbers>;
  return std::bit_cast<Numbers>((condition & std::bit_cast<Mask>(a)) | (~condition & std::bit_cast<Mask>(b)));
}

// By name, because GCC 12 breaks off where it has merged many comparisons of vectors.
#if defined(__SSE2__)
DFSWEEP_INLINE MaskPair less(NumberPair x, NumberPair y) {
  return std::bit_cast<MaskPair>(_mm_cmplt_pd(x, y));
}
DFSWEEP_INLINE MaskPair less_or_equal(NumberPair x, NumberPair y) {
  return std::bit_cast<MaskPair>(_mm_cmple_pd(x, y));
}
DFSWEEP_INLINE MaskPair equal(NumberPair x, NumberPair y) {
  return std::bit_cast<MaskPair>(_mm_cmpeq_pd(x, y));
}
DFSWEEP_INLINE NumberPair lesser_numbers(NumberPair x, NumberPair y) {
  return _mm_min_pd(y, x);  // y < x ? y : x
}
DFSWEEP_INLINE NumberPair greater_numbers(NumberPair x, NumberPair y) {
  return _mm_max_pd(y, x);  // y > x ? y : x
}
DFSWEEP_INLINE NumberPair root_numbers(NumberPair x) {
  return _mm_sqrt_pd(x);
}
#endif
#if defined(__AVX2__)
DFSWEEP_INLINE MaskQuad less(NumberQuad x, NumberQuad y) {
  return std::bit_cast<MaskQuad>(_mm256_cmp_pd(x, y, _CMP_LT_OQ));
}
DFSWEEP_INLINE MaskQuad less_or_equal(NumberQuad x, NumberQuad y) {
  return std::bit_cast<MaskQuad>(_mm256_cmp_pd(x, y, _CMP_LE_OQ));
}
DFSWEEP_INLINE MaskQuad equal(NumberQuad x, NumberQuad y) {
  return std::bit_cast<MaskQuad>(_mm256_cmp_pd(x, y, _CMP_EQ_OQ));
}
DFSWEEP_INLINE NumberQuad lesser_numbers(NumberQuad x, NumberQuad y) {
  return _mm256_min_pd(y, x);
}
DFSWEEP_INLINE NumberQuad greater_numbers(NumberQuad x, NumberQuad y) {
  return _mm256_max_pd(y, x);
}
DFSWEEP_INLINE NumberQuad root_numbers(NumberQuad x) {
  return _mm256_sqrt_pd(x);
}
DFSWEEP_INLINE NumberQuad chosen_numbers(MaskQuad condition, NumberQuad a, NumberQuad b) {
  return _mm256_blendv_pd(b, a, std::bit_cast<NumberQuad>(condition));
}
DFSWEEP_INLINE bool any_of_register(MaskQuad x) {
  return _mm256_testz_si256(std::bit_cast<__m256i>(x), std::bit_cast<__m256i>(x)) == 0;
}
#endif
#if defined(__AVX512F__) && defined(__AVX512DQ__)
DFSWEEP_INLINE MaskOctet less(NumberOctet x, NumberOctet y) {
  return std::bit_cast<MaskOctet>(_mm512_movm_epi64(_mm512_cmp_pd_mask(x, y, _CMP_LT_OQ)));
}
DFSWEEP_INLINE MaskOctet less_or_equal(NumberOctet x, NumberOctet y) {
  return std::bit_cast<MaskOctet>(_mm512_movm_epi64(_mm512_cmp_pd_mask(x, y, _CMP_LE_OQ)));
}
DFSWEEP_INLINE MaskOctet equal(NumberOctet x, NumberOctet y) {
  return std::bit_cast<MaskOctet>(_mm512_movm_epi64(_mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ)));
}
DFSWEEP_INLINE NumberOctet lesser_numbers(NumberOctet x, NumberOctet y) {
  return _mm512_min_pd(y, x);
}
DFSWEEP_INLINE NumberOctet greater_numbers(NumberOctet x, NumberOctet y) {
  return _mm512_max_pd(y, x);
}
DFSWEEP_INLINE NumberOctet root_numbers(NumberOctet x) {
  return _mm512_sqrt_pd(x);
}
DFSWEEP_INLINE NumberOctet chosen_numbers(MaskOctet condition, NumberOctet a, NumberOctet b) {
  return _mm512_mask_blend_pd(_mm512_movepi64_mask(std::bit_cast<__m512i>(condition)), b, a);
}
DFSWEEP_INLINE bool any_of_register(MaskOctet x) {
  return _mm512_movepi64_mask(std::bit_cast<__m512i>(x)) != 0;
}
#endif

template <class Numbers>
DFSWEEP_INLINE Numbers magnitudes(Numbers x) {
  constexpr long long all_but_sign = 0x7FFFFFFFFFFFFFFF;
  return std::bit_cast<Numbers>(std::bit_cast<MaskOfRegister<Numbers>>(x) & all_but_sign);
}

}  // namespace detail

}  // namespace dfsweep
