"""The lattices of a corpus as one tree in flat arrays, and the sums over them: for compiled code only.

Words that begin alike share the nodes of their beginnings, as in `structures.lattices`. A node has a number above its
parent's, and `made` says which parent and which character it comes from. Tokens are words of the tree, too; where
tokens go on, a table leads from a node and a character to the next node. Each node links to the longest of its proper
endings with which a token begins: so the tokens that end at a node are found without looking up its endings one by one
(A. Aho and M. Corasick, "Efficient String Matching", 1975).

Roads are rows: `first` says where those of each node begin, `starts` where they come from, `tokens` what they are.
"""

import math

import numpy as np

from .compiling import inner, kernel

BITS = np.int64(21)  # of a character
LONG = 1_000  # characters of a word
SAME = 1e-7  # nats, in sums of up to some millions


# ---------------------------------------------------------------------------------------------------------- the tree


@inner
def slot_of(key, table, made):
    """The slot of the node that is made so; or, if there is none, the free slot for it."""
    slot = (key * made[0] >> 24) & (len(table) - 1)
    while table[slot] != 0 and made[table[slot]] != key:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@inner
def parent_of(node, made):
    """The node without its last character."""
    return (made[node] - 1) >> BITS


@kernel
def plant(codes, ends, table, salt):
    """The tree: how each node is made and how long it is, and where each word ends; and the nodes in an empty table.

    Nodes are numbered as words come; for the root stands what keys are multiplied by in the table.
    """
    made = np.zeros(len(codes) + 1, np.int64)
    depths = np.zeros(len(codes) + 1, np.int32)
    lasts = np.empty(len(ends), np.int32)
    made[0], count, begin = np.int64(salt), 1, 0
    for word in range(len(ends)):
        node = 0
        for place in range(begin, ends[word]):
            key = (np.int64(node) << BITS) + codes[place] + 1
            slot = slot_of(key, table, made)
            if table[slot] == 0:
                table[slot], made[count], depths[count] = count, key, depths[node] + 1
                count += 1
            node = table[slot]
        lasts[word], begin = node, ends[word]
    return made[:count].copy(), depths[:count].copy(), lasts


@kernel
def find_roads(made, depths, by_depth, table, ends_of_tokens):
    """All roads: `first`, `starts` and `tokens`, the longest token of a node first."""
    held = np.zeros(len(made), np.bool_)
    token_at = np.full(len(made), -1, np.int32)
    held[0] = True  # the root; beginnings of tokens
    for token in range(len(ends_of_tokens)):
        node = ends_of_tokens[token]
        token_at[node] = token
        while not held[node]:
            held[node], node = True, parent_of(node, made)
    ending = np.zeros(len(made), np.int32)
    shorter = np.zeros(len(made), np.int32)
    first = np.zeros(len(made) + 1, np.int64)
    for node in by_depth[1:]:  # shorter ones first
        char = (made[node] - 1) & ((1 << BITS) - 1)
        other = parent_of(node, made)
        found = 0
        while other != 0 and not found:
            other = ending[other]
            child = table[slot_of((np.int64(other) << BITS) + char + 1, table, made)]
            found = child if held[child] else 0
        ending[node] = found
        shorter[node] = found if token_at[found] >= 0 else shorter[found]
        first[node + 1] = (token_at[node] >= 0) + (first[shorter[node] + 1] if shorter[node] else 0)
    first = np.cumsum(first)
    starts = np.empty(first[-1], np.int32)
    tokens = np.empty(first[-1], np.int32)
    for node in range(1, len(made)):
        end = node if token_at[node] >= 0 else shorter[node]
        for road in range(first[node], first[node + 1]):
            tokens[road] = token_at[end]
            starts[road] = depths[end]
            end = shorter[end]
        start, length = node, 0  # from the longest token, the way to its start
        for road in range(first[node + 1] - 1, first[node] - 1, -1):
            while length < starts[road]:
                start = parent_of(start, made)
                length += 1
            starts[road] = start
    return first, starts, tokens


