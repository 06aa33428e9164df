/* What a state costs in a loop in Python: legal moves and the next state without a line of Python.
 *
 * An extension module, apart from the kernel, which knows nothing of Python: it gets the addresses
 * of the kernel's functions. It has three types. `Evaluator` asks the kernel about rows: it does the
 * work of `Single` (`single_state.py`). `StateCore` and `MoveList` are first bases of classes whose
 * second bases are `State` and `LegalMoves` (`game/compiled_state.py`). They have a row and the
 * net's answer, and do the same as these in Python. Where a net's answer isn't all that is needed,
 * they call the methods in Python.
 *
 * It uses Python's stable ABI, so one file serves all versions. Python's lock is held throughout:
 * it protects the evaluator's memory.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <structmember.h>

#include "aspgames.h"

static PyTypeObject *evaluator_type, *move_list_type, *core_type;
/* Set by `use`: the classes of moves and of lists of legal moves, and methods in Python. */
static PyTypeObject *move_class, *legal_moves_class;
static PyObject *other_play, *other_legal_moves, *other_to_move;
static PyObject *name_net_moves, *name_number, *name_net, *name_evaluator;

static void free_object(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* --- the kernel's answers --------------------------------------------------------------------- */

typedef int ask_function(struct single_state *, const uint8_t *);
typedef enum aspgames_status play_function(struct single_state *, const uint8_t *);
typedef enum aspgames_status play_one_function(
    struct single_state *, const uint8_t *, int32_t, int32_t
);

struct evaluator {
    PyObject_HEAD
    PyObject *kept; /* owns the memory to which the pointers refer */
    PyObject *roles;
    ask_function *ask;
    play_function *play;
    play_one_function *play_one;
    struct single_state *room;
    const int32_t *out;
    int32_t *moves;
    const uint64_t *row;
    Py_ssize_t bytes, bytes_after;
};

static int evaluator_init(PyObject *object, PyObject *args, PyObject *kwargs) {
    struct evaluator *self = (struct evaluator *)object;
    unsigned long long at[7];
    PyObject *kept, *roles;
    if (kwargs || self->kept) {
        PyErr_SetString(PyExc_TypeError, "an evaluator is made once, without keywords");
        return -1;
    }
    if (!PyArg_ParseTuple(
            args, "OO!nnKKKKKKK", &kept, &PyTuple_Type, &roles, &self->bytes, &self->bytes_after,
            at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 6
        ))
        return -1;
    self->ask = (ask_function *)(uintptr_t)at[0];
    self->play = (play_function *)(uintptr_t)at[1];
    self->play_one = (play_one_function *)(uintptr_t)at[2];
    self->room = (struct single_state *)(uintptr_t)at[3];
    self->out = (const int32_t *)(uintptr_t)at[4];
    self->moves = (int32_t *)(uintptr_t)at[5];
    self->row = (const uint64_t *)(uintptr_t)at[6];
    self->kept = Py_NewRef(kept);
    self->roles = Py_NewRef(roles);
    return 0;
}

static void evaluator_dealloc(PyObject *object) {
    struct evaluator *self = (struct evaluator *)object;
    Py_XDECREF(self->kept);
    Py_XDECREF(self->roles);
    free_object(object);
}

/* The bytes of a row; NULL with an exception for anything else. */
static const uint8_t *row_bytes_of(const struct evaluator *self, PyObject *row) {
    if (self->kept && PyBytes_Check(row) && PyBytes_Size(row) == self->bytes)
        return (const uint8_t *)PyBytes_AsString(row);
    PyErr_SetString(PyExc_ValueError, "a row of this net is needed");
    return NULL;
}

/* The kernel's answer, as the bytes of its numbers. */
static PyObject *answer_to(struct evaluator *self, PyObject *row) {
    const uint8_t *bytes = row_bytes_of(self, row);
    if (!bytes) return NULL;
    int count = self->ask(self->room, bytes);
    if (count < 0) return PyErr_NoMemory();
    return PyBytes_FromStringAndSize(
        (const char *)self->out, count * (Py_ssize_t)sizeof *self->out
    );
}

static PyObject *numbers_of(const int32_t *from, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *number = PyLong_FromLong(from[i]);
        if (!number || PyList_SetItem(list, i, number)) Py_CLEAR(list);
    }
    return list;
}

