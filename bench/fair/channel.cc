// Two vertices and a channel between them: a source, which throws away in the end what nobody
// wants, and a sink, which looks ahead, and goes when it has what it wants. Buffers arrive in
// order.
#include "channel.h"

#include <heddle/heddle.h>

void source(Channel* out) {
  for (int number : {1, 2, 3}) out->send(new Buffer(number));
  out->discard();
  out->close();
}

void sink(Channel* in) {
  for (int last = 0; last < 2;) {
    Buffer* buffer = in->receive();
    if (!buffer) break;
    HEDDLE_ASSERT(buffer->number > last);
    last = buffer->number;
    delete buffer;
    int ahead = in->peek();
    HEDDLE_ASSERT(ahead == 0 || ahead > last);
  }
  in->close();
}

int main() {
  Channel* channel = new Channel;
  std::thread threads[] = {std::thread(source, channel), std::thread(sink, channel)};
  for (std::thread& thread : threads) thread.join();
}
