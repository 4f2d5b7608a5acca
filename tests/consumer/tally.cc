#include "tally.h"

void Tally::add() { ++value_; }
void Tally::add_two_steps() { value_ = value_ + 1; }
