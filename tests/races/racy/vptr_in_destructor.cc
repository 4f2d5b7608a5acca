// Races: the destructors change the vptr while the other thread calls a virtual function.
#include <semaphore>
#include <thread>

std::binary_semaphore done(0);
int seen;

struct Base {
  virtual void run() { seen = 1; }
  virtual ~Base() { done.acquire(); }  // race
};
struct Derived : Base {
  void run() override { seen = 2; }
};

int main() {
  Base* object = new Derived;
  std::thread caller([=] {
    object->run();  // race
    done.release();
  });
  delete object;  // race
  caller.join();
}
