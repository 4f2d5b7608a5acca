// std::string before C++20: most of its functions are in libstdc++, where no hook sees an access.
// Called from instrumented code they count as reads of the string, its characters included where
// they matter, or as a write to it. What is written is the string itself, not its characters:
// whoever uses the string, in whichever way, reads that first.
//
// The names are those of the library's own symbols. Left out are functions that only others of them
// call, and constructors that read nothing.
#include "runtime/hooks/library.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// As <bits/basic_string.h> has it, for ever: it is part of the ABI.
struct String {
  const char* data;
  size_t size;
  char local[16];
};
constexpr size_t kHeader = offsetof(String, local);

String* string(const Call& call, int number) { return call.pointer<String>(number); }

void reads_characters(const Call& call, int number) {
  if (!counts(call.pc)) return;
  reads(string(call, number), kHeader, call.pc);
  reads(string(call, number)->data, string(call, number)->size, call.pc);
}
void writes_string(const Call& call, int number) { writes(string(call, number), kHeader, call.pc); }
void reads_text(const Call& call, int number) {
  if (counts(call.pc)) reads(call.text(number), text_bytes(call.text(number)), call.pc);
}
void reads_counted(const Call& call, int number) {
  reads(call.text(number), call.arguments[number + 1], call.pc);
}

}  // namespace

HEDDLE_LOOK(heddle_string_read) { reads(string(call, 0), kHeader, call.pc); }
HEDDLE_LOOK(heddle_string_read_all) { reads_characters(call, 0); }
HEDDLE_LOOK(heddle_string_read_both) {
  reads_characters(call, 0);
  reads_characters(call, 1);
}
HEDDLE_LOOK(heddle_string_substr) { reads_characters(call, 1); }  // the result is argument 0
HEDDLE_LOOK(heddle_string_from_other) { reads_characters(call, 1); }
HEDDLE_LOOK(heddle_string_from_range) {
  reads(call.text(1), call.arguments[2] - call.arguments[1], call.pc);
}
HEDDLE_LOOK(heddle_string_write) { writes_string(call, 0); }
HEDDLE_LOOK(heddle_string_write_both) {
  writes_string(call, 0);
  writes_string(call, 1);
}
HEDDLE_LOOK(heddle_string_move_from) { writes_string(call, 1); }

// By the number of the argument that is the other string, or a text.
#define HEDDLE_STRING_LOOKS(number)                   \
  HEDDLE_LOOK(heddle_string_write_from_##number) {    \
    reads_characters(call, number);                   \
    writes_string(call, 0);                           \
  }                                                   \
  HEDDLE_LOOK(heddle_string_write_text_##number) {    \
    reads_text(call, number);                         \
    writes_string(call, 0);                           \
  }                                                   \
  HEDDLE_LOOK(heddle_string_write_counted_##number) { \
    reads_counted(call, number);                      \
    writes_string(call, 0);                           \
  }                                                   \
  HEDDLE_LOOK(heddle_string_read_text_##number) {     \
    reads_characters(call, 0);                        \
    reads_text(call, number);                         \
  }
HEDDLE_STRING_LOOKS(1)
HEDDLE_STRING_LOOKS(2)
HEDDLE_STRING_LOOKS(3)

