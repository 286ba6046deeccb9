import type { Equivalents } from '../equivalents.ts'

export const ownership: readonly Equivalents[] = [
  {
    file: 'src/departures/agent.ts',
    why: 'The update changes nothing: it is there to fail.',
    changes: [
      { line: 'change: { $set: { revision } },', was: '{ $set: { revision } }', becomes: '{}' },
      { line: 'change: { $set: { revision } },', was: '{ revision }', becomes: '{}' },
    ],
  },
  {
    file: 'src/knowledge/library.ts',
    why: 'The update changes nothing: it is there to fail.',
    changes: [
      {
        line: "{ in: 'characters', update: { id, owner_id }, change: { $set: { owner_id } } },",
        was: '{ $set: { owner_id } }',
        becomes: '{}',
      },
      {
        line: "{ in: 'characters', update: { id, owner_id }, change: { $set: { owner_id } } },",
        was: '{ owner_id }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/knowledge/library.ts',
    why: 'It is only what the id begins with.',
    changes: [
      {
        line: "return { id: charId, shelf: newId('shf'), owner_id: ownerId, ...counts }",
        was: "'shf'",
        becomes: '""',
      },
    ],
  },
  {
    file: 'src/agents/memory/put.ts',
    why: 'Where every entry is put once, nothing is left out either way.',
    changes: [
      { line: 'puts += 1', was: 'puts += 1', becomes: 'puts -= 1' },
      {
        line: 'if (puts === last.size) return writes',
        was: 'puts === last.size',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/agents/memory/put.ts',
    why: 'It reads once more, or all at once, and counts the same.',
    changes: [
      {
        line: 'const rows = await memory.text(among, { sort: { id: 1 }, limit: pageRows })',
        was: '{ sort: { id: 1 }, limit: pageRows }',
        becomes: '{}',
      },
      {
        line: 'if (!last || rows.length < pageRows) return bytes',
        was: 'rows.length < pageRows',
        becomes: 'false',
      },
      {
        line: 'if (!last || rows.length < pageRows) return bytes',
        was: '!last || rows.length < pageRows',
        becomes: '!last && rows.length < pageRows',
      },
    ],
  },
  {
    file: 'src/agents/memory/put.ts',
    why: 'The index by which they are found has that order.',
    changes: [
      {
        line: 'const rows = await memory.text(among, { sort: { id: 1 }, limit: pageRows })',
        was: '{ id: 1 }',
        becomes: '{}',
      },
    ],
  },
]
