"""Keep the memory of a process shared with the processes that are forked from it.

Python counts the references to an object in the object itself. So a process that only uses an object writes to the
page of memory that holds it. After a fork, such a page is copied. Since Python 3.12, the count of an immortal object
does not change (PEP 683).
"""

import ctypes
import gc
import sys
import sysconfig
from types import CodeType, FrameType
from typing import Final

_FIRST_VERSION: Final = (3, 12)
_LEAST_COUNT: Final = 2**30
"""The count of an immortal object is larger than this in each version."""
_BLOCK_SIZES: Final = range(48, 513, 16)
"""Bytes of the blocks that Python's allocator gives out. Smaller ones are few."""
_OVERHEAD: Final = sys.getsizeof(b"")
_IN_A_ROW: Final = 8_000
"""Bytes of blocks, each beside the one before, that come from a pool which was empty: half of a pool."""
_MOST_BLOCKS: Final = 50_000
"""Blocks of a size after which the search for gaps ends, for an allocator that works in another way."""


def share_memory() -> int:
    """Prepare for forks: make all objects immortal, and keep them from the garbage collector. Return their number.

    They are never freed. The number is 0 where Python has no immortal objects, as before 3.12.
    """
    gc.unfreeze()  # frozen objects are not listed
    gc.collect()
    count = _immortal_count()
    made = _make_immortal([*_filled_gaps(), *gc.get_objects()], count) if count else 0
    gc.freeze()
    return made


def _filled_gaps() -> list[bytes]:
    """Return objects that lie in the free blocks between other objects.

    A forked process would put its new objects there, and copy a page for each few of them.
    """
    fillers: list[bytes] = []
    for size in _BLOCK_SIZES:
        content, in_a_row, before = size - _OVERHEAD, 0, 0
        for _ in range(_MOST_BLOCKS):
            filler = bytes(content)
            fillers.append(filler)
            in_a_row = in_a_row + 1 if id(filler) - before == size else 0
            if in_a_row * size > _IN_A_ROW:
                break
            before = id(filler)
    return fillers


def _make_immortal(waiting: list[object], count: int) -> int:
    """Give these objects, and what they refer to, the count of an immortal object. Return their number."""
    made = 0
    while waiting:
        thing = waiting.pop()
        held = ctypes.c_uint32.from_address(id(thing))
        if held.value == count or isinstance(thing, FrameType):  # a frame refers to this list
            continue
        held.value = count
        made += 1
        waiting += _parts(thing)
    return made


def _immortal_count() -> int:
    """Return the count of an object that is always immortal. 0 if there is none, or if it is kept in another place."""
    counted = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    wide = sys.maxsize > 2**32 and sys.byteorder == "little"
    if sys.version_info < _FIRST_VERSION or not counted or not wide:
        return 0
    count = ctypes.c_uint32.from_address(id(None)).value
    return count if count == sys.getrefcount(None) > _LEAST_COUNT else 0


def _parts(thing: object) -> list[object]:
    if isinstance(thing, CodeType):  # the garbage collector does not know what code refers to
        return [thing.co_consts, thing.co_names, thing.co_name, thing.co_qualname, thing.co_filename]
    return gc.get_referents(thing)
