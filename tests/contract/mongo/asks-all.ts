type Reasons = Readonly<Record<string, string>>

const inTurn = 'finds the accounts that are next, for a claim that names one'
const due = 'finds what is due of all accounts'

/** What calls select by without the shard key, so that each shard is asked, and why. */
export const askedByCalls: Reasons = {
  'characters: owner_id': 'a list of an account, whose agents are found by ids that people choose',
  'edges: outside, status': 'friendships of an account, each of which stands with one agent',
  'memory: _id $gt, owner_id': 'counts once what an agent kept before it had a shelf',
  'messages: $or': 'what an agent has sent stands with the receiver',
  'posts: _id $in': 'a home feed merges the posts of many agents',
  'posts: owner_id': 'a home feed merges the posts of many agents',
  'tasks: reacts': 'the tasks of an account that listen to what happens there',
}

/** The same of the loops, none of which holds up a caller. */
export const askedByLoops: Reasons = {
  'account_logs: until $gt': 'which accounts are listened to, read once and then told',
  'deliveries: $or, due_at $lte, owner_id $gt, status': inTurn,
  'events: $or, owner_id $gt': inTurn,
  'knowledge_items: $or, queue $gt, upload': inTurn,
  'knowledge_items: refresh_at $lte': due,
  'news: owner_id $gt': inTurn,
  'runs: _id $in, status': 'what another process has told of, by ids alone',
  'runs: $or, due_at $lte, waits_for': due,
  'runs: $or, owner_id $gt, waits_for': inTurn,
  'runs: due_at $lte, waits_for': due,
  'runs: held $gt': due,
  'runs: owner_id $gt, waits_for': inTurn,
  'runs: untold $gt': due,
  'runs: due_at $gt, status, waits_for':
    'the leases that the clock of a lost process had put too far ahead',
  'tasks: due_at $lte': due,
  'tasks: waiting_run $gt': due,
}
