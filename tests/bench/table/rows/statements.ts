import type { Target } from '../target.ts'

const statements = { group: 'statements', unit: 'statements' } as const

/** What a write asks of the embedded store; `tests/bounds/statements.test.ts` holds the numbers. */
export const statementRows = {
  createStatements: {
    ...statements,
    what: 'in the commit of a create',
    load: 'create',
  },
  createKeyedStatements: {
    ...statements,
    what: 'in the commit of a create with an Idempotency-Key',
    load: 'createKeyed',
  },
  runStatements: {
    ...statements,
    what: 'in the commit of a template run',
    load: 'run',
  },
  messageStatements: {
    ...statements,
    what: 'in the commit of a message between agents',
    load: 'message',
  },
  sendMessageStatements: {
    ...statements,
    what: 'in the commit of an A2A SendMessage calling the read, looked at after',
    load: 'sendMessage',
  },
  voteStatements: {
    ...statements,
    what: 'in the commit of a vote',
    load: 'vote',
  },
} satisfies Record<string, Target>
