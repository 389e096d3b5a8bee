"""A hint to the processor for compiled loops: what will be read soon."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

LINE = 16  # float32 that come from memory at a time
READ, NEXT_TO_NEAREST, DATA = 0, 2, 1  # arguments of llvm.prefetch: for reading, into which cache, no instructions


@intrinsic
def prefetch(_: Any, array: Any, place: Any) -> tuple[Any, Any]:
    """Ask for array[place], and what shares its line, without waiting; any place will do. array: contiguous, 1-D.

    The processor sees by itself that memory is read in a row, but not that the row ends and where the next one begins.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = make_array(signature.args[0])(context, builder, arguments[0]).data
        number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), pointer)
        builder.call(hint, [address, number(READ), number(NEXT_TO_NEAREST), number(DATA)])
        return context.get_dummy_value()

    return types.void(array, place), generate
