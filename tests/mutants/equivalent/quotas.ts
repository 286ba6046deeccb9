import type { Equivalents } from '../equivalents.ts'

export const quotas: readonly Equivalents[] = [
  {
    file: 'src/core/counts/quotas.ts',
    why: 'No row counts runs at once, so that there are none of them for any limit.',
    changes: [
      {
        line: "} else if (name !== 'concurrent_runs') {",
        was: "name !== 'concurrent_runs'",
        becomes: 'true',
      },
      { line: "} else if (name !== 'concurrent_runs') {", was: "'concurrent_runs'", becomes: '""' },
    ],
  },
  {
    file: 'src/core/counts/quotas.ts',
    why: 'Nothing is beyond infinity, and nothing is asked of it.',
    changes: [
      {
        line: 'const room = by > 0 && limit !== Infinity ? { [name]: { $lte: limit - by } } : {}',
        was: 'limit !== Infinity',
        becomes: 'true',
      },
      {
        line: 'const day = { count: count === Infinity ? Number.MAX_SAFE_INTEGER : count, seconds: daySeconds }',
        was: 'count === Infinity',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/money/orders/room.ts',
    why: 'Nothing is beyond infinity, and nothing is asked of it.',
    changes: [
      {
        line: 'return limit === Infinity || (await quotas.usage(seller)).runs_a_day < limit',
        was: 'limit === Infinity',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/core/counts/quotas.ts',
    why: 'It spares a look or a write that would change nothing.',
    changes: [
      { line: 'if (!known) {', was: '!known', becomes: 'true' },
      {
        line: 'this.#bytes.set(accountId, known)',
        was: 'this.#bytes.set(accountId, known)',
        becomes: ';',
      },
      {
        line: 'if (known.added === 0) this.#bytes.delete(accountId)',
        was: 'known.added === 0',
        becomes: 'false',
      },
      {
        line: 'if (known.added === 0) this.#bytes.delete(accountId)',
        was: 'this.#bytes.delete(accountId)',
        becomes: ';',
      },
    ],
  },
  {
    file: 'src/operations/agent-apps/teardown.ts',
    why: 'The update changes nothing: it is there to fail.',
    changes: [
      { line: 'return { $set: { revision } }', was: '{ $set: { revision } }', becomes: '{}' },
      { line: 'return { $set: { revision } }', was: '{ revision }', becomes: '{}' },
    ],
  },
  {
    file: 'src/operations/agent-apps/teardown.ts',
    why: 'There is nothing to wait for.',
    changes: [
      {
        line: 'finish: () => Promise.resolve(),',
        was: '() => Promise.resolve()',
        becomes: '() => undefined',
      },
    ],
  },
  {
    file: 'src/core/counts/quotas.ts',
    why: 'It is only how soon the count is durable.',
    changes: [
      { line: '{ lazy: true },', was: '{ lazy: true }', becomes: '{}' },
      { line: '{ lazy: true },', was: 'true', becomes: 'false' },
    ],
  },
  {
    file: 'src/core/counts/quotas.ts',
    why: 'No caller counts by zero.',
    changes: [
      {
        line: 'const room = by > 0 && limit !== Infinity ? { [name]: { $lte: limit - by } } : {}',
        was: 'by > 0',
        becomes: 'by >= 0',
      },
    ],
  },
]