static PyObject *evaluator_ask(PyObject *object, PyObject *row) {
    struct evaluator *self = (struct evaluator *)object;
    const uint8_t *bytes = row_bytes_of(self, row);
    if (!bytes) return NULL;
    int count = self->ask(self->room, bytes);
    return count < 0 ? PyErr_NoMemory() : numbers_of(self->out, count);
}

/* The row that the kernel has computed; None if several roles choose. */
static PyObject *row_after(struct evaluator *self, enum aspgames_status status) {
    if (status == ASPGAMES_SEVERAL_CHOOSE) return Py_NewRef(Py_None);
    if (status) return PyErr_NoMemory();
    return PyBytes_FromStringAndSize((const char *)self->row, self->bytes_after);
}

static PyObject *evaluator_play_one(PyObject *object, PyObject *const *args, Py_ssize_t count) {
    struct evaluator *self = (struct evaluator *)object;
    if (count != 3) return PyErr_Format(PyExc_TypeError, "a row, a role and a move are needed");
    long role = PyLong_AsLong(args[1]), move = PyLong_AsLong(args[2]);
    if ((role == -1 || move == -1) && PyErr_Occurred()) return NULL;
    const uint8_t *bytes = row_bytes_of(self, args[0]);
    if (!bytes) return NULL;
    if (role < 0 || role >= PyTuple_Size(self->roles))
        return PyErr_Format(PyExc_ValueError, "there is no role %ld", role);
    return row_after(self, self->play_one(self->room, bytes, (int32_t)role, (int32_t)move));
}

static PyObject *evaluator_play(PyObject *object, PyObject *const *args, Py_ssize_t count) {
    struct evaluator *self = (struct evaluator *)object;
    Py_ssize_t roles = self->roles ? PyTuple_Size(self->roles) : 0;
    if (count != 2 || PySequence_Size(args[1]) != roles) {
        if (PyErr_Occurred()) return NULL;
        return PyErr_Format(PyExc_TypeError, "a row and a move of each role are needed");
    }
    const uint8_t *bytes = row_bytes_of(self, args[0]);
    for (Py_ssize_t i = 0; bytes && i < roles; i++) {
        PyObject *move = PySequence_GetItem(args[1], i);
        self->moves[i] = move ? (int32_t)PyLong_AsLong(move) : -1;
        Py_XDECREF(move);
        if (PyErr_Occurred()) return NULL;
    }
    return bytes ? row_after(self, self->play(self->room, bytes)) : NULL;
}

static PyMethodDef evaluator_methods[] = {
    {"ask", evaluator_ask, METH_O, NULL},
    {"play", (PyCFunction)(void (*)(void))evaluator_play, METH_FASTCALL, NULL},
    {"play_one", (PyCFunction)(void (*)(void))evaluator_play_one, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot evaluator_slots[] = {
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, evaluator_init},
    {Py_tp_dealloc, evaluator_dealloc},
    {Py_tp_methods, evaluator_methods},
    {0, NULL},
};

/* --- moves by their numbers ------------------------------------------------------------------- */

struct move_list {
    PyObject_HEAD
    PyObject *known;  /* a dictionary: the moves by their numbers */
    PyObject *answer; /* bytes: the net's answer, in which the numbers are */
    const int32_t *numbers;
    Py_ssize_t count;
};

static int move_list_traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((struct move_list *)object)->known);
    return 0;
}

static int move_list_clear(PyObject *object) {
    struct move_list *self = (struct move_list *)object;
    self->count = 0;
    Py_CLEAR(self->known);
    Py_CLEAR(self->answer);
    return 0;
}

