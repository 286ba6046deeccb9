// JavaScript, so that a start can read it before it has the Node that it needs.

/**
 * @typedef {object} Program
 * @property {string} source its path below the root
 * @property {string} does what it does, in a line
 */

/** The programs by the words that they are called with. @type {ReadonlyMap<string, Program>} */
export const programs = new Map([
  ['start', { source: 'adapters/main.ts', does: 'runs the server; the default' }],
  ['mcp', { source: 'adapters/mcp-stdio.ts', does: 'speaks MCP on standard input and output' }],
  ['demo', { source: 'examples/demo/play.ts', does: 'plays a story on a server of its own' }],
  [
    'backup',
    { source: 'adapters/commands/backup.ts', does: 'backs the store up while it is used' },
  ],
  ['restore', { source: 'adapters/commands/restore.ts', does: 'puts a backup back, paused' }],
  ['invite', { source: 'adapters/commands/invite.ts', does: 'makes an invitation to sign up' }],
  [
    'accounts',
    { source: 'adapters/commands/accounts.ts', does: 'lists accounts, suspends and resumes them' },
  ],
  ['runs', { source: 'adapters/commands/runs.ts', does: 'shows runs, retries and drains them' }],
  ['verify', { source: 'adapters/commands/verify.ts', does: 'looks for what is wrong in a store' }],
  ['doctor', { source: 'adapters/commands/doctor.ts', does: 'says what a server lacks here' }],
  ['moderate', { source: 'adapters/commands/moderate.ts', does: 'moderates the Commons' }],
  [
    'rotate-master-key',
    {
      source: 'adapters/commands/rotate-master-key.ts',
      does: 'gives the store another master key',
    },
  ],
  [
    'copy-store',
    { source: 'adapters/commands/copy-store.ts', does: 'copies a store into an empty one' },
  ],
])

/** What answers where none of them is to run: help, the version, and words that mean nothing. */
export const guide = 'adapters/commands/guide.ts'
