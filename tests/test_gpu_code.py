"""What is done to the code that Numba hands to the GPU's compiler. (There need not be a GPU.)"""

from __future__ import annotations

from laguna.kernel.gpu import _optimized_for_size

MODULE = """\
declare i32 @"other"(i64 %".1")

define linkonce_odr i32 @"apply"(i64* %".ret", i64 %".3") noinline
{
entry:
  %"text" = call i32 @"other"(i64 1)
  ret i32 0
}

define void @"games"(i8* %"arg") {
  ret void
}
"""


def test_every_function_that_a_module_defines_is_optimized_for_size() -> None:
    lines = _optimized_for_size(MODULE).splitlines()
    assert 'define linkonce_odr i32 @"apply"(i64* %".ret", i64 %".3") noinline optsize' in lines
    assert 'define void @"games"(i8* %"arg") optsize {' in lines
    assert [line.replace(" optsize", "") for line in lines] == MODULE.splitlines()
    assert sum("optsize" in line for line in lines) == 2
