import { expect } from 'vitest'
import { newId } from '#src/core/ids.ts'
import {
  agent,
  brokenCursor,
  given,
  type Case,
  type Made,
  type MemberName,
  type Stage,
} from '#tests/operations/case.ts'
import { moderated, replyBy, threadBy } from './posts.ts'

const appeals = 'commons.appeal'
const list = 'commons.moderation.list'
const decisions = ['hold', 'release', 'remove'] as const

const types = ['thread', 'reply'] as const
const postOf = { thread: threadBy, reply: replyBy }
const gone = { thread: 'thread_not_found', reply: 'reply_not_found' } as const
const why = 'It quotes the manual, and names where.'

/** A post of the author's that moderation has held. */
async function heldBy(stage: Stage, type: (typeof types)[number], author: MemberName) {
  const id = await postOf[type](stage, author)
  await moderated(stage, 'hold', id)
  return id
}

const entriesOf = async (stage: Stage, id: string): Promise<string[]> => {
  const { items } = await stage.ask('commons.moderation.log', { limit: 100 })
  return items.filter(({ target_id }) => target_id === id).map(({ action }) => String(action))
}

const flag = (stage: Stage, type: string, target_id: string, as: MemberName = 'member') =>
  stage.ask('commons.flags.create', { target_type: type, target_id, reason: 'spam' }, as)

/** The matter of a post in the list, on any of its pages. */
async function matterIn(
  stage: Stage,
  target_id: string,
  state?: string,
): Promise<Made | undefined> {
  let cursor: string | undefined
  do {
    const input = { limit: 100, ...(state && { state }), ...(cursor && { cursor }) }
    const { items, next_cursor } = await stage.ask(list, input, 'third')
    const found = items.find((one) => one.target_id === target_id)
    if (found) return found
    cursor = next_cursor
  } while (cursor)
  return undefined
}

const appealsOfAny = types.flatMap((target_type): Case[] => [
  given({
    op: appeals,
    title: `the author of a held ${target_type} asks for another decision, in words for moderators`,
    as: 'member',
    given: (stage) => heldBy(stage, target_type, 'member'),
    input: (target_id) => ({ target_type, target_id, reason: why }),
    async answer(entry, id, stage) {
      expect(entry).toMatchObject({ action: 'appeal', target_type, target_id: id, by: 'author' })
      expect(JSON.stringify(entry)).not.toContain('manual')
      const log = await stage.ask('commons.moderation.log', { limit: 100 }, 'anonymous')
      expect(JSON.stringify(log)).not.toContain('manual')
      await stage.moderates('third')
      expect(await matterIn(stage, id, 'appealed')).toMatchObject({
        target_type,
        author: (await stage.member('member')).handle,
        body: expect.any(String) as string,
        hold: { action: 'hold', by: 'operator', reason: 'It breaks the rules.' },
        appeal: { reason: why },
        untrusted: true,
      })
    },
  }),
  given({
    op: appeals,
    title: `of a held ${target_type} there is one appeal, and another call answers the first`,
    as: 'member',
    async given(stage) {
      const target_id = await heldBy(stage, target_type, 'member')
      const first = await stage.ask(appeals, { target_type, target_id, reason: why }, 'member')
      return { target_id, first }
    },
    input: ({ target_id }) => ({ target_type, target_id, reason: 'In other words.' }),
    async answer(entry, { target_id, first }, stage) {
      expect(entry).toEqual(first)
      await stage.moderates('third')
      expect(await matterIn(stage, target_id)).toMatchObject({ appeal: { reason: why } })
    },
  }),
  given({
    op: appeals,
    title: `for the held ${target_type} of another member no one else appeals`,
    as: 'other',
    given: (stage) => heldBy(stage, target_type, 'member'),
    input: (target_id) => ({ target_type, target_id, reason: why }),
    refusal: 'not_author',
  }),
  given({
    op: appeals,
    title: `for a ${target_type} that stands there is nothing to appeal`,
    as: 'member',
    given: (stage) => postOf[target_type](stage, 'member'),
    input: (target_id) => ({ target_type, target_id, reason: why }),
    refusal: 'not_held',
  }),
  given({
    op: appeals,
    title: `once a ${target_type} was released there is nothing to appeal`,
    as: 'member',
    async given(stage) {
      const target_id = await heldBy(stage, target_type, 'member')
      await stage.ask(appeals, { target_type, target_id, reason: why }, 'member')
      await stage.moderates('third')
      await stage.ask(
        'commons.moderation.release',
        { target_type, target_id, reason: 'Fine.' },
        'third',
      )
      return target_id
    },
    input: (target_id) => ({ target_type, target_id, reason: why }),
    refusal: 'not_held',
  }),
  given({
    op: appeals,
    title: `a ${target_type} that was removed is gone for good`,
    as: 'member',
    async given(stage) {
      const id = await postOf[target_type](stage, 'member')
      await moderated(stage, 'remove', id)
      return id
    },
    input: (target_id) => ({ target_type, target_id, reason: why }),
    refusal: gone[target_type],
  }),
])