static void move_list_dealloc(PyObject *object) {
    PyObject_GC_UnTrack(object);
    move_list_clear(object);
    free_object(object);
}

static Py_ssize_t move_list_length(PyObject *object) { return ((struct move_list *)object)->count; }

static PyObject *move_list_item(PyObject *object, Py_ssize_t place) {
    struct move_list *self = (struct move_list *)object;
    if (place < 0 || place >= self->count) {
        PyErr_SetString(PyExc_IndexError, "there are fewer moves");
        return NULL;
    }
    PyObject *number = PyLong_FromLong(self->numbers[place]);
    if (!number) return NULL;
    PyObject *found = Py_XNewRef(PyDict_GetItemWithError(self->known, number));
    if (!found && !PyErr_Occurred()) found = PyObject_GetItem(self->known, number);
    Py_DECREF(number);
    return found;
}

static PyObject *move_list_subscript(PyObject *object, PyObject *place) {
    struct move_list *self = (struct move_list *)object;
    Py_ssize_t start, stop, step;
    if (!PySlice_Check(place)) {
        Py_ssize_t index = PyNumber_AsSsize_t(place, PyExc_IndexError);
        if (index == -1 && PyErr_Occurred()) return NULL;
        return move_list_item(object, index < 0 ? index + self->count : index);
    }
    if (PySlice_Unpack(place, &start, &stop, &step) < 0) return NULL;
    Py_ssize_t count = PySlice_AdjustIndices(self->count, &start, &stop, step);
    PyObject *found = PyTuple_New(count);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        PyObject *move = move_list_item(object, start + i * step);
        if (!move || PyTuple_SetItem(found, i, move)) Py_CLEAR(found);
    }
    return found;
}

static PyObject *move_list_numbers(PyObject *object, void *closure) {
    struct move_list *self = (struct move_list *)object;
    (void)closure;
    return numbers_of(self->numbers, self->count);
}

