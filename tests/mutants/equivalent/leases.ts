import type { Equivalents } from '../equivalents.ts'

export const leases: readonly Equivalents[] = [
  {
    file: 'src/runs/ending/cancel.ts',
    why: 'Every id of a run comes after it.',
    changes: [{ line: "let after = ''", was: "''", becomes: '"Stryker was here!"' }],
  },
  {
    file: 'src/runs/ending/cancel.ts',
    why: 'It is only how many are taken at a time.',
    changes: [
      {
        line: '{ sort: { id: 1 }, limit: atOnce },',
        was: '{ sort: { id: 1 }, limit: atOnce }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/runs/ending/cancel.ts',
    why: 'A run that has ended is found no more, and does not end again.',
    changes: [
      { line: 'const last = runs.at(-1)', was: '-1', becomes: '+1' },
      {
        line: 'for (const group of [runs.filter(isNoStep), runs.filter((run) => !isNoStep(run))]) {',
        was: 'runs.filter((run) => !isNoStep(run))',
        becomes: 'runs',
      },
    ],
  },
  {
    file: 'src/runs/claim.ts',
    why: 'The index by which they are found has that order.',
    changes: [
      {
        line: 'return store.runs.update(due, claimed(claim, now), { sort: { due_at: 1 } })',
        was: '{ sort: { due_at: 1 } }',
        becomes: '{}',
      },
      {
        line: 'return store.runs.update(due, claimed(claim, now), { sort: { due_at: 1 } })',
        was: '{ due_at: 1 }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/runs/claim.ts',
    why: 'Of two that are the same either is taken.',
    changes: [
      {
        line: 'const until = wanted < claim.longest ? wanted : claim.longest',
        was: 'wanted < claim.longest',
        becomes: 'wanted <= claim.longest',
      },
    ],
  },
  {
    file: 'src/runs/concurrency.ts',
    why: 'It saves a query, where no account has a limit.',
    changes: [
      {
        line: "const smallest = quotas.limitOf('concurrent_runs', { claimed: false })",
        was: "'concurrent_runs'",
        becomes: '""',
      },
      {
        line: 'if (smallest === Infinity) return true',
        was: 'smallest === Infinity',
        becomes: 'false',
      },
      {
        line: "if (quotas.limitOf('concurrent_runs', { claimed: false }) === Infinity) return false",
        was: "quotas.limitOf('concurrent_runs', { claimed: false }) === I…",
        becomes: 'false',
      },
      {
        line: "if (quotas.limitOf('concurrent_runs', { claimed: false }) === Infinity) return false",
        was: "'concurrent_runs'",
        becomes: '""',
      },
    ],
  },
  {
    file: 'src/runs/concurrency.ts',
    why: 'Undefined counts as unclaimed, like false.',
    changes: [
      {
        line: "const smallest = quotas.limitOf('concurrent_runs', { claimed: false })",
        was: '{ claimed: false }',
        becomes: '{}',
      },
      {
        line: "if (quotas.limitOf('concurrent_runs', { claimed: false }) === Infinity) return false",
        was: '{ claimed: false }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/runs/concurrency.ts',
    why: 'An account that is closed is kept.',
    changes: [
      {
        line: "const limit = quotas.limitOf('concurrent_runs', { claimed: account?.holder_id != null })",
        was: 'account?.holder_id',
        becomes: 'account.holder_id',
      },
    ],
  },
  {
    file: 'src/runs/concurrency.ts',
    why: 'The index by which they are found has that order, and only the first is looked at.',
    changes: [
      {
        line: 'const [next] = await store.runs.text(parked, { sort: { id: 1 }, limit: 1 })',
        was: '{ sort: { id: 1 }, limit: 1 }',
        becomes: '{}',
      },
      {
        line: 'const [next] = await store.runs.text(parked, { sort: { id: 1 }, limit: 1 })',
        was: '{ id: 1 }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/runs/ending/end-run.ts',
    why: 'Nothing else that these commits write is queued or waits for a decision.',
    changes: [
      { line: "if (write.in !== 'runs') return []", was: "write.in !== 'runs'", becomes: 'false' },
    ],
  },
  {
    file: 'src/runs/ending/end-run.ts',
    why: 'No other outcome has an output or artifacts.',
    changes: [
      {
        line: "output: outcome.status === 'completed' ? (outcome.output ?? null) : null,",
        was: "outcome.status === 'completed'",
        becomes: 'true',
      },
      {
        line: "artifacts: outcome.status === 'completed' ? (outcome.artifacts ?? []) : [],",
        was: "outcome.status === 'completed'",
        becomes: 'true',
      },
    ],
  },
  {
    file: 'src/runs/ending/end-run.ts',
    why: 'It only affects how soon listeners are told, or skips an empty message.',
    changes: [
      {
        line: 'for (const write of writes) {',
        was: "{ if (write.in === 'run_events' && 'insert' in write) ports…",
        becomes: '{}',
      },
      { line: 'if (count === 0) return', was: 'count === 0', becomes: 'false' },
    ],
  },
]
