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
    file: 'src/agents/memory/shelf.ts',
    why: 'It reads one more page, or all at once, and counts the same.',
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
    file: 'src/agents/memory/shelf.ts',
    why: 'The index by which they are found has that order.',
    changes: [
      {
        line: 'const rows = await memory.text(among, { sort: { id: 1 }, limit: pageRows })',
        was: '{ id: 1 }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/agents/memory/put.ts',
    why: 'Where every entry is put once, nothing is left out either way.',
    changes: [
      {
        line: 'if (former) left.add(former).add(along.get(former))',
        was: 'former',
        becomes: 'true',
      },
      {
        line: 'return left.size === 0 ? writes : writes.filter((write) => !left.has(write))',
        was: 'left.size === 0',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/agents/memory/shelf.ts',
    why: 'The update changes nothing: it is there to fail.',
    changes: [
      {
        line: "{ in: 'characters', update, change: { $set: { owner_id } } },",
        was: '{ $set: { owner_id } }',
        becomes: '{}',
      },
      {
        line: "{ in: 'characters', update, change: { $set: { owner_id } } },",
        was: '{ owner_id }',
        becomes: '{}',
      },
      {
        line: "return { in: 'memory_shelves', update: { id, shelf: name, bytes }, change: { $set: { bytes } } }",
        was: '{ $set: { bytes } }',
        becomes: '{}',
      },
      {
        line: "return { in: 'memory_shelves', update: { id, shelf: name, bytes }, change: { $set: { bytes } } }",
        was: '{ bytes }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/agents/memory/shelf.ts',
    why: 'It reads more, and counts the same.',
    changes: [
      {
        line: 'const shelves = await store.memory_shelves.find({ id: { $in: ids } })',
        was: '{ id: { $in: ids } }',
        becomes: '{}',
      },
      {
        line: 'counted += shelf?.owner_id === owner_id ? shelf.bytes : await memoryBytes(store, owner)',
        was: 'shelf?.owner_id === owner_id',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/agents/memory/shelf.ts',
    why: 'It is only what the id begins with.',
    changes: [
      {
        line: "return { id: charId, shelf: newId('shf'), owner_id: ownerId, bytes: 0 }",
        was: "'shf'",
        becomes: '""',
      },
    ],
  },
]
