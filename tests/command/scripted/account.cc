// Money gets lost, one way for each argument: in a private member of a global, in an object on the
// heap, in one on the stack, behind a semaphore that lets two in, only if a choice goes wrong, in a
// plain variable, in a plain one on the heap, in one on the heap before a wait, in variables of a
// namespace and of a function, by a try in vain; or whoever waits for it waits for ever.
#include <heddle/heddle.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

class Account {
 public:
  void pay_in(int amount) {
    int before = look();
    std::lock_guard lock(mutex_);
    balance_ = before + amount;
  }
  int look() {
    std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

Account next;  // its name is also a word of scripts
sem_t room;
std::atomic<int> inside;
std::atomic<int> deposit;

void use(Account& account) {
  std::thread a([&] { account.pay_in(1); });
  std::thread b([&] { account.pay_in(2); });
  a.join();
  b.join();
  assert(account.look() == 3);
}

void enter() {
  sem_wait(&room);
  assert(++inside == 1);
  --inside;
  sem_post(&room);
}

void let_in() {
  sem_init(&room, 0, 2);
  std::thread a(enter), b(enter);
  a.join();
  b.join();
}

void choose() {
  std::thread a([] {
    int amount = heddle::choose(3);
    int before = deposit;
    deposit = before + amount;
  });
  deposit = deposit + 10;
  a.join();
  assert(deposit != 2);
}

int cash;

void race() {
  std::thread a([] { ++cash; });
  ++cash;
  a.join();
  assert(cash == 2);
}

void heap_race() {
  auto cash = std::make_unique<int>(0);
  auto pay = [&] { ++*cash; };
  std::thread a(pay), b(pay);
  a.join();
  b.join();
  assert(*cash == 2);
}

// Where the accesses are no operations, the first thread goes on to where it waits.
void heap_wait() {
  auto gold = std::make_unique<int>(0);
  auto cash = std::make_unique<int>(0);
  auto paid = std::make_unique<sem_t>();
  sem_init(paid.get(), 0, 0);
  std::thread a([&] {
    ++*gold;
    ++*cash;
    sem_wait(paid.get());
  });
  std::thread b([&] {
    ++*cash;
    ++*gold;
    sem_post(paid.get());
  });
  a.join();
  b.join();
  assert(*cash == 2);
}

namespace bank {
std::atomic<int> vault;
}

std::atomic<int>& till() {
  static std::atomic<int> in_it;
  return in_it;
}

// Of a namespace, and of a function.
void inner() {
  auto move = [] {
    int before = bank::vault;
    bank::vault = before + 1;
    int also = till();
    till() = also + 1;
  };
  std::thread a(move), b(move);
  a.join();
  b.join();
  assert(bank::vault == 2 || till() == 2);
}

std::mutex door;
std::condition_variable opened;
bool is_open;

// The second wait is for a signal that the first may have got.
void wait_for_it() {
  std::unique_lock lock(door);
  while (!is_open) opened.wait(lock);
  is_open = false;
}

void open() {
  std::lock_guard lock(door);
  is_open = true;
  opened.notify_one();
}

void waiters() {
  std::thread a(wait_for_it), b(wait_for_it), c(open), d(open);
  a.join();
  b.join();
  c.join();
  d.join();
}

void try_it() {
  int in_vain = 0;
  std::thread a([] { std::lock_guard lock(door); });
  if (door.try_lock()) {
    door.unlock();
  } else {
    ++in_vain;
  }
  a.join();
  assert(in_vain == 0);
}

int main(int count, char** arguments) {
  std::string which = count > 1 ? arguments[1] : "global";
  if (which == "global") use(next);
  if (which == "heap") use(*std::make_unique<Account>());
  if (which == "local") {
    Account mine;
    use(mine);
  }
  if (which == "semaphore") let_in();
  if (which == "choose") choose();
  if (which == "race") race();
  if (which == "heap-race") heap_race();
  if (which == "heap-wait") heap_wait();
  if (which == "inner") inner();
  if (which == "waiters") waiters();
  if (which == "try") try_it();
}
