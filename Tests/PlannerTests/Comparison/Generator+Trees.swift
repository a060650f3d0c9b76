// SPDX-License-Identifier: MIT

import RandomNumbers

extension Generator {
    /// Returns a class that may be in a tree.
    mutating func anyClass() -> String {
        random.happens(70) ? random.pick(Self.leaves) : random.pick(containers)
    }

    private var containers: [String] {
        ["nav", "tabs", "split", "exnav", "box", "pager", "grid"]
    }

    mutating func leaf() -> Template {
        var leaf = Template(name: random.pick(Self.leaves))
        for (name, kind) in Self.keys where random.happens(40) { leaf.fields[name] = datum(kind) }
        return leaf
    }

    /// Returns the tree of a window.
    mutating func tree() -> Template {
        var levels: [Template] = []
        for _ in 0..<random.choose([(6, 1), (3, 2), (1, 3)]) {
            levels.append(random.happens(90) ? container(depth: 1) : leaf())
        }
        return levels.dropLast().reversed().reduce(levels[levels.count - 1]) { above, level in
            var level = level
            level.modals = [above]
            return level
        }
    }

    private mutating func container(depth: Int) -> Template {
        let name = random.choose([
            (50, "nav"), (25, "tabs"), (10, "split"), (3, "exnav"),
            (6, "box"), (4, "pager"),
            (4, "grid"),
        ])
        var container = Template(name: name)
        var count = random.choose([(4, 0), (36, 1), (38, 2), (22, 3)])
        count = min(count, world.declaration(of: name).kind.limit ?? count)
        for _ in 0..<count {
            var child = depth < 3 && random.happens(35) ? self.container(depth: depth + 1) : leaf()
            if random.happens(6) {
                child.modals = [random.happens(60) ? leaf() : self.container(depth: depth + 1)]
            }
            container.children.append(child)
        }
        if count > 0, world.declaration(of: name).kind.shows == .selected {
            container.selected = random.below(count)
        }
        return container
    }
}
