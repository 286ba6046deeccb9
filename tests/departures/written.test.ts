import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeAccounts } from '#src/departures/account.ts'
import { retainer } from '#src/work/retention.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { memberOf, raised, solved } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Line {
  kind: string
  of: string | null
  document: Record<string, unknown>
}

const visibility = {
  profile_visibility: 'public',
  ability_access: { feed: 'public' },
}
const heart = {
  tasks: [
    {
      task_id: 'sold',
      name: 'Sold',
      runtime: 'template',
      prompt: 'Done',
      service_enabled: true,
    },
  ],
}

describe.each(stores())('what a person has written among others, on $name', (kind) => {
  let world: World
  let clock: FakeClock
  let ada: SignedInPerson
  let key: string
  let eve: { id: string; key: string }
  let member: { handle: string; token: string }

  beforeEach(async () => {
    clock = fakeClock(Date.now())
    world = openWorld(await kind.open(), { clock })
    ada = await signedInPerson(world.ports)
    eve = await world.account()
    ;({ key } = await world.ask<{ key: string }>('api_keys.create', { name: 'K' }, asAda()))
    const made = { visibility, heart }
    await world.ask('characters.create', { character: { id: 'ada-1', name: 'A', ...made } }, key)
    await world.ask(
      'characters.create',
      { character: { id: 'eve-1', name: 'E', ...made } },
      eve.key,
    )
    member = await memberOf(world)
  })
  afterEach(() => world.ports.store.close())

  const asAda = () => ({ token: ada.token })
  const id = async (op: string, input: object, credential: string) =>
    (await world.ask<{ id: string }>(op, input, credential)).id
  const exported = async (): Promise<Line[]> => {
    const all: Line[] = []
    for (let cursor: string | undefined; ;) {
      const page = { limit: 2, ...(cursor !== undefined && { cursor }) }
      type Page = { items: Line[]; next_cursor: string | null }
      const { items, next_cursor } = await world.ask<Page>('account.export', page, asAda())
      expect(items.length).toBeLessThanOrEqual(2)
      all.push(...items)
      if (next_cursor === null) return all
      cursor = next_cursor
    }
  }

  it('leaves out what was written under an id by the account that had it before', async () => {
    for (const name of ['reused', 'other']) {
      await world.ask('characters.create', { character: { id: name, name } }, eve.key)
    }
    const said = { char_id: 'reused', to: 'other', body: 'Of Eve alone' }
    await world.ask('messages.send', said, eve.key)
    await world.ask('messages.send', { ...said, char_id: 'other', to: 'reused' }, eve.key)
    await world.ask('characters.delete', { char_id: 'reused' }, eve.key)
    await world.ask('characters.create', { character: { id: 'reused', name: 'Mine' } }, key)
    expect(JSON.stringify(await exported())).not.toContain('Of Eve alone')
  })

  it('is in the export, once each, and stays where the account is deleted', async () => {
    const bought = await id('orders.create', { char_id: 'eve-1', task_id: 'sold' }, key)
    const sold = await id('orders.create', { char_id: 'ada-1', task_id: 'sold' }, eve.key)
    const own = await id('orders.create', { char_id: 'ada-1', task_id: 'sold' }, key)

    const adas = await id('feed.post', { char_id: 'ada-1', content: 'A post' }, key)
    const eves = await id('feed.post', { char_id: 'eve-1', content: 'A post' }, eve.key)
    const comment = (char_id: string, post_id: string, author_id: string) => ({
      char_id,
      post_id,
      author_id,
      content: `${author_id} to ${char_id}`,
    })
    const wrote = await id('posts.comment', comment('eve-1', eves, 'ada-1'), key)
    const below = await id('posts.comment', comment('ada-1', adas, 'ada-1'), key)
    const got = await id('posts.comment', comment('ada-1', adas, 'eve-1'), eve.key)

    const as_char_id = 'ada-1'
    const { challenge, bits } = await world.ask<{ challenge: string; bits: number }>(
      'commons.challenge.get',
      {},
    )
    const counter = solved(challenge, bits)
    await world.ask('commons.identities.prove', { challenge, counter, as_char_id }, key)
    const texts = { board: 'ask', title: 'How to resume it', body: 'It breaks off at times' }
    const asked = await id('commons.threads.create', { ...texts, as_char_id }, key)
    const others = await id(
      'commons.threads.create',
      { ...texts, title: 'Quite another', body: 'Words of someone else' },
      member.token,
    )
    const said = { thread_id: others, body: 'Try it again, but slowly' }
    const reply = await id('commons.replies.create', { ...said, as_char_id }, key)
    const vote = { target_type: 'thread', target_id: others, value: 1, as_char_id }
    await world.ask('commons.votes.cast', vote, key)
    const { identity } = await world.ask<{ identity: { handle: string } }>(
      'commons.me.get',
      { as_char_id },
      key,
    )
    const { handle } = identity
    await raised(world.ports.store, handle, 1)
    const flag = { target_type: 'thread', target_id: others, reason: 'other', as_char_id }
    await world.ask('commons.flags.create', flag, key)
    const letter = { to: member.handle, body: 'Hello there', as_char_id }
    const sent = await id('commons.messages.send', letter, key)
    await world.ask('commons.messages.accept', { handle }, member.token)
    const back = { to: handle, body: 'Hello to you' }
    const received = await id('commons.messages.send', back, member.token)

    const lines = await exported()
    const found = (kinds: RegExp) =>
      lines
        .filter((line) => kinds.test(line.kind))
        .map(({ kind: called, of, document }) => [called, of, document.id ?? document.target_id])
    expect(found(/^order/)).toEqual([
      ...[sold, own].sort().map((one) => ['order_sold', null, one]),
      ['order_bought', null, bought],
    ])
    expect(found(/^comment_/)).toEqual([
      ...[wrote, below].sort().map((one) => ['comment_written', null, one]),
      ['comment_received', adas, got],
    ])
    expect(found(/^commons_(thread|reply|vote|message)/)).toEqual([
      ['commons_thread', handle, asked],
      ['commons_reply', handle, reply],
      ['commons_vote', handle, others],
      ['commons_message_sent', handle, sent],
      ['commons_message_received', handle, received],
    ])
    expect(found(/^commons_flag/)).toEqual([['commons_flag', null, expect.stringMatching(/^flg?/)]])
    const ofOthers = lines.filter(({ kind: called }) => /bought|received/.test(called))
    for (const { document } of ofOthers) {
      expect(document).toMatchObject({ untrusted: true, source: expect.any(Object) as unknown })
    }
    expect(JSON.stringify(lines)).not.toMatch(/token_hash|"account_id":"acc_[^"]*","weight"|sketch/)

    await world.ask('account.delete', { confirm: ada.email }, asAda())
    for (let passes = 0; passes < 2; passes++) {
      clock.set(clock.now().getTime() + 700_000)
      await closeAccounts(world.ports, clock.now())
      const keeping = retainer(world.ports)
      for (let steps = 0; steps < 20; steps++) await keeping.tick(clock.now())
    }
    const { store } = world.ports
    const left = await Promise.all([
      store.orders.count({ id: { $in: [bought, sold, own] } }),
      store.post_comments.count({ id: { $in: [wrote, below, got] } }),
      store.commons_threads.count({ id: asked }),
      store.commons_replies.count({ id: reply }),
      store.commons_letters.count({ id: { $in: [sent, received] } }),
      store.posts.count({ id: { $in: [adas, eves] } }),
    ])
    expect(left).toEqual([3, 1, 1, 1, 2, 1])
  })
})
