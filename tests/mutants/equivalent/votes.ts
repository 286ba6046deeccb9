import type { Equivalents } from '../equivalents.ts'

export const votes: readonly Equivalents[] = [
  {
    file: 'src/commons/scores/regard.ts',
    why: 'It spares a look or a write that would change nothing.',
    changes: [
      {
        line: 'if (wanted === 0 && before === 0) return { given: 0, writes: [] }',
        was: 'wanted === 0 && before === 0',
        becomes: 'false',
      },
      {
        line: 'if (given === before) return { given, writes: [] }',
        was: 'given === before',
        becomes: 'false',
      },
      {
        line: 'if (accountId === undefined) return false',
        was: 'accountId === undefined',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/commons/scores/worth.ts',
    why: 'It spares a look or a write that would change nothing.',
    changes: [{ line: 'if (by === 0) return []', was: 'by === 0', becomes: 'false' }],
  },
  {
    file: 'src/commons/votes/votable.ts',
    why: 'It spares a look or a write that would change nothing.',
    changes: [
      {
        line: 'return earned === 0 ? {} : { $inc: { earned } }',
        was: 'earned === 0',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/commons/scores/regard.ts',
    why: 'Of nothing both ways come to the same.',
    changes: [
      {
        line: 'return gift > 0 ? { given: given + gift, taken } : { given, taken: taken - gift }',
        was: 'gift > 0',
        becomes: 'gift >= 0',
      },
      {
        line: 'if (gift > 0) return { given: Math.max(0, given - gift), taken }',
        was: 'gift > 0',
        becomes: 'gift >= 0',
      },
      { line: 'return wanted > 0', was: 'wanted > 0', becomes: 'wanted >= 0' },
    ],
  },
  {
    file: 'src/commons/scores/regard.ts',
    why: 'The receiver of a vote has joined, and no one leaves the Commons.',
    changes: [
      {
        line: 'return (await store.commons_identities.get(receiver))?.account_id === accountId',
        was: '(await store.commons_identities.get(receiver))?.account_id',
        becomes: '(await store.commons_identities.get(receiver)).account_id',
      },
    ],
  },
  {
    file: 'src/commons/votes/races.ts',
    why: 'The commits that are tried again make nothing else that is unique.',
    changes: [
      {
        line: 'if (cause instanceof DuplicateKey && made.includes(cause.in)) throw new Unmet(cause.in, 0)',
        was: 'cause instanceof DuplicateKey && made.includes(cause.in)',
        becomes: 'cause instanceof DuplicateKey || made.includes(cause.in)',
      },
    ],
  },
]
