"""Batches: the choice of the next one, and its size."""

from aspgames.runtime.workers.dask_cluster import MOMENT, BatchedTask, Batches


def filled(number: int) -> tuple[Batches, list[BatchedTask]]:
    batches, tasks = Batches(), [BatchedTask(b"") for _ in range(number)]
    for task in tasks:
        batches.add(task)
    return batches, tasks


def given(batches: Batches, hands: int = 1) -> list[list[BatchedTask]]:
    found = batches.next(hands, 0)
    assert found is not None
    return found


def test_the_first_are_given_out_one_by_one_and_no_more_than_keep_all_busy() -> None:
    batches, tasks = filled(100)
    assert given(batches, 2) == [[task] for task in tasks[:8]]
    assert given(batches, 2) == []
    for task in tasks[:4]:
        batches.came([task], 1, MOMENT)
    assert given(batches, 2) == [[task] for task in tasks[8:12]]


def test_batches_grow_until_they_take_half_a_moment() -> None:
    batches, _ = filled(10_000)
    sizes = []
    for _ in range(12):
        for batch in given(batches):
            sizes.append(len(batch))
            batches.came(batch, len(batch), len(batch) * MOMENT / 50)
    assert sizes == sorted(sizes)
    assert sizes[-1] == 25


def test_what_was_not_begun_comes_first_of_all_and_batches_shrink() -> None:
    batches, tasks = filled(1000)
    for batch in given(batches):
        batches.came(batch, 1, 0)
    (first, *others) = given(batches)
    assert [len(batch) for batch in (first, *others)] == [4] * 4
    for batch in others:
        batches.came(batch, 4, MOMENT)
    batches.came(first, 1, 3 * MOMENT)
    again = given(batches)
    assert [task for batch in again for task in batch][:3] == first[1:]
    assert len(again[0]) == 2
    assert tasks.index(again[1][1]) > tasks.index(others[-1][-1])


def test_the_last_are_shared_among_all() -> None:
    batches, _ = filled(40)
    for _ in range(2):
        for batch in given(batches, 2):
            batches.came(batch, len(batch), 0)
    sizes = []
    while some := given(batches, 2):
        sizes += [len(batch) for batch in some]
        for batch in some:
            batches.came(batch, len(batch), 0)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_of_a_batch_of_which_nothing_came_each_is_given_out_by_itself() -> None:
    batches, _ = filled(100)
    for batch in given(batches):
        batches.came(batch, 1, 0)
    fours = given(batches)
    batches.came(fours[1], 0, 0)
    for batch in fours[0], fours[2], fours[3]:
        batches.came(batch, 4, 0)
    assert given(batches) == [[task] for task in fours[1]]


def test_of_long_tasks_more_and_more_are_given_out_at_once() -> None:
    batches, _ = filled(100)
    for batch in given(batches):
        batches.came(batch, 1, 2 * MOMENT)
    assert len(given(batches)) == 64


def test_what_nobody_wants_is_not_given_out_and_there_is_an_end() -> None:
    batches, tasks = filled(3)
    tasks[0].set_result(None)
    assert given(batches) == [[tasks[1]], [tasks[2]]]
    batches.close()
    assert batches.next(1, 0) is None