const decisionsOfAny = types.flatMap((target_type): Case[] => [
  given({
    op: 'commons.moderation.hold',
    title: `a moderator holds a ${target_type}, and its author is told`,
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      return postOf[target_type](stage, 'member')
    },
    input: (target_id) => ({ target_type, target_id, reason: 'Off the topic.' }),
    async answer(entry, id, stage) {
      const reason = 'Off the topic.'
      expect(entry).toMatchObject({ action: 'hold', target_type, target_id: id, reason })
      expect(Object.keys(entry)).not.toContain('moderator')
      expect(entry).toMatchObject({ by: 'moderator' })
      expect(await matterIn(stage, id, 'held')).toMatchObject({ hold: { id: entry.id } })
      const { items } = await stage.ask('commons.notifications.list', {}, 'member')
      expect(items[0]).toMatchObject({ kind: 'moderation', from: null })
      const told = await stage.ask('commons.notifications.list', {}, 'third')
      expect(told.items.map(({ kind }) => kind)).not.toContain('moderation')
    },
  }),
  given({
    op: 'commons.moderation.hold',
    title: `a ${target_type} that is held already is answered with the entry that holds it`,
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      return heldBy(stage, target_type, 'member')
    },
    input: (target_id) => ({ target_type, target_id, reason: 'Off the topic.' }),
    async answer(entry, id, stage) {
      expect(entry).toMatchObject({
        action: 'hold',
        by: 'operator',
        reason: 'It breaks the rules.',
      })
      expect(await entriesOf(stage, id)).toEqual(['hold'])
    },
  }),
  given({
    op: 'commons.moderation.hold',
    title: `to hold a ${target_type} again rejects the appeal of its author`,
    as: 'third',
    async given(stage) {
      const target_id = await heldBy(stage, target_type, 'member')
      await stage.ask(appeals, { target_type, target_id, reason: why }, 'member')
      await stage.moderates('third')
      return target_id
    },
    input: (target_id) => ({ target_type, target_id, reason: 'The manual says otherwise.' }),
    async answer(entry, target_id, stage) {
      expect(entry).toMatchObject({ action: 'hold', by: 'moderator' })
      expect(await entriesOf(stage, target_id)).toEqual(['hold', 'appeal', 'hold'])
      expect(await matterIn(stage, target_id, 'appealed')).toBeUndefined()
      const rejected = await matterIn(stage, target_id, 'held')
      expect(rejected).toMatchObject({ appeal: { reason: why }, hold: { id: entry.id } })
      const { items } = await stage.ask('commons.notifications.list', {}, 'member')
      expect(items.filter(({ kind }) => kind === 'moderation')).toHaveLength(2)
      await stage.ask(appeals, { target_type, target_id, reason: 'But still.' }, 'member')
      expect(await entriesOf(stage, target_id)).toEqual(['hold', 'appeal', 'hold'])
    },
  }),
  given({
    op: 'commons.moderation.release',
    title: `a moderator releases a ${target_type}, and it no longer waits`,
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      return heldBy(stage, target_type, 'member')
    },
    input: (target_id) => ({ target_type, target_id, reason: 'A plain question.' }),
    async answer(entry, id, stage) {
      expect(entry).toMatchObject({ action: 'restore', by: 'moderator', target_id: id })
      expect(await matterIn(stage, id)).toBeUndefined()
      const { items } = await stage.ask('commons.notifications.list', {}, 'member')
      expect(items.filter(({ kind }) => kind === 'moderation')).toHaveLength(2)
    },
  }),
  given({
    op: 'commons.moderation.release',
    title: `to release a ${target_type} that is only flagged dismisses its flags, and tells no one`,
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      await stage.raise('other', 1)
      const id = await postOf[target_type](stage, 'member')
      await flag(stage, target_type, id, 'other')
      const flags = [{ reason: 'spam', count: 1 }]
      expect(await matterIn(stage, id, 'flagged')).toMatchObject({
        flags,
        hold: null,
        appeal: null,
      })
      return id
    },
    input: (target_id) => ({ target_type, target_id, reason: 'A plain question.' }),
    async answer(entry, id, stage) {
      expect(entry).toMatchObject({ action: 'dismiss', by: 'moderator', target_id: id })
      expect(await matterIn(stage, id)).toBeUndefined()
      const { items } = await stage.ask('commons.notifications.list', {}, 'member')
      expect(items.filter(({ kind }) => kind === 'moderation')).toEqual([])
    },
  }),
  given({
    op: 'commons.moderation.release',
    title: `a ${target_type} that is neither held nor flagged cannot be released`,
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      return postOf[target_type](stage, 'member')
    },
    input: (target_id) => ({ target_type, target_id, reason: 'Fine.' }),
    refusal: 'not_held',
  }),
  given({
    op: 'commons.moderation.remove',
    title: `a moderator removes a ${target_type} for good, and it no longer waits`,
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      return heldBy(stage, target_type, 'member')
    },
    input: (target_id) => ({ target_type, target_id, reason: 'Publishes an address.' }),
    async answer(entry, target_id, stage) {
      expect(entry).toMatchObject({ action: 'remove', by: 'moderator', target_id })
      expect(await matterIn(stage, target_id)).toBeUndefined()
      const input = { target_type, target_id, reason: 'And again.' }
      expect(await stage.ask('commons.moderation.remove', input, 'third')).toEqual(entry)
    },
  }),
  given({
    op: 'commons.moderation.remove',
    title: `a ${target_type} that its author has deleted is gone already`,
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      const id = await heldBy(stage, target_type, 'member')
      await stage.ask(
        `commons.${target_type === 'thread' ? 'threads' : 'replies'}.delete`,
        { [`${target_type}_id`]: id },
        'member',
      )
      expect(await matterIn(stage, id)).toBeUndefined()
      return id
    },
    input: (target_id) => ({ target_type, target_id, reason: 'Publishes an address.' }),
    refusal: gone[target_type],
  }),
  ...decisions.flatMap((decision): Case[] => [
    given({
      op: `commons.moderation.${decision}`,
      title: `of a ${target_type} that there is not`,
      as: 'third',
      given: (stage) => stage.moderates('third'),
      input: () => ({
        target_type,
        target_id: newId(target_type === 'thread' ? 'thr' : 'rep'),
        reason: 'None.',
      }),
      refusal: gone[target_type],
    }),
    given({
      op: `commons.moderation.${decision}`,
      title: `no moderator decides about a ${target_type} of their own`,
      as: 'third',
      async given(stage) {
        await stage.moderates('third')
        return heldBy(stage, target_type, 'third')
      },
      input: (target_id) => ({ target_type, target_id, reason: 'Mine.' }),
      refusal: 'forbidden',
      error: ({ hint }) => expect(hint).toContain('commons.appeal'),
    }),
  ]),
])

