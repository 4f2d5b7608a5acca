// No race: the object is destroyed, and its vptr changed, after the thread that calls it has ended.
#include <memory>
#include <thread>

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return 1; }
};
struct Derived : Base {
  int value() const override { return 2; }
};

int seen;

int main() {
  std::unique_ptr<Base> object = std::make_unique<Derived>();
  std::thread caller([&] { seen = object->value(); });
  caller.join();
  object.reset();
}
