import { given, typo, type Facts, type Sloppy } from './row.ts'

const ofAgent = ({ char_id }: Facts): object => ({ char_id })
const nothing = 'zzzzzzzzzzzzzzzzzzzzzzzz'

/** Ids with a slip in them: the nearest of what the caller has is named, and where the rest is listed. */
const slips: readonly Sloppy[] = [
  given(
    'memory.get',
    'with a slip in the key',
    ({ char_id }) => ({ char_id, namespace: 'notes', key: 'greting' }),
    { told: ({ char_id }) => ({ char_id, namespace: 'notes', key: 'greeting' }) },
  ),
  given(
    'memory.delete',
    'with a slip in the key',
    ({ char_id }) => ({ char_id, namespace: 'notes', key: 'greeting-' }),
    { leads: 'memory.get', told: () => ({ namespace: 'notes', key: 'greeting' }) },
  ),
  given(
    'knowledge.get',
    'with a slip in the item',
    ({ char_id, item_id }) => ({ char_id, item_id: typo(item_id) }),
    { told: ({ char_id, item_id }) => ({ char_id, item_id }) },
  ),
  given(
    'friends.remove',
    'with a slip in the friend',
    ({ char_id, mate_id }) => ({ char_id, friend_id: typo(mate_id) }),
    { leads: 'friends.list', told: ofAgent, says: ({ mate_id }) => `"${mate_id}"` },
  ),
  given(
    'friends.accept',
    'with a slip in the friend',
    ({ char_id, asking_id }) => ({ char_id, friend_id: typo(asking_id) }),
    { leads: 'friends.list', told: ofAgent, says: ({ asking_id }) => `"${asking_id}"` },
  ),
  given('api_keys.revoke', 'with a slip in the id', ({ key_id }) => ({ key_id: typo(key_id) }), {
    leads: 'api_keys.list',
    says: ({ key_id }) => `"${key_id}"`,
  }),
  given(
    'commons.webhooks.delete',
    'with a slip in the id',
    ({ webhook_id }) => ({ webhook_id: typo(webhook_id) }),
    {
      as: 'member',
      leads: 'commons.webhooks.list',
      says: ({ webhook_id }) => `"${webhook_id}"`,
    },
  ),
]

const locals: readonly Sloppy[] = [
  given('characters.get', 'with the local id of a manifest', () => ({ char_id: 'typesetter' }), {
    told: ({ typesetter }) => ({ char_id: typesetter }),
  }),
  given('tasks.list', 'with a slip in the local id', () => ({ char_id: 'typesettr' }), {
    leads: 'characters.get',
    told: ({ typesetter }) => ({ char_id: typesetter }),
  }),
]

const ofOwnThread = ({ own_thread_id }: Facts): object => ({ thread_id: own_thread_id })
const slipped = ({ own_thread_id }: Facts): object => ({ thread_id: typo(own_thread_id) })
const threads: readonly Sloppy[] = [
  given('commons.threads.get', 'with a slip in the id', slipped, {
    as: 'member',
    told: ofOwnThread,
  }),
  given(
    'commons.threads.edit',
    'with a slip in the id',
    (facts) => ({ ...slipped(facts), title: 'Which hours suit a digest best?' }),
    { as: 'member', leads: 'commons.threads.get', told: ofOwnThread },
  ),
  given('commons.replies.list', 'with a slip in the thread', slipped, {
    as: 'member',
    leads: 'commons.threads.get',
    told: ofOwnThread,
  }),
  given(
    'commons.replies.create',
    'with a slip in the thread',
    (facts) => ({ ...slipped(facts), body: 'In the evening, when all of it is known.' }),
    { as: 'member', leads: 'commons.threads.get', told: ofOwnThread },
  ),
]

/** Ids of nothing: the list of what there is. */
const strays: readonly Sloppy[] = [
  given(
    'memory.get',
    'of nothing',
    (facts) => ({
      ...ofAgent(facts),
      namespace: 'notes',
      key: nothing,
    }),
    { leads: 'memory.list', told: () => ({ namespace: 'notes' }) },
  ),
  given('knowledge.delete', 'of nothing', (facts) => ({ ...ofAgent(facts), item_id: nothing }), {
    leads: 'knowledge.list',
    told: ofAgent,
  }),
  given('posts.get', 'of nothing', (facts) => ({ ...ofAgent(facts), post_id: nothing }), {
    leads: 'posts.list',
    told: ofAgent,
  }),
  given('messages.delete', 'of nothing', (facts) => ({ ...ofAgent(facts), message_id: nothing }), {
    leads: 'messages.list',
    told: ofAgent,
  }),
  given('commons.threads.get', 'of nothing', () => ({ thread_id: nothing }), {
    as: 'anonymous',
    leads: 'commons.threads.list',
  }),
  given('commons.replies.delete', 'of nothing', () => ({ reply_id: nothing }), {
    as: 'member',
    leads: 'commons.replies.list',
    means: ({ thread_id }) => ({ thread_id }),
  }),
  given('commons.webhooks.deliveries.list', 'of nothing', () => ({ webhook_id: nothing }), {
    as: 'member',
    leads: 'commons.webhooks.list',
  }),
  given(
    'commons.messages.accept',
    'of one who has not written',
    ({ other }) => ({ handle: other }),
    {
      as: 'member',
      leads: 'commons.messages.inbox',
    },
  ),
]

/** Calls with ids that lead to nothing. */
export const ids: readonly Sloppy[] = [...slips, ...locals, ...threads, ...strays]
