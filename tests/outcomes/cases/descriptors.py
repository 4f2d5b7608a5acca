"""Models of the programs in descriptors.h."""

from case import case
from specifications import Stream


@case()
def pipe_of_two_writes():
    pipe, r = Stream(), [None, 2]

    def writes():
        yield from pipe.write("a")
        yield from pipe.write("b")

    def reads():
        r[0] = len((yield from pipe.read(2)))

    return r, writes(), reads()


@case()
def pipe_of_two_writers():
    pipe, r = Stream(), [None]

    def reads():
        (first,) = yield from pipe.read(1)
        (second,) = yield from pipe.read(1)
        r[0] = first * 10 + second

    return r, pipe.write(1), pipe.write(2), reads()


@case()
def eventfd_adds_up():
    event, r = Stream(), [None]

    def reads():
        r[0] = sum((yield from event.read(2)))

    return r, event.write(1), event.write(2), reads()


@case()
def poll_with_limit():
    pipe, r = Stream(), [None, 1]

    def polls():
        r[0] = yield from pipe.poll()

    return r, pipe.write("a"), polls()


@case()
def socket_pair_answers():
    to, back, r = Stream(), Stream(), [None] * 2

    def answers():
        (byte,) = yield from to.read(1)
        r[0] = 1
        yield from back.write(byte + 1)
        yield from back.close()

    def asks():
        yield from to.write(5)
        (byte,) = yield from back.read(1)
        r[1] = byte * 10 + len((yield from back.read(1)))

    return r, answers(), asks()