const decisionsOfAll = decisions.flatMap((decision): Case[] => {
  const op = `commons.moderation.${decision}`
  return [
    given({
      op,
      title: 'a member that the operator has not named decides nothing',
      as: 'other',
      async given(stage) {
        await stage.raise('other', 4)
        return heldBy(stage, 'thread', 'member')
      },
      input: (target_id) => ({ target_type: 'thread', target_id, reason: 'I say so.' }),
      refusal: 'forbidden',
      error: ({ hint }) => expect(hint).toMatch(/operator of this server/),
    }),
    given({
      op,
      title: 'a reason is not longer than a line of the log',
      as: 'third',
      given: async (stage) => {
        await stage.moderates('third')
        return heldBy(stage, 'thread', 'member')
      },
      input: (target_id) => ({ target_type: 'thread', target_id, reason: 'x'.repeat(501) }),
      refusal: 'invalid_input',
    }),
    given({
      op,
      title: 'a reason holds no credential',
      as: 'third',
      given: async (stage) => {
        await stage.moderates('third')
        return heldBy(stage, 'thread', 'member')
      },
      input: (target_id) => ({
        target_type: 'thread',
        target_id,
        reason: `It shows ghp_${'a1B2c3D4e5'.repeat(3)}F6g7h8.`,
      }),
      refusal: 'secret_detected',
    }),
  ]
})

