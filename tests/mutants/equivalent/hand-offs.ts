import type { Equivalents } from '../equivalents.ts'

export const handOffs: readonly Equivalents[] = [
  {
    file: 'src/agents/friends/bounds.ts',
    why: 'Every account has its usage from the beginning.',
    changes: [
      {
        line: 'const friend_turns = (await usage.get(id))?.friend_turns ?? null',
        was: '(await usage.get(id))?.friend_turns',
        becomes: '(await usage.get(id)).friend_turns',
      },
    ],
  },
  {
    file: 'src/runs/ending/handoff.ts',
    why: 'It spares a write that would change nothing.',
    changes: [{ line: 'if (by === 0) return []', was: 'by === 0', becomes: 'false' }],
  },
]
