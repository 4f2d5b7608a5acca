// Streams of libstdc++: what writes to one or reads from one is in the library, where no hook sees
// an access. Called from instrumented code it counts as a write to the stream's width, which such
// functions set to zero; and so for one stream seen as input and as output.
//
// The standard streams (std::cout and so on) may be used by many threads at once.
#include <dlfcn.h>

#include "runtime/hooks/library.h"

using namespace heddle::runtime;

namespace {

// As the ABI has them: where the base class std::ios_base begins stands in front of the virtual
// table, and the width behind its table and the precision.
char* width_of(char* stream) {
  const char* table = *reinterpret_cast<char**>(stream);
  int64_t base;
  __builtin_memcpy(&base, table - 3 * sizeof base, sizeof base);
  return stream + base + 2 * sizeof(int64_t);
}

bool is_standard(const void* stream) {
  static const void* known[4];
  constexpr const char* kNames[] = {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt3cin"};
  for (int i = 0; i < 4; ++i) {
    if (known[i] == nullptr) known[i] = dlsym(RTLD_DEFAULT, kNames[i]);
    if (known[i] == stream) return true;
  }
  return false;
}

void uses(const Call& call, int number) {
  if (!counts(call.pc)) return;
  char* stream = call.pointer<char>(number);
  if (!is_standard(stream)) writes(width_of(stream), sizeof(int64_t), call.pc);
}

}  // namespace

HEDDLE_LOOK(heddle_stream) { uses(call, 0); }
HEDDLE_LOOK(heddle_stream_text) {
  uses(call, 0);
  if (counts(call.pc) && call.text(1) != nullptr)
    reads(call.text(1), text_bytes(call.text(1)), call.pc);
}
HEDDLE_LOOK(heddle_stream_counted) {
  uses(call, 0);
  reads(call.text(1), call.arguments[2], call.pc);
}

HEDDLE_BEFORE(_ZNSolsEb, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEs, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEt, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEi, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEj, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEl, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEm, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEx, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEy, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEf, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEd, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEe, heddle_stream)
HEDDLE_BEFORE(_ZNSolsEPKv, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertIbEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertIlEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertImEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertIxEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertIyEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertIdEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertIeEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo9_M_insertIPKvEERSoT_, heddle_stream)
HEDDLE_BEFORE(_ZNSo3putEc, heddle_stream)
HEDDLE_BEFORE(_ZNSo5writeEPKcl, heddle_stream_counted)
HEDDLE_BEFORE(_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l,
              heddle_stream_counted)
HEDDLE_BEFORE(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc, heddle_stream_text)
HEDDLE_BEFORE(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c, heddle_stream)
HEDDLE_BEFORE(
    _ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    heddle_stream)
HEDDLE_BEFORE(_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_, heddle_stream)

HEDDLE_BEFORE(_ZNSirsERb, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERs, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERt, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERi, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERj, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERl, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERm, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERx, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERy, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERf, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERd, heddle_stream)
HEDDLE_BEFORE(_ZNSirsERe, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIbEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractItEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIjEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIlEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractImEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIxEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIyEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIfEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIdEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi10_M_extractIeEERSiRT_, heddle_stream)
HEDDLE_BEFORE(_ZNSi3getEv, heddle_stream)
HEDDLE_BEFORE(_ZNSi3getERc, heddle_stream)
HEDDLE_BEFORE(_ZNSi4readEPcl, heddle_stream)
HEDDLE_BEFORE(_ZNSi7getlineEPcl, heddle_stream)
HEDDLE_BEFORE(_ZNSi7getlineEPclc, heddle_stream)
HEDDLE_BEFORE(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_, heddle_stream)
HEDDLE_BEFORE(
    _ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    heddle_stream)
HEDDLE_BEFORE(
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    heddle_stream)
HEDDLE_BEFORE(
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_,
    heddle_stream)
