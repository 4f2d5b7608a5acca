#include <thread>
int main() { std::thread([] {}).join(); }
