// What libstdc++ does to the links of std::map, std::set and std::list: the functions that change
// them are in the library, where no hook sees an access, and all else is in headers. Called from
// instrumented code they count as what they are: a write to the tree's head and to the node that
// gets or loses a neighbour; a step along the tree, as a read. What std::list's splice, merge,
// sort, remove and swap do is made of _M_transfer and swap.
//
// The names are those of the library's own symbols. A program without libstdc++ never calls them.
#include <dlfcn.h>

#include "runtime/hooks/library.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// As <bits/stl_tree.h> and <bits/stl_list.h> have them, for ever: they are part of the ABI.
struct TreeNode {
  long color;
  TreeNode *parent, *left, *right;
};
struct ListNode {
  ListNode *next, *previous;
};

using Insert = void (*)(bool, TreeNode*, TreeNode*, TreeNode*);
using Erase = TreeNode* (*)(TreeNode*, TreeNode*);
using Walk = TreeNode* (*)(TreeNode*);
using Hook = void (*)(ListNode*, ListNode*);
using Unhook = void (*)(ListNode*);

void writes_link(ListNode** link, uint64_t pc) { range(wire::Op::write, link, sizeof *link, pc); }

// The library's own function. The library may have been loaded later than this one, and beside it.
void* library_function(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  void* library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library != nullptr ? dlsym(library, name) : nullptr;
}

}  // namespace

// Found before main, if the library is there by then.
#define HEDDLE_LIBRARY_FUNCTION(id, type, symbol)                                              \
  static type id;                                                                              \
  __attribute__((constructor(102))) static void find_##id() {                                  \
    id = reinterpret_cast<type>(dlsym(RTLD_NEXT, symbol));                                     \
  }                                                                                            \
  static type real_##id() {                                                                    \
    if (HEDDLE_UNLIKELY(id == nullptr)) id = reinterpret_cast<type>(library_function(symbol)); \
    return id;                                                                                 \
  }

HEDDLE_LIBRARY_FUNCTION(insert, Insert,
                        "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_")
HEDDLE_LIBRARY_FUNCTION(erase, Erase,
                        "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_")
HEDDLE_LIBRARY_FUNCTION(increment, Walk, "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base")
HEDDLE_LIBRARY_FUNCTION(decrement, Walk, "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base")
HEDDLE_LIBRARY_FUNCTION(hook, Hook, "_ZNSt8__detail15_List_node_base7_M_hookEPS0_")
HEDDLE_LIBRARY_FUNCTION(unhook, Unhook, "_ZNSt8__detail15_List_node_base9_M_unhookEv")

HEDDLE_EXPORT void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool left, TreeNode* node, TreeNode* parent, TreeNode* head) {
  if (counts(HEDDLE_CALLER)) {
    range(wire::Op::write, head, sizeof *head, HEDDLE_CALLER);
    TreeNode** link = left ? &parent->left : &parent->right;
    if (parent != head) range(wire::Op::write, link, sizeof *link, HEDDLE_CALLER);
  }
  real_insert()(left, node, parent, head);
}

HEDDLE_EXPORT TreeNode* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    TreeNode* node, TreeNode* head) {
  if (counts(HEDDLE_CALLER)) {
    range(wire::Op::write, head, sizeof *head, HEDDLE_CALLER);
    range(wire::Op::write, node, sizeof *node, HEDDLE_CALLER);
  }
  return real_erase()(node, head);
}

#define HEDDLE_WALK(symbol, real)                                                        \
  HEDDLE_EXPORT TreeNode* symbol(TreeNode* node) {                                       \
    if (counts(HEDDLE_CALLER)) range(wire::Op::read, node, sizeof *node, HEDDLE_CALLER); \
    return real()(node);                                                                 \
  }

HEDDLE_WALK(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, real_increment)
HEDDLE_WALK(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, real_increment)
HEDDLE_WALK(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, real_decrement)
HEDDLE_WALK(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, real_decrement)

HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode* node, ListNode* before) {
  if (counts(HEDDLE_CALLER)) {
    writes_link(&before->previous, HEDDLE_CALLER);
    writes_link(&before->previous->next, HEDDLE_CALLER);
  }
  real_hook()(node, before);
}

HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode* node) {
  if (counts(HEDDLE_CALLER)) {
    writes_link(&node->next->previous, HEDDLE_CALLER);
    writes_link(&node->previous->next, HEDDLE_CALLER);
  }
  real_unhook()(node);
}

HEDDLE_LOOK(heddle_list_transfer) {
  if (!counts(call.pc)) return;
  auto* position = call.pointer<ListNode>(0);
  auto* first = call.pointer<ListNode>(1);
  auto* last = call.pointer<ListNode>(2);
  if (position == last) return;
  for (ListNode* node : {position, first, last}) {
    writes_link(&node->previous->next, call.pc);
    writes_link(&node->previous, call.pc);
  }
}
HEDDLE_LOOK(heddle_list_reverse) {
  if (!counts(call.pc)) return;
  auto* head = call.pointer<ListNode>(0);
  ListNode* node = head;
  do {
    range(wire::Op::write, node, sizeof *node, call.pc);
    node = node->next;
  } while (node != head);
}
HEDDLE_LOOK(heddle_list_swap) {
  if (!counts(call.pc)) return;
  for (ListNode* head : {call.pointer<ListNode>(0), call.pointer<ListNode>(1)}) {
    range(wire::Op::write, head, sizeof *head, call.pc);
    if (head->next == head) continue;
    writes_link(&head->next->previous, call.pc);
    writes_link(&head->previous->next, call.pc);
  }
}
HEDDLE_BEFORE(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_, heddle_list_transfer)
HEDDLE_BEFORE(_ZNSt8__detail15_List_node_base10_M_reverseEv, heddle_list_reverse)
HEDDLE_BEFORE(_ZNSt8__detail15_List_node_base4swapERS0_S1_, heddle_list_swap)

// std::hash of a text.
HEDDLE_LOOK(heddle_hash_bytes) { reads(call.pointer<void>(0), call.arguments[1], call.pc); }
HEDDLE_BEFORE(_ZSt11_Hash_bytesPKvmm, heddle_hash_bytes)

// A std::pmr::unsynchronized_pool_resource: whatever is done with it counts as a write to its last
// member. (What a monotonic_buffer_resource does is in the library too, behind a virtual table that
// nobody can stand before.)
HEDDLE_LOOK(heddle_pool_resource) {
  constexpr int kPools = 64;  // its offset, as the ABI has it
  writes(call.pointer<char>(0) + kPools, sizeof(void*), call.pc);
}
HEDDLE_BEFORE(_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm, heddle_pool_resource)
HEDDLE_BEFORE(_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm, heddle_pool_resource)
HEDDLE_BEFORE(_ZNSt3pmr28unsynchronized_pool_resource7releaseEv, heddle_pool_resource)
