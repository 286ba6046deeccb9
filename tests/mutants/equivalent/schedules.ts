import type { Equivalents } from '../equivalents.ts'

export const schedules: readonly Equivalents[] = [
  {
    file: 'src/runs/schedules/catch-up.ts',
    why: 'Every schedule has fires before and after any time.',
    changes: [
      {
        line: 'const latest = lastFires(schedule, now + 1)[0]?.firesAt ?? Number.NEGATIVE_INFINITY',
        was: 'lastFires(schedule, now + 1)[0]?.firesAt',
        becomes: 'lastFires(schedule, now + 1)[0].firesAt',
      },
    ],
  },
  {
    file: 'src/agents/tasks/schedule/next-due.ts',
    why: 'Every schedule has fires before and after any time.',
    changes: [
      {
        line: 'if (pending <= now && nextFires(schedule, pending - 1)[0]?.firesAt === pending) {',
        was: 'nextFires(schedule, pending - 1)[0]?.firesAt',
        becomes: 'nextFires(schedule, pending - 1)[0].firesAt',
      },
    ],
  },
  {
    file: 'src/agents/tasks/schedule/jitter.ts',
    why: 'It spares a hash: of one place all come to the first, and there are never fewer.',
    changes: [
      { line: 'if (largest <= 0) return 0', was: 'largest <= 0', becomes: 'largest < 0' },
      { line: 'if (largest <= 0) return 0', was: 'largest <= 0', becomes: 'false' },
    ],
  },
  {
    file: 'src/runs/schedules/release-waiting.ts',
    why: 'SQLite finds them by the index on the member, in its order.',
    changes: [
      {
        line: 'const tasks = await store.tasks.find(waiting, { sort: { waiting_run: 1 }, limit: atOnce })',
        was: '{ waiting_run: 1 }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/runs/schedules/turns.ts',
    why: 'It spares a look that would change nothing.',
    changes: [{ line: 'if (!waiting) return undefined', was: '!waiting', becomes: 'false' }],
  },
  {
    file: 'src/runs/schedules/window.ts',
    why: 'Where they are the same it has been decided already.',
    changes: [
      {
        line: 'if (from < to) return minute >= from && minute < to && isOpen(today)',
        was: 'from < to',
        becomes: 'from <= to',
      },
    ],
  },
]
