#!/usr/bin/env python3
"""Prints the circles of modules that include each other, where one has more than three.

A module is a .c file with the header of its name. The names of files come from stdin."""
import os  # SPDX-License-Identifier: MIT
import re
import sys


def modules_of(paths):
    includes = {}
    for path in paths:
        module = os.path.splitext(path)[0]
        with open(path, encoding='utf-8') as file:
            found = re.findall(r'^#include "([^"]+)\.h"', file.read(), re.M)
        includes.setdefault(module, set()).update(found)
    return {m: sorted(n for n in found if n in includes and n != m) for m, found in includes.items()}


def circles_of(graph):
    """Strongly connected components: Tarjan's algorithm, without recursion."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in sorted(graph):
        work = [(root, iter(graph[root]))] if root not in index else []
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            for child in rest:
                if child not in index:
                    work.append((child, iter(graph[child])))
                    break
                if child in on_stack:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    found.append(sorted(stack[at:]))
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
    return found


for circle in circles_of(modules_of(line.rstrip('\n') for line in sys.stdin)):
    if len(circle) > 3:
        print(f'{len(circle)} modules: {" ".join(circle)}')
