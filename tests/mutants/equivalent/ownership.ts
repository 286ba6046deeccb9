import type { Equivalents } from '../equivalents.ts'

export const ownership: readonly Equivalents[] = [
  {
    file: 'src/characters/removing.ts',
    why: 'The update changes nothing: it is there to fail.',
    changes: [
      { line: 'change: { $set: { revision } },', was: '{ $set: { revision } }', becomes: '{}' },
      { line: 'change: { $set: { revision } },', was: '{ revision }', becomes: '{}' },
    ],
  },
  {
    file: 'src/knowledge/shelf.ts',
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
    file: 'src/operations/memory/delete.ts',
    why: 'The update changes nothing: it is there to fail.',
    changes: [
      {
        line: "{ in: 'memory', update: { id, revision }, change: { $set: { revision } } },",
        was: '{ $set: { revision } }',
        becomes: '{}',
      },
      {
        line: "{ in: 'memory', update: { id, revision }, change: { $set: { revision } } },",
        was: '{ revision }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/knowledge/shelf.ts',
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
    file: 'src/characters/removing.ts',
    why: 'Callers are forgotten with every change of a key, which the store tells.',
    changes: [
      {
        line: 'if (keys.length > 0) ports.forgetCallers()',
        was: 'keys.length > 0',
        becomes: 'true',
      },
      {
        line: 'if (keys.length > 0) ports.forgetCallers()',
        was: 'keys.length > 0',
        becomes: 'false',
      },
      {
        line: 'if (keys.length > 0) ports.forgetCallers()',
        was: 'keys.length > 0',
        becomes: 'keys.length >= 0',
      },
      {
        line: 'if (keys.length > 0) ports.forgetCallers()',
        was: 'keys.length > 0',
        becomes: 'keys.length <= 0',
      },
      {
        line: 'if (keys.length > 0) ports.forgetCallers()',
        was: 'ports.forgetCallers()',
        becomes: ';',
      },
    ],
  },
]
