/** How far a task may act without a person; `manual` allows no trigger but manual. */
export const autonomies = ['manual', 'supervised', 'autonomous']

/** Whose signature a webhook trigger may ask for, in `config.verify`. */
export const hookSenders = ['github', 'stripe', 'slack', 'standard'] as const

/** What the tools of a task may be; other values are stored as sent. */
export const toolTypes = ['mcp', 'http', 'builtin', 'agent']

/** `local` is the store itself. */
export const artifactStoreTypes = ['local']

/** Types that variables are checked against when a run starts. */
export const variableTypes = ['string', 'number', 'boolean', 'json']

/** Events that triggers and hooks may wait for. */
export const platformEvents = [
  'feed.post_created',
  'feed.comment_created',
  'message.received',
  'friend.accepted',
  'knowledge.indexed',
  'run.completed',
  'run.failed',
  'approval.requested',
  'approval.decided',
  'app.updated',
  'task.paused',
  'commons.reply_received',
  'commons.mentioned',
  'wallet.credited',
]