@kernel
def remove_roads(first, starts, tokens, gone):
    """Take roads out whose tokens are gone: what is left."""
    used, begin = 0, 0
    for node in range(len(first) - 1):
        end = first[node + 1]
        first[node] = used
        for road in range(begin, end):
            if not gone[tokens[road]]:
                starts[used] = starts[road]
                tokens[used] = tokens[road]
                used += 1
        begin = end
    first[-1] = used
    return starts[:used].copy(), tokens[:used].copy()


# ---------------------------------------------------------------------------------------------------- the best paths


@kernel
def best_roads(first, starts, tokens, losses, count):
    """For each of the first nodes the loss of its best path, and the last road of it."""
    best = np.empty(count)
    last = np.zeros(count, np.int64)
    best[0] = 0.0
    for node in range(1, count):
        low = math.inf
        for road in range(first[node], first[node + 1]):
            loss = best[starts[road]] + losses[tokens[road]]
            if loss < low:
                low = loss
                last[node] = road
        best[node] = low
    return best, last


@kernel
def score_removals(
    made,
    depths,
    lasts,
    freqs,
    first,
    starts,
    tokens,
    lengths,
    losses,
    scores,
):
    """Add to the scores what each token's absence costs the words.

    Behind a node to which the token leads on the best path, ways without it soon cost the same more everywhere. In a
    long word, all up to the next such node is then passed over: so the time grows with its length, not with its square.
    """
    best, last = best_roads(first, starts, tokens, losses, len(made))
    longest, widest = depths.max() + 1, lengths.max()
    path = np.empty(longest, np.int32)
    new = np.empty(longest)
    used = np.empty(longest, np.int64)
    scored = np.full(len(losses), -1)  # the last word in which each token was scored
    # Where in the word each token ends a best path first, and where the one that does so here does it next, or 0.
    at = np.zeros(len(losses), np.int32)
    again = np.empty(longest, np.int32)
    for word in range(len(lasts)):
        end = node = lasts[word]
        count, length = 0, depths[end]
        for depth in range(length, 0, -1):
            path[depth] = node
            again[depth], at[tokens[last[node]]] = at[tokens[last[node]]], depth
            node = parent_of(node, made)
        path[0], node = node, end
        while node:
            road = last[node]
            used[count], count, node = (
                tokens[road],
                count + (lengths[tokens[road]] > 1),
                starts[road],
            )
        for i in range(count):
            gone = used[i]
            if scored[gone] == word:
                continue
            scored[gone] = word
            change = depth = here = at[gone]  # up to here, no best path changes
            cost, alike = 0.0, 0  # how much more, and at how many nodes in a row
            while depth <= length:
                low = math.inf
                for road in range(first[path[depth]], first[path[depth] + 1]):
                    if tokens[road] != gone:
                        begin = depths[starts[road]]
                        loss = (new[begin] if begin >= change else best[starts[road]]) + losses[
                            tokens[road]
                        ]
                        low = min(low, loss)
                new[depth] = low
                more = low - best[path[depth]]
                cost, alike = (cost, alike + 1) if abs(more - cost) < SAME else (more, 0)
                depth += 1
                if alike > widest and length > LONG:
                    while 0 < here < depth:
                        here = again[here]
                    stop = here if here else length + 1
                    for place in range(max(depth, stop - widest), stop):
                        new[place] = best[path[place]] + cost
                    depth, alike = stop, 0
            scores[gone] += freqs[word] * (new[length] - best[end])
        for depth in range(1, length + 1):
            at[tokens[last[path[depth]]]] = 0


# ---------------------------------------------------------------------------------------------------- all ways together


@kernel
def count_all_ways(
    made, depths, lasts, freqs, first, starts, tokens, losses, count, smallest, counts
):
    """Add up the expected counts; returns the corpus loss. See `Lattices.expected_counts`."""
    probs = np.exp(-losses)
    total = np.empty(count)
    reach = np.zeros(count)
    total[0], corpus_loss = 1.0, 0.0
    for node in range(1, count):
        way = 0.0
        for road in range(first[node], first[node + 1]):
            way += total[starts[road]] * probs[tokens[road]]
        total[node] = way
    for word in range(len(lasts)):
        node = lasts[word]
        if total[node] < smallest:
            corpus_loss += count_in_logarithms(
                made, depths, node, freqs[word], first, starts, tokens, losses, counts
            )
        else:
            corpus_loss -= freqs[word] * math.log(total[node])
            reach[node] += freqs[word]
    for node in range(count - 1, 0, -1):
        if reach[node]:
            rate = reach[node] / total[node]
            for road in range(first[node], first[node + 1]):
                share = rate * total[starts[road]] * probs[tokens[road]]
                reach[starts[road]] += share
                counts[tokens[road]] += share
    return corpus_loss