#define HEDDLE_STRING(suffix, look) \
  HEDDLE_BEFORE(_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##suffix, look)
#define HEDDLE_CONST_STRING(suffix, look) \
  HEDDLE_BEFORE(_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##suffix, look)

// The string itself, but no characters.
HEDDLE_CONST_STRING(2atEm, heddle_string_read)
HEDDLE_CONST_STRING(3endEv, heddle_string_read)
HEDDLE_CONST_STRING(4backEv, heddle_string_read)
HEDDLE_CONST_STRING(4cendEv, heddle_string_read)
HEDDLE_CONST_STRING(4dataEv, heddle_string_read)
HEDDLE_CONST_STRING(4rendEv, heddle_string_read)
HEDDLE_CONST_STRING(4sizeEv, heddle_string_read)
HEDDLE_CONST_STRING(5beginEv, heddle_string_read)
HEDDLE_CONST_STRING(5c_strEv, heddle_string_read)
HEDDLE_CONST_STRING(5crendEv, heddle_string_read)
HEDDLE_CONST_STRING(5emptyEv, heddle_string_read)
HEDDLE_CONST_STRING(5frontEv, heddle_string_read)
HEDDLE_CONST_STRING(6cbeginEv, heddle_string_read)
HEDDLE_CONST_STRING(6lengthEv, heddle_string_read)
HEDDLE_CONST_STRING(6rbeginEv, heddle_string_read)
HEDDLE_CONST_STRING(7crbeginEv, heddle_string_read)
HEDDLE_CONST_STRING(8capacityEv, heddle_string_read)
HEDDLE_CONST_STRING(cvSt17basic_string_viewIcS2_EEv, heddle_string_read)
HEDDLE_CONST_STRING(ixEm, heddle_string_read)
HEDDLE_STRING(2atEm, heddle_string_read)
HEDDLE_STRING(3endEv, heddle_string_read)
HEDDLE_STRING(4backEv, heddle_string_read)
HEDDLE_STRING(4dataEv, heddle_string_read)
HEDDLE_STRING(4rendEv, heddle_string_read)
HEDDLE_STRING(5beginEv, heddle_string_read)
HEDDLE_STRING(5frontEv, heddle_string_read)
HEDDLE_STRING(6rbeginEv, heddle_string_read)
HEDDLE_STRING(ixEm, heddle_string_read)
HEDDLE_STRING(10_M_disposeEv, heddle_string_read)
HEDDLE_STRING(D1Ev, heddle_string_read)
HEDDLE_STRING(D2Ev, heddle_string_read)

// Its characters, too.
HEDDLE_CONST_STRING(12find_last_ofEPKcm, heddle_string_read_text_1)
HEDDLE_CONST_STRING(12find_last_ofEPKcmm, heddle_string_read_all)
HEDDLE_CONST_STRING(12find_last_ofERKS4_m, heddle_string_read_both)
HEDDLE_CONST_STRING(12find_last_ofEcm, heddle_string_read_all)
HEDDLE_CONST_STRING(13find_first_ofEPKcm, heddle_string_read_text_1)
HEDDLE_CONST_STRING(13find_first_ofEPKcmm, heddle_string_read_all)
HEDDLE_CONST_STRING(13find_first_ofERKS4_m, heddle_string_read_both)
HEDDLE_CONST_STRING(13find_first_ofEcm, heddle_string_read_all)
HEDDLE_CONST_STRING(16find_last_not_ofEPKcm, heddle_string_read_text_1)
HEDDLE_CONST_STRING(16find_last_not_ofEPKcmm, heddle_string_read_all)
HEDDLE_CONST_STRING(16find_last_not_ofERKS4_m, heddle_string_read_both)
HEDDLE_CONST_STRING(16find_last_not_ofEcm, heddle_string_read_all)
HEDDLE_CONST_STRING(17find_first_not_ofEPKcm, heddle_string_read_text_1)
HEDDLE_CONST_STRING(17find_first_not_ofEPKcmm, heddle_string_read_all)
HEDDLE_CONST_STRING(17find_first_not_ofERKS4_m, heddle_string_read_both)
HEDDLE_CONST_STRING(17find_first_not_ofEcm, heddle_string_read_all)
HEDDLE_CONST_STRING(4copyEPcmm, heddle_string_read_all)
HEDDLE_CONST_STRING(4findEPKcm, heddle_string_read_text_1)
HEDDLE_CONST_STRING(4findEPKcmm, heddle_string_read_all)
HEDDLE_CONST_STRING(4findERKS4_m, heddle_string_read_both)
HEDDLE_CONST_STRING(4findEcm, heddle_string_read_all)
HEDDLE_CONST_STRING(5rfindEPKcm, heddle_string_read_text_1)
HEDDLE_CONST_STRING(5rfindEPKcmm, heddle_string_read_all)
HEDDLE_CONST_STRING(5rfindERKS4_m, heddle_string_read_both)
HEDDLE_CONST_STRING(5rfindEcm, heddle_string_read_all)
HEDDLE_CONST_STRING(6substrEmm, heddle_string_substr)
HEDDLE_CONST_STRING(7compareEPKc, heddle_string_read_text_1)
HEDDLE_CONST_STRING(7compareERKS4_, heddle_string_read_both)
HEDDLE_CONST_STRING(7compareEmmPKc, heddle_string_read_text_3)
HEDDLE_CONST_STRING(7compareEmmPKcm, heddle_string_read_all)
HEDDLE_CONST_STRING(7compareEmmRKS4_, heddle_string_read_all)
HEDDLE_CONST_STRING(7compareEmmRKS4_mm, heddle_string_read_all)

// Constructors.
HEDDLE_STRING(C1ERKS4_, heddle_string_from_other)
HEDDLE_STRING(C2ERKS4_, heddle_string_from_other)
HEDDLE_STRING(C1ERKS4_RKS3_, heddle_string_from_other)
HEDDLE_STRING(C2ERKS4_RKS3_, heddle_string_from_other)
HEDDLE_STRING(C1ERKS4_mRKS3_, heddle_string_from_other)
HEDDLE_STRING(C2ERKS4_mRKS3_, heddle_string_from_other)
HEDDLE_STRING(C1ERKS4_mm, heddle_string_from_other)
HEDDLE_STRING(C2ERKS4_mm, heddle_string_from_other)
HEDDLE_STRING(C1ERKS4_mmRKS3_, heddle_string_from_other)
HEDDLE_STRING(C2ERKS4_mmRKS3_, heddle_string_from_other)
HEDDLE_STRING(C1EOS4_, heddle_string_move_from)
HEDDLE_STRING(C2EOS4_, heddle_string_move_from)
HEDDLE_STRING(C1EOS4_RKS3_, heddle_string_move_from)
HEDDLE_STRING(C2EOS4_RKS3_, heddle_string_move_from)
HEDDLE_STRING(12_M_constructIPKcEEvT_S8_St20forward_iterator_tag, heddle_string_from_range)
HEDDLE_STRING(12_M_constructIPcEEvT_S7_St20forward_iterator_tag, heddle_string_from_range)

// Changes.
HEDDLE_STRING(13shrink_to_fitEv, heddle_string_write)
HEDDLE_STRING(14_M_replace_auxEmmmc, heddle_string_write)
HEDDLE_STRING(10_M_replaceEmmPKcm, heddle_string_write_counted_3)
HEDDLE_STRING(13_M_set_lengthEm, heddle_string_write)
HEDDLE_STRING(4swapERS4_, heddle_string_write_both)
HEDDLE_STRING(5clearEv, heddle_string_write)
HEDDLE_STRING(5eraseEN9__gnu_cxx17__normal_iteratorIPKcS4_EE, heddle_string_write)
HEDDLE_STRING(5eraseEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_, heddle_string_write)
HEDDLE_STRING(5eraseEN9__gnu_cxx17__normal_iteratorIPcS4_EE, heddle_string_write)
HEDDLE_STRING(5eraseEN9__gnu_cxx17__normal_iteratorIPcS4_EES8_, heddle_string_write)
HEDDLE_STRING(5eraseEmm, heddle_string_write)
HEDDLE_STRING(6appendEPKc, heddle_string_write_text_1)
HEDDLE_STRING(6appendEPKcm, heddle_string_write_counted_1)
HEDDLE_STRING(6appendERKS4_, heddle_string_write_from_1)
HEDDLE_STRING(6appendERKS4_mm, heddle_string_write_from_1)
HEDDLE_STRING(6appendESt16initializer_listIcE, heddle_string_write)
HEDDLE_STRING(6appendEmc, heddle_string_write)
HEDDLE_STRING(6assignEOS4_, heddle_string_write_both)
HEDDLE_STRING(6assignEPKc, heddle_string_write_text_1)
HEDDLE_STRING(6assignEPKcm, heddle_string_write_counted_1)
HEDDLE_STRING(6assignERKS4_, heddle_string_write_from_1)
HEDDLE_STRING(6assignERKS4_mm, heddle_string_write_from_1)
HEDDLE_STRING(6assignESt16initializer_listIcE, heddle_string_write)
HEDDLE_STRING(6assignEmc, heddle_string_write)
HEDDLE_STRING(6insertEN9__gnu_cxx17__normal_iteratorIPKcS4_EESt16initializer_listIcE,
              heddle_string_write)
HEDDLE_STRING(6insertEN9__gnu_cxx17__normal_iteratorIPKcS4_EEc, heddle_string_write)
HEDDLE_STRING(6insertEN9__gnu_cxx17__normal_iteratorIPKcS4_EEmc, heddle_string_write)
HEDDLE_STRING(6insertEN9__gnu_cxx17__normal_iteratorIPcS4_EESt16initializer_listIcE,
              heddle_string_write)
HEDDLE_STRING(6insertEN9__gnu_cxx17__normal_iteratorIPcS4_EEc, heddle_string_write)
HEDDLE_STRING(6insertEN9__gnu_cxx17__normal_iteratorIPcS4_EEmc, heddle_string_write)
HEDDLE_STRING(6insertEmPKc, heddle_string_write_text_2)
HEDDLE_STRING(6insertEmPKcm, heddle_string_write_counted_2)
HEDDLE_STRING(6insertEmRKS4_, heddle_string_write_from_2)
HEDDLE_STRING(6insertEmRKS4_mm, heddle_string_write_from_2)
HEDDLE_STRING(6insertEmmc, heddle_string_write)
HEDDLE_STRING(6resizeEm, heddle_string_write)
HEDDLE_STRING(6resizeEmc, heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_NS6_IPcS4_EESB_,
              heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_PcSA_, heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_RKS4_, heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_S8_, heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_S8_S8_, heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_S8_m, heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_S9_S9_, heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_St16initializer_listIcE,
              heddle_string_write)
HEDDLE_STRING(7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_mc, heddle_string_write)
HEDDLE_STRING(7replaceEmmPKc, heddle_string_write_text_3)
HEDDLE_STRING(7replaceEmmPKcm, heddle_string_write_counted_3)
HEDDLE_STRING(7replaceEmmRKS4_, heddle_string_write_from_3)
HEDDLE_STRING(7replaceEmmRKS4_mm, heddle_string_write_from_3)
HEDDLE_STRING(7replaceEmmmc, heddle_string_write)
HEDDLE_STRING(7reserveEm, heddle_string_write)
HEDDLE_STRING(7reserveEv, heddle_string_write)
HEDDLE_STRING(8_M_eraseEmm, heddle_string_write)
HEDDLE_STRING(8pop_backEv, heddle_string_write)
HEDDLE_STRING(9_M_appendEPKcm, heddle_string_write_counted_1)
HEDDLE_STRING(9_M_assignERKS4_, heddle_string_write_from_1)
HEDDLE_STRING(9_M_mutateEmmPKcm, heddle_string_write)
HEDDLE_STRING(9push_backEc, heddle_string_write)
HEDDLE_STRING(aSEOS4_, heddle_string_write_both)
HEDDLE_STRING(aSEPKc, heddle_string_write_text_1)
HEDDLE_STRING(aSERKS4_, heddle_string_write_from_1)
HEDDLE_STRING(aSESt16initializer_listIcE, heddle_string_write)
HEDDLE_STRING(aSEc, heddle_string_write)
HEDDLE_STRING(pLEPKc, heddle_string_write_text_1)
HEDDLE_STRING(pLERKS4_, heddle_string_write_from_1)
HEDDLE_STRING(pLESt16initializer_listIcE, heddle_string_write)
HEDDLE_STRING(pLEc, heddle_string_write)