static PyMemberDef move_list_members[] = {
    {"_known", T_OBJECT, offsetof(struct move_list, known), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef move_list_getters[] = {
    {"_numbers", move_list_numbers, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot move_list_slots[] = {
    {Py_tp_dealloc, move_list_dealloc},
    {Py_tp_traverse, move_list_traverse},
    {Py_tp_clear, move_list_clear},
    {Py_tp_iter, PySeqIter_New},
    {Py_tp_members, move_list_members},
    {Py_tp_getset, move_list_getters},
    {Py_sq_length, move_list_length},
    {Py_sq_item, move_list_item},
    {Py_mp_length, move_list_length},
    {Py_mp_subscript, move_list_subscript},
    {0, NULL},
};

/* --- states ----------------------------------------------------------------------------------- */

struct core {
    PyObject_HEAD
    PyObject *game, *net_moves, *row, *legal_moves;
    PyObject *answer; /* bytes: the kernel's numbers */
    struct evaluator *evaluator;
};

static int core_traverse(PyObject *object, visitproc visit, void *arg) {
    struct core *self = (struct core *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->game);
    Py_VISIT(self->net_moves);
    Py_VISIT(self->legal_moves);
    return 0;
}

static int core_clear(PyObject *object) {
    struct core *self = (struct core *)object;
    Py_CLEAR(self->game);
    Py_CLEAR(self->net_moves);
    Py_CLEAR(self->row);
    Py_CLEAR(self->legal_moves);
    Py_CLEAR(self->answer);
    Py_CLEAR(self->evaluator);
    return 0;
}

static void core_dealloc(PyObject *object) {
    PyObject_GC_UnTrack(object);
    core_clear(object);
    free_object(object);
}

/* `on_net(game, net_moves, row)`: the state of a row in the net with these moves. */
static PyObject *core_on_net(PyObject *type, PyObject *args) {
    PyObject *game, *net_moves, *row;
    if (!PyArg_ParseTuple(args, "OO!O!", &game, &PyDict_Type, &net_moves, &PyBytes_Type, &row))
        return NULL;
    PyObject *net = PyObject_GetAttr(net_moves, name_net);
    PyObject *evaluator = net ? PyObject_GetAttr(net, name_evaluator) : NULL;
    Py_XDECREF(net);
    PyObject *made = NULL;
    if (evaluator && !PyObject_TypeCheck(evaluator, evaluator_type))
        PyErr_SetString(PyExc_TypeError, "an evaluator is needed");
    else if (evaluator)
        made = PyType_GenericAlloc((PyTypeObject *)type, 0);
    if (!made) {
        Py_XDECREF(evaluator);
        return NULL;
    }
    struct core *self = (struct core *)made;
    self->game = Py_NewRef(game);
    self->net_moves = Py_NewRef(net_moves);
    self->row = Py_NewRef(row);
    self->evaluator = (struct evaluator *)evaluator;
    return made;
}

/* The answer of the state's net. */
static const int32_t *answer_of(struct core *self) {
    if (!self->evaluator) {
        PyErr_SetString(PyExc_TypeError, "a state is made by on_net");
        return NULL;
    }
    if (!self->answer) self->answer = answer_to(self->evaluator, self->row);
    return self->answer ? (const int32_t *)PyBytes_AsString(self->answer) : NULL;
}

static int one_is_on_move(const int32_t *answer) { return answer[1] == 1; }

static PyObject *core_ask_net(PyObject *object, PyObject *unused) {
    struct core *self = (struct core *)object;
    (void)unused;
    const int32_t *answer = answer_of(self);
    if (!answer) return NULL;
    return numbers_of(answer, PyBytes_Size(self->answer) / (Py_ssize_t)sizeof *answer);
}

static PyObject *core_own_mover(PyObject *object, PyObject *unused) {
    struct core *self = (struct core *)object;
    (void)unused;
    const int32_t *answer = answer_of(self);
    if (!answer) return NULL;
    if (answer[0] || !one_is_on_move(answer)) return Py_NewRef(Py_None);
    return Py_XNewRef(PyTuple_GetItem(self->evaluator->roles, answer[2]));
}

static PyObject *core_is_terminal(PyObject *object, void *closure) {
    (void)closure;
    const int32_t *answer = answer_of((struct core *)object);
    return answer ? PyBool_FromLong(answer[0]) : NULL;
}

static PyObject *core_to_move(PyObject *object, void *closure) {
    struct core *self = (struct core *)object;
    (void)closure;
    const int32_t *answer = answer_of(self);
    if (!answer) return NULL;
    if (one_is_on_move(answer))
        return Py_XNewRef(PyTuple_GetItem(self->evaluator->roles, answer[2]));
    return PyObject_CallFunctionObjArgs(other_to_move, object, NULL);
}

static PyObject *core_legal_moves(PyObject *object, void *closure) {
    struct core *self = (struct core *)object;
    (void)closure;
    if (self->legal_moves) return Py_NewRef(self->legal_moves);
    const int32_t *answer = answer_of(self);
    if (!answer) return NULL;
    if (!one_is_on_move(answer))
        return PyObject_CallFunctionObjArgs(other_legal_moves, object, NULL);
    PyObject *found = PyType_GenericAlloc(legal_moves_class, 0);
    if (!found) return NULL;
    struct move_list *list = (struct move_list *)found;
    int32_t first = answer[4 + 3 * answer[2]], end = answer[5 + 3 * answer[2]];
    list->known = Py_NewRef(self->net_moves);
    list->answer = Py_NewRef(self->answer);
    list->numbers = answer + first;
    list->count = answer[0] ? 0 : end - first;
    if (!self->legal_moves) self->legal_moves = Py_NewRef(found);
    return found;
}

/* The number in the answer of a move that is the net's own, and legal for the side on move; -1
 * without an exception if there is none. */
static int32_t own_number(struct core *self, PyObject *move) {
    const int32_t *answer = answer_of(self);
    if (!answer || answer[0] || !one_is_on_move(answer)) return -1;
    if (!PyObject_TypeCheck(move, move_class)) return -1;
    PyObject *net_moves = PyObject_GetAttr(move, name_net_moves);
    Py_XDECREF(net_moves); /* the move keeps it */
    if (net_moves != self->net_moves) return -1;
    PyObject *number = PyObject_GetAttr(move, name_number);
    long wanted = number ? PyLong_AsLong(number) >> 1 : -1; /* the last bit is no move's */
    Py_XDECREF(number);
    if (PyErr_Occurred()) return -1;
    int32_t first = answer[4 + 3 * answer[2]], end = answer[5 + 3 * answer[2]], last = end;
    while (first < end) {
        int32_t middle = first + (end - first) / 2;
        if (answer[middle] >> 1 < wanted)
            first = middle + 1;
        else
            end = middle;
    }
    return first < last && answer[first] >> 1 == wanted ? answer[first] : -1;
}

static PyObject *core_own_move(PyObject *object, PyObject *move) {
    struct core *self = (struct core *)object;
    int32_t number = own_number(self, move);
    if (number < 0) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    PyObject *key = PyLong_FromLong(number);
    PyObject *found = key ? PyObject_GetItem(self->net_moves, key) : NULL;
    Py_XDECREF(key);
    return found;
}

static PyObject *core_after_own(PyObject *object, PyObject *move) {
    struct core *self = (struct core *)object;
    int32_t number = own_number(self, move);
    if (number < 0) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    struct evaluator *evaluator = self->evaluator;
    int32_t mover = ((const int32_t *)PyBytes_AsString(self->answer))[2];
    const uint8_t *bytes = row_bytes_of(evaluator, self->row);
    if (!bytes) return NULL;
    PyObject *row = row_after(
        evaluator, evaluator->play_one(evaluator->room, bytes, mover, number >> 1)
    );
    if (!row || row == Py_None) return row;
    PyObject *after = PyType_GenericAlloc(Py_TYPE(object), 0);
    if (!after) {
        Py_DECREF(row);
        return NULL;
    }
    struct core *made = (struct core *)after;
    made->game = Py_NewRef(self->game);
    made->net_moves = Py_NewRef(self->net_moves);
    made->row = row;
    made->evaluator = (struct evaluator *)Py_NewRef((PyObject *)evaluator);
    return after;
}

static PyObject *core_play(PyObject *object, PyObject *const *args, Py_ssize_t count) {
    if (count == 1) {
        PyObject *after = core_after_own(object, args[0]);
        if (after != Py_None) return after;
        Py_DECREF(after);
    }
    PyObject *all = PyTuple_New(1 + count);
    for (Py_ssize_t i = 0; all && i <= count; i++)
        if (PyTuple_SetItem(all, i, Py_NewRef(i ? args[i - 1] : object))) Py_CLEAR(all);
    PyObject *after = all ? PyObject_CallObject(other_play, all) : NULL;
    Py_XDECREF(all);
    return after;
}

static PyMemberDef core_members[] = {
    {"game", T_OBJECT, offsetof(struct core, game), READONLY, NULL},
    {"_net_moves", T_OBJECT, offsetof(struct core, net_moves), READONLY, NULL},
    {"_row", T_OBJECT, offsetof(struct core, row), READONLY, NULL},
    {"_legal_moves", T_OBJECT, offsetof(struct core, legal_moves), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* `types` fills in the documentation. */
static PyGetSetDef core_getters[] = {
    {"is_terminal", core_is_terminal, NULL, NULL, NULL},
    {"legal_moves", core_legal_moves, NULL, NULL, NULL},
    {"to_move", core_to_move, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef core_methods[] = {
    {"play", (PyCFunction)(void (*)(void))core_play, METH_FASTCALL, NULL},
    {"own_move", core_own_move, METH_O, NULL},
    {"after_own", core_after_own, METH_O, NULL},
    {"own_mover", core_own_mover, METH_NOARGS, NULL},
    {"on_net", core_on_net, METH_VARARGS | METH_CLASS, NULL},
    {"_ask_net", core_ask_net, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot core_slots[] = {
    {Py_tp_dealloc, core_dealloc},
    {Py_tp_traverse, core_traverse},
    {Py_tp_clear, core_clear},
    {Py_tp_members, core_members},
    {Py_tp_getset, core_getters},
    {Py_tp_methods, core_methods},
    {0, NULL},
};

/* --- the module ------------------------------------------------------------------------------- */

/* `types(texts)`: the types MoveList and StateCore; the dictionary documents attributes. */
static PyObject *types(PyObject *module, PyObject *texts) {
    (void)module;
    if (!PyDict_Check(texts)) return PyErr_Format(PyExc_TypeError, "a dictionary is needed");
    for (PyGetSetDef *each = core_getters; each->name; each++) {
        PyObject *text = PyDict_GetItemString(texts, each->name);
        if (text) each->doc = PyUnicode_AsUTF8AndSize(Py_NewRef(text), NULL);
    }
    for (PyMethodDef *each = core_methods; each->ml_name; each++) {
        PyObject *text = PyDict_GetItemString(texts, each->ml_name);
        if (text) each->ml_doc = PyUnicode_AsUTF8AndSize(Py_NewRef(text), NULL);
    }
    unsigned int flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
    PyType_Spec list = {
        "aspgames.MoveList", sizeof(struct move_list), 0, flags, move_list_slots
    };
    PyType_Spec core = {"aspgames.StateCore", sizeof(struct core), 0, flags, core_slots};
    if (!move_list_type && !PyErr_Occurred()) {
        move_list_type = (PyTypeObject *)PyType_FromSpec(&list);
        core_type = move_list_type ? (PyTypeObject *)PyType_FromSpec(&core) : NULL;
    }
    return core_type && !PyErr_Occurred() ? PyTuple_Pack(2, move_list_type, core_type) : NULL;
}

/* `use(move, legal_moves, play, legal_moves_of, to_move)`: the classes of moves and of lists of
 * legal moves; then functions in Python of a state, which know more than a net. */
static PyObject *use(PyObject *module, PyObject *args) {
    (void)module;
    PyTypeObject *move, *legal;
    PyObject *others[3];
    if (!PyArg_ParseTuple(
            args, "O!O!OOO", &PyType_Type, &move, &PyType_Type, &legal, others, others + 1,
            others + 2
        ))
        return NULL;
    if (!move_list_type || !PyType_IsSubtype(legal, move_list_type))
        return PyErr_Format(PyExc_TypeError, "a class derived from MoveList is needed");
    move_class = (PyTypeObject *)Py_NewRef((PyObject *)move);
    legal_moves_class = (PyTypeObject *)Py_NewRef((PyObject *)legal);
    other_play = Py_NewRef(others[0]);
    other_legal_moves = Py_NewRef(others[1]);
    other_to_move = Py_NewRef(others[2]);
    return Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"types", types, METH_O, NULL},
    {"use", use, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "aspgames_states", NULL, -1, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_aspgames_states(void) {
    PyObject *module = PyModule_Create(&definition);
    PyType_Spec spec = {
        "aspgames.Evaluator", sizeof(struct evaluator), 0, Py_TPFLAGS_DEFAULT, evaluator_slots
    };
    evaluator_type = (PyTypeObject *)PyType_FromSpec(&spec);
    name_net_moves = PyUnicode_InternFromString("net_moves");
    name_number = PyUnicode_InternFromString("number");
    name_net = PyUnicode_InternFromString("net");
    name_evaluator = PyUnicode_InternFromString("evaluator");
    if (module && evaluator_type && name_evaluator
        && !PyModule_AddObjectRef(module, "Evaluator", (PyObject *)evaluator_type))
        return module;
    Py_XDECREF(module);
    return NULL;
}
