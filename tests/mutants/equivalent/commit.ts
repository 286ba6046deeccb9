import type { Equivalents } from '../equivalents.ts'

export const commit: readonly Equivalents[] = [
  {
    file: 'adapters/store/sqlite/commit.ts',
    why: 'That a turn is coming is told from none at all and from a lazy one, and by no name.',
    changes: [{ line: "this.#next = 'soon'", was: "'soon'", becomes: '""' }],
  },
  {
    file: 'adapters/store/sqlite/transaction.ts',
    why: 'Without a transaction ROLLBACK fails, which is minded as little.',
    changes: [
      {
        line: "if (this.#database.isTransaction) this.#database.exec('ROLLBACK')",
        was: 'this.#database.isTransaction',
        becomes: 'true',
      },
    ],
  },
  {
    file: 'adapters/store/sqlite/errors.ts',
    why: 'No index is called so.',
    changes: [
      {
        line: "const index = uniqueIndexes.get(name?.[1] ?? name?.[2] ?? '')",
        was: "''",
        becomes: '"Stryker was here!"',
      },
    ],
  },
  {
    file: 'src/core/admission/idempotency.ts',
    why: 'Any one order will do, and no name stands there twice.',
    changes: [
      {
        line: 'return Object.fromEntries(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))',
        was: 'a < b',
        becomes: 'a <= b',
      },
      {
        line: 'return Object.fromEntries(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))',
        was: 'a < b',
        becomes: 'a >= b',
      },
    ],
  },
  {
    file: 'src/core/tombstones.ts',
    why: 'It spares a look, or makes it a cheaper one.',
    changes: [
      { line: 'if (ids.length === 0) return () => 1', was: 'ids.length === 0', becomes: 'false' },
      {
        line: "const found = await tombstones.find({ id: keys.length === 1 ? (keys[0] ?? '') : { $in: keys } })",
        was: 'keys.length === 1',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/core/tombstones.ts',
    why: 'Of one key there is a first one.',
    changes: [
      {
        line: "const found = await tombstones.find({ id: keys.length === 1 ? (keys[0] ?? '') : { $in: keys } })",
        was: "''",
        becomes: '"Stryker was here!"',
      },
    ],
  },
]
