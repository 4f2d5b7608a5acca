// No race: the exception is handed over by the join.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

std::exception_ptr failure;

int main() {
  std::thread thrower([] {
    try {
      throw std::runtime_error("failed");
    } catch (...) {
      failure = std::current_exception();
    }
  });
  thrower.join();
  try {
    std::rethrow_exception(failure);
  } catch (const std::runtime_error& error) {
    assert(error.what()[0] == 'f');
  }
}