@kernel
def count_in_logarithms(made, depths, end, freq, first, starts, tokens, losses, counts):
    """The same for the word that ends at a node, whose probability is too small for a number; returns its loss."""
    length = depths[end]
    path = np.empty(length + 1, np.int32)
    total = np.zeros(length + 1)
    reach = np.zeros(length + 1)
    for depth in range(length, -1, -1):
        path[depth] = end
        end = parent_of(end, made)
    for depth in range(1, length + 1):
        low = math.inf
        ways = 0.0
        for road in range(first[path[depth]], first[path[depth] + 1]):
            low = min(low, total[depths[starts[road]]] + losses[tokens[road]])
        for road in range(first[path[depth]], first[path[depth] + 1]):
            ways += math.exp(low - (total[depths[starts[road]]] + losses[tokens[road]]))
        total[depth] = low - math.log(ways)
    reach[length] = freq
    for depth in range(length, 0, -1):
        for road in range(first[path[depth]], first[path[depth] + 1]):
            start = depths[starts[road]]
            share = reach[depth] * math.exp(total[depth] - total[start] - losses[tokens[road]])
            reach[start] += share
            counts[tokens[road]] += share
    return freq * total[length]


# ------------------------------------------------------------------------------------------------ SentencePiece's rules


@kernel
def share_losses(counts):
    """`unigram.to_losses`."""
    return -np.log(counts / counts.sum())


@kernel
def digamma_losses(counts):
    """`unigram.to_losses` with digamma."""
    counts = np.maximum(counts, 0.5)
    total = digamma(counts.sum())
    return np.array([total - digamma(count) for count in counts])


@kernel
def digamma(x):
    """`unigram.digamma_of`."""
    shift = 0.0
    while x < 6:
        shift -= 1 / x
        x += 1
    y = 1 / (x * x)
    return (
        shift
        + math.log(x)
        - 0.5 / x
        - y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
    )


@inner
def single(number):
    """The number as 32 bits hold it."""
    return np.float64(np.float32(number))


@kernel
def score_second_best(
    lasts,
    freqs,
    ends,
    first,
    starts,
    tokens,
    losses,
    ids,
    alive,
    unknown,
):
    """The score of each token in `ids`, as `pieces.second_best` has it; minus infinity for one that goes."""
    best, last = best_roads(first, starts, tokens, losses, len(first) - 1)
    reach = np.zeros(lasts.max() + 1, np.int64)
    used = np.zeros(len(losses), np.int64)
    used[0] = unknown
    for word in range(len(lasts)):
        reach[lasts[word]] += freqs[word]
    for node in range(len(reach) - 1, 0, -1):
        if reach[node]:
            token = tokens[last[node]]
            used[token if alive[token] else 0] += reach[node]
            reach[starts[last[node]]] += reach[node]
    total = used.sum()
    scores = np.full(len(ids), -math.inf)
    others = np.empty(len(first), np.int32)
    for i in np.argsort(ends[ids]):  # whose roads stand near each other
        token = ids[i]
        low = math.inf
        second = -1
        freq = used[token]
        end = ends[token]
        if freq == 0:
            continue
        for road in range(first[end], first[end + 1]):
            loss = best[starts[road]] + losses[tokens[road]]
            if starts[road] != 0 and loss < low:
                low = loss
                second = road
        if losses[token] > low:
            continue
        if second < 0:
            scores[i] = math.inf
            continue
        count = 0
        while True:
            other = tokens[second]
            others[count], count = (other if alive[other] else 0), count + 1
            if starts[second] == 0:
                break
            second = last[starts[second]]
        more = single(math.log(total + freq * (count - 1)))
        then = 0.0
        for j in range(count - 1, -1, -1):
            then = single(then + math.log(used[others[j]] + freq) - more)
        now = single(math.log(freq) - single(math.log(total)))
        scores[i] = single(single(freq / total) * single(now - then))
    return scores
