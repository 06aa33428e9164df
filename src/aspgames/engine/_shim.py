import ctypes as C


class Loop(C.Structure):
    _fields_ = [
        ("count", C.c_int32),
        ("first", C.c_int32),
        ("end", C.c_int32),
        ("variables", C.c_void_p),
        ("definitions", C.c_void_p),
    ]


class Circ(C.Structure):
    _fields_ = [
        ("size", C.c_int32),
        ("starts", C.c_void_p),
        ("literals", C.c_void_p),
        ("loop_count", C.c_int32),
        ("loops", C.c_void_p),
    ]


A = C.addressof
I = lambda l: (C.c_int32 * max(1, len(l)))(*l)
keep = []


def handle(circuit):
    st = (C.c_int64 * (circuit.size + 2))()
    lits = []
    for n in range(1, circuit.size + 1):
        st[n] = len(lits)
        lits += circuit.gates.get(n, ())
    st[circuit.size + 1] = len(lits)
    L = I(lits)
    loops = (Loop * max(1, len(circuit.loops)))()
    for i, l in enumerate(circuit.loops):
        v, d = I(l.variables), I(l.definitions)
        keep.extend([v, d])
        loops[i] = Loop(len(l.variables), l.first, l.end, A(v), A(d))
    c = Circ(circuit.size, A(st), A(L), len(circuit.loops), A(loops))
    keep.extend([c, st, L, loops])
    return A(c)