export const commonsAppeals: readonly Case[] = [
  ...appealsOfAny,
  given({
    op: appeals,
    title: 'the account of an agent appeals for it',
    as: 'owner',
    async given(stage) {
      const as_char_id = await agent(stage)
      const body = `${stage.id('why')} ${stage.id('does')} ${stage.id('it')}`
      const made = { board: 'ask', title: 'Why', body, as_char_id }
      const { id: target_id } = await stage.ask('commons.threads.create', made)
      await moderated(stage, 'hold', target_id)
      return { target_type: 'thread', target_id, as_char_id }
    },
    input: (target) => ({ ...target, reason: why }),
    answer: (entry) => expect(entry).toMatchObject({ action: 'appeal', by: 'author' }),
  }),
  given({
    op: appeals,
    title: 'to a stranger the replies of a held thread are not there',
    as: 'other',
    async given(stage) {
      const id = await heldBy(stage, 'reply', 'member')
      const reply = await stage.world.ports.store.commons_replies.get(id)
      await moderated(stage, 'hold', reply?.thread_id ?? '')
      return id
    },
    input: (target_id) => ({ target_type: 'reply', target_id, reason: why }),
    refusal: 'reply_not_found',
  }),
  ...(['x'.repeat(1001), '', ' \n', 'a\u202eb'] as const).map((reason) =>
    given({
      op: appeals,
      title: `a reason is plain text of up to 1,000 characters: ${JSON.stringify(reason.slice(0, 5))}`,
      as: 'member',
      given: (stage) => heldBy(stage, 'thread', 'member'),
      input: (target_id) => ({ target_type: 'thread', target_id, reason }),
      refusal: 'invalid_input',
    }),
  ),
  given({
    op: appeals,
    title: 'a reason holds no credential',
    as: 'member',
    given: (stage) => heldBy(stage, 'thread', 'member'),
    input: (target_id) => ({
      target_type: 'thread',
      target_id,
      reason: `The token is ghp_${'a1B2c3D4e5'.repeat(3)}F6g7h8.`,
    }),
    refusal: 'secret_detected',
  }),
  given({
    op: appeals,
    title: 'a handle cannot be appealed for',
    as: 'member',
    given: async (stage) => (await stage.member('member')).handle,
    input: (target_id) => ({ target_type: 'identity', target_id, reason: why }),
    refusal: 'invalid_input',
  }),
  given({
    op: appeals,
    title: 'without a credential nothing is appealed for',
    as: 'anonymous',
    given: (stage) => heldBy(stage, 'thread', 'member'),
    input: (target_id) => ({ target_type: 'thread', target_id, reason: why }),
    refusal: 'missing_token',
  }),
  ...decisionsOfAny,
  ...decisionsOfAll,
  ...decisions.map((decision) =>
    given({
      op: `commons.moderation.${decision}`,
      title: 'who holds it does not decide about the appeal against that, as another moderator can',
      as: 'third',
      async given(stage) {
        await stage.moderates('third')
        await stage.moderates('other')
        const target = { target_type: 'thread', target_id: await threadBy(stage, 'member') }
        await stage.ask('commons.moderation.hold', { ...target, reason: 'Off the topic.' }, 'third')
        await stage.ask(appeals, { ...target, reason: why }, 'member')
        return target
      },
      input: (target) => ({ ...target, reason: 'As I said.' }),
      refusal: 'forbidden',
      error: ({ detail }) => expect(detail).toContain('Another moderator must decide'),
    }),
  ),
  given({
    op: 'commons.moderation.hold',
    title: 'an agent that moderates does not decide about another agent of its account',
    as: 'owner',
    async given(stage) {
      const as_char_id = await agent(stage)
      const body = `${stage.id('why')} ${stage.id('does')} ${stage.id('it')}`
      const made = { board: 'ask', title: 'Why', body }
      const by = await agent(stage, 'bob')
      const { id } = await stage.ask('commons.threads.create', { ...made, as_char_id: by })
      await stage.moderatesAgent(as_char_id)
      return { target_type: 'thread', target_id: id, as_char_id }
    },
    input: (target) => ({ ...target, reason: 'Family.' }),
    refusal: 'forbidden',
  }),
  given({
    op: 'commons.moderation.hold',
    title: 'what an agent decides is recorded in the audit of its account',
    as: 'owner',
    async given(stage) {
      const as_char_id = await agent(stage)
      await stage.moderatesAgent(as_char_id)
      const target_id = await threadBy(stage, 'member')
      return { target_type: 'thread', target_id, as_char_id }
    },
    input: (target) => ({ ...target, reason: 'Off the topic.' }),
    async answer(entry, { target_id }, stage) {
      const { items } = await stage.ask('account.audit', {})
      expect(items[0]).toMatchObject({
        operation: 'commons.moderation.hold',
        actor: { kind: 'key' },
        about: { target_id, entry_id: entry.id },
      })
    },
  }),
  given({
    op: list,
    title: 'shows a member that the operator has not named nothing, and says whom to ask',
    as: 'member',
    input: () => ({}),
    refusal: 'forbidden',
    error: ({ hint }) => expect(hint).toMatch(/operator of this server/),
  }),
  given({
    op: list,
    title: 'goes on where a page ended, with what waits longest first',
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      await heldBy(stage, 'thread', 'member')
      await stage.tick()
      await heldBy(stage, 'thread', 'other')
      const { items, next_cursor } = await stage.ask(list, { limit: 1, state: 'held' }, 'third')
      return { first: items[0], next_cursor }
    },
    input: ({ next_cursor }) => ({ limit: 1, state: 'held', cursor: next_cursor }),
    answer({ items }, { first }) {
      expect(items).toHaveLength(1)
      expect(
        String((items[0] as { since?: string } | undefined)?.since) >=
          String((first as { since?: string } | undefined)?.since),
      ).toBe(true)
      expect(items[0]?.target_id).not.toBe(first?.target_id)
    },
  }),
  given({
    ...brokenCursor(list, () => ({})),
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
    },
  }),
  given({
    op: 'commons.me.get',
    title: 'tells a member whose post is held that they can appeal, until they have',
    as: 'member',
    async given(stage) {
      const appealed = await heldBy(stage, 'thread', 'member')
      await stage.ask(
        appeals,
        { target_type: 'thread', target_id: appealed, reason: why },
        'member',
      )
      return heldBy(stage, 'reply', 'member')
    },
    input: () => ({}),
    answer({ next }, id) {
      const steps = next.filter(({ operation }) => String(operation) === appeals)
      expect(steps).toMatchObject([{ input: { target_type: 'reply', target_id: id } }])
    },
  }),
  given({
    op: 'commons.me.get',
    title: 'tells a moderator that something waits',
    as: 'third',
    async given(stage) {
      await stage.moderates('third')
      await heldBy(stage, 'thread', 'member')
    },
    input: () => ({}),
    answer: ({ next }) => expect(next.map(({ operation }) => String(operation))).toContain(list),
  }),
]
