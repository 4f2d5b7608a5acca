// The main function of Catch2 2, in a file of its own, as its manual advises.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
