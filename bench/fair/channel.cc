// A graph of three vertices and two channels: a source, which throws away in the end what nobody
// wants, a worker, which looks ahead, and a sink, which goes when it has what it wants. Main waits
// for the sink by sleeping. Buffers arrive in order.
#include "channel.h"

#include <heddle/heddle.h>

std::atomic<bool> finished;

void source(Channel* out) {
  for (int number : {1, 2}) out->send(new Buffer(number));
  out->discard();
  out->close();
}

void worker(Channel* in, Channel* out) {
  while (Buffer* buffer = in->receive()) {
    int number = buffer->number, ahead = in->peek();
    HEDDLE_ASSERT(ahead == 0 || ahead > number);
    if (!out->send(buffer)) break;
  }
  in->close();
  out->close();
}

void sink(Channel* in) {
  for (int last = 0; last < 2;) {
    Buffer* buffer = in->receive();
    if (!buffer) break;
    HEDDLE_ASSERT(buffer->number > last);
    last = buffer->number;
    delete buffer;
  }
  in->close();
  finished = true;
}

int main() {
  Channel *first = new Channel, *second = new Channel;
  std::thread threads[] = {std::thread(source, first), std::thread(worker, first, second),
                           std::thread(sink, second)};
  while (!finished) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (std::thread& thread : threads) thread.join();
}
