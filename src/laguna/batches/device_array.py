"""Arrays in the memory of a GPU that PyTorch, JAX and CuPy read where they are, without copying.

They speak `__cuda_array_interface__` (version 3) and DLPack; numba-cuda's own arrays lack the latter.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

CUDA = 2  # kDLCUDA
KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}  # DLDataTypeCode of numpy's kinds
DEFAULT_STREAM = 1  # the legacy one, on which the kernels run
NAME = b"dltensor"


class DeviceArray:
    """An array on the GPU. `numpy()` copies it; `torch.as_tensor` and everybody's `from_dlpack` do not."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory  # numba-cuda's array
        self.shape: tuple[int, ...] = tuple(memory.shape)
        self.dtype: np.dtype[Any] = np.dtype(memory.dtype)

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} {self.dtype.name}>"

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        interface: dict[str, Any] = self.memory.__cuda_array_interface__
        return interface

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy in the memory of the machine."""
        copied: np.ndarray[Any, Any] = np.ascontiguousarray(self.memory.copy_to_host())
        return copied

    def part(self, first: int, shape: tuple[int, ...]) -> DeviceArray:
        """Some columns of each row, in this shape: a view into the same memory."""
        from numba import cuda

        interface, size = self.__cuda_array_interface__, self.dtype.itemsize
        view = interface | {
            "shape": (self.shape[0], *shape),
            "strides": (self.shape[1] * size, *_packed(shape, size)),
            "data": (interface["data"][0] + first * size, False),
        }
        return DeviceArray(cuda.from_cuda_array_interface(view, owner=self.memory))

    def __dlpack_device__(self) -> tuple[int, int]:
        from numba import cuda

        return CUDA, cuda.get_current_device().id

    def __dlpack__(self, *, stream: int | None = None, **wishes: Any) -> Any:
        """A DLPack capsule. Of newer wishes only those that change nothing are granted."""
        from numba import cuda

        if wishes.get("copy") or wishes.get("dl_device") not in (None, self.__dlpack_device__()):
            raise BufferError("The memory of a batch is shared as it is, on its own device.")
        if stream not in (None, DEFAULT_STREAM):
            cuda.synchronize()  # the reader works in an order of its own
        return capsule(self.__cuda_array_interface__, self.__dlpack_device__(), self.memory)


def _packed(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The strides of an array without gaps."""
    strides = accumulate(reversed(shape[1:]), mul, initial=size)
    return tuple(strides)[::-1] if shape else ()


# ------------------------------------------------------------------ DLPack's structures


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Kind(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Kind),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))

_lent: dict[int, tuple[Any, ...]] = {}  # what must stay alive while others read it, by address


@_Deleter  # type: ignore[untyped-decorator]
def _give_back(managed: Any) -> None:
    """The reader is done, and says so from whatever thread it likes."""
    _lent.pop(ctypes.addressof(managed.contents), None)


_python = ctypes.pythonapi
_new_capsule: Callable[..., Any] = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", _python))
_is_capsule: Callable[..., int] = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _python)
)
_address: Callable[..., int] = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _python)
)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[untyped-decorator]
def _drop(capsule: int) -> None:
    """A capsule that nobody has read is gone: a reader renames it and then calls the deleter itself."""
    if _is_capsule(capsule, NAME):
        _lent.pop(_address(capsule, NAME), None)


def capsule(interface: Mapping[str, Any], device: tuple[int, int], owner: Any) -> Any:
    """A DLPack capsule for what an array interface describes; `owner` lives as long as it is read."""
    shape, dtype = interface["shape"], np.dtype(interface["typestr"])
    strides = interface["strides"] or _packed(shape, dtype.itemsize)
    lengths = (ctypes.c_int64 * len(shape))(*shape)
    steps = (ctypes.c_int64 * len(shape))(*(stride // dtype.itemsize for stride in strides))
    kind = _Kind(KINDS[dtype.kind], 8 * dtype.itemsize, 1)
    tensor = _Tensor(interface["data"][0], _Device(*device), len(shape), kind, lengths, steps, 0)
    managed = _Managed(tensor, None, _give_back)
    address = ctypes.addressof(managed)
    _lent[address] = (managed, lengths, steps, owner)
    return _new_capsule(address, NAME, ctypes.cast(_drop, ctypes.c_void_p))
