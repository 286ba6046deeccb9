import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { handleOfAgent } from '#src/commons/handle.ts'
import { newIdentity } from '#src/commons/identity.ts'
import { act } from '#src/commons/moderation/act.ts'
import type { Call } from '#src/core/door.ts'
import type { LimitTable } from '#src/core/admission/limits.ts'
import type { Store } from '#src/ports/store.ts'
import { operationNamed } from '#tests/operations/play.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { memberOf, solved } from '#tests/support/members.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const rotating = 'commons.identities.rotate'
const hour = 3600
const network = '127.0.0.0'

interface Rotated {
  handle: string
  token: string
}

describe.each(stores())('who is who in the Commons on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
  })
  afterEach(() => store.close())

  const serve = async (made: World, name: string, more: Partial<Call>): Promise<unknown> => {
    const operation = operationNamed(name)
    const call = { operation, input: {}, credential: undefined, address: network, requestId: 'r' }
    const { answer, refusal } = await made.core.serve({ ...call, ...more })
    return refusal ? refusal.code : (JSON.parse(answer.text) as unknown)
  }
  const order = (action: 'hold' | 'ban', target: string) =>
    act(store, { action, target, reason: 'A test', by: 'operator' }, new Date())
  /** An agent of an account, with a key that acts as it. */
  const agentOf = async (key: string, id = 'ada', made = world): Promise<string> => {
    await made.ask('characters.create', { character: { id, name: 'Ada' } }, key)
    const scope = { name: 'Scoped', scope_char_id: id }
    return (await made.ask<{ key: string }>('api_keys.create', scope, key)).key
  }
  const expectGone = async (handle: string): Promise<void> => {
    const identity = await world.ask('commons.identities.get', { handle })
    expect(identity).toMatchObject({ handle, kind: 'agent', char_id: null, status_card: null })
    expect(await world.ask('commons.status.list', {})).toMatchObject({ items: [] })
    const { token } = await memberOf(world)
    const letter = { to: handle, body: 'Is anybody there?' }
    expect(await world.refusal('commons.messages.send', letter, token)).toMatchObject({
      code: 'identity_not_found',
    })
  }
  const handleBy = async (token: string, made = world): Promise<string> => {
    const { identity } = await made.ask<{ identity: { handle: string } }>(
      'commons.me.get',
      {},
      token,
    )
    return identity.handle
  }

  describe('a token', () => {
    itOnEach(
      'that was replaced replaces no other, even where a process still caches it',
      async () => {
        const other = openWorld(store)
        const { token } = await memberOf(world)
        await other.ask('commons.me.get', {}, token)
        const { token: next } = await world.ask<Rotated>(rotating, {}, token)
        expect(await other.refusal(rotating, {}, token)).toMatchObject({ code: 'token_revoked' })
        await other.ask('commons.me.get', {}, next)
      },
    )

    itOnEach('is replaced once, however many ask at once', async () => {
      const worlds = [world, openWorld(store)] as const
      const { token } = await memberOf(world)
      await Promise.all(worlds.map((made) => made.ask('commons.me.get', {}, token)))
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          serve(worlds[i % 2] ?? world, rotating, { credential: token }),
        ),
      )
      const made = outcomes.filter((one) => one !== 'token_revoked')
      expect(made).toEqual([
        { handle: expect.any(String) as string, token: expect.any(String) as string },
      ])
      expect(await store.commons_tokens.count({ revoked_at: null })).toBe(1)
    })

    it('that was replaced still gets the answer that was lost, by its key and nothing else', async () => {
      const idempotencyKey = '6f1c9d2e-0000-4000-8000-4711aa4712bb'
      const { token } = await memberOf(world)
      const call = { credential: token, idempotencyKey }
      const first = await serve(world, rotating, call)
      expect(first).toMatchObject({ token: expect.stringMatching(/^cmn_/) as string })
      expect(await serve(world, rotating, call)).toEqual(first)
      expect(await serve(openWorld(store), rotating, call)).toEqual(first)

      const otherKey = { ...call, idempotencyKey: `${idempotencyKey}-2` }
      expect(await serve(world, rotating, otherKey)).toBe('token_revoked')
      expect(await serve(world, rotating, { credential: token })).toBe('token_revoked')
      const set = { ...call, input: { handle: 'grace' } }
      expect(await serve(world, 'commons.messages.block', set)).toBe('token_revoked')
      expect(await serve(world, 'commons.me.get', call)).toBe('token_revoked')
      expect(JSON.stringify(await store.idempotency.find({}))).not.toContain('cmn_')
    })

    it('that was replaced gets no answer of the token after it', async () => {
      const { token } = await memberOf(world)
      const next = await world.ask<Rotated>(rotating, {}, token)
      const idempotencyKey = '6f1c9d2e-0000-4000-8000-4711aa4712bb'
      await serve(world, rotating, { credential: next.token, idempotencyKey })
      const call = { credential: token, idempotencyKey }
      expect(await serve(world, rotating, call)).toBe('token_revoked')
    })

    it('is replaced under no key that could be guessed', async () => {
      const { token } = await memberOf(world)
      const call = { credential: token, idempotencyKey: 'rotate' }
      expect(await serve(world, rotating, call)).toBe('idempotency_key_invalid')
      await world.ask('commons.me.get', {}, token)
    })

    it('that is mistyped is told from a mistyped API key', async () => {
      const { token } = await memberOf(world)
      const mistyped = await world.refusal('commons.me.get', {}, token.slice(0, -1))
      expect(mistyped).toMatchObject({ code: 'invalid_token' })
      expect(mistyped.detail).toContain('Commons token')
      expect(mistyped.hint).toContain('commons.challenge.get')
    })
  })

  describe('limits', () => {
    const limited = (limits: LimitTable): World => openWorld(store, { limits, clock: fakeClock() })

    itOnEach.each([
      ['commons.challenge.get', 'challenges'],
      ['agent_claim.create', 'agent_claim'],
    ])('count %s by network, with any credential', async (name, limit) => {
      const tokens = await Promise.all([memberOf(world), memberOf(world), memberOf(world)])
      const made = limited({ [limit]: { count: 2, seconds: hour } })
      const seen = []
      for (const { token } of tokens) seen.push(await serve(made, name, { credential: token }))
      expect(seen.map((one) => one === 'rate_limited')).toEqual([false, false, true])
      const { key } = await world.account()
      expect(await serve(made, name, { credential: key })).toBe('rate_limited')
    })

    itOnEach('count new handles by network, with any credential', async () => {
      const made = limited({ identities: { count: 1, seconds: hour } })
      const join = async (credential?: string): Promise<unknown> => {
        const { challenge, bits } = await made.ask<{ challenge: string; bits: number }>(
          'commons.challenge.get',
          {},
        )
        const input = { challenge, counter: solved(challenge, bits) }
        return serve(made, 'commons.identities.create', { input, credential })
      }
      const { token } = await memberOf(world)
      expect(await join(token)).toMatchObject({ identity: { kind: 'handle' } })
      expect(await join((await memberOf(world)).token)).toBe('rate_limited')
      expect(await join()).toBe('rate_limited')
    })

    itOnEach('count agents that join as new handles', async () => {
      const made = limited({ identities: { count: 2, seconds: hour } })
      const { key } = await world.account()
      const tokens: string[] = []
      for (const id of ['ada', 'eve', 'bob']) tokens.push(await agentOf(key, id))
      const [ada = '', eve = '', bob = ''] = tokens
      // Concurrent first calls count once, and later calls of a member count nothing.
      await Promise.all([1, 2, 3].map(() => made.ask('commons.me.get', {}, ada)))
      await made.ask('commons.me.get', {}, ada)
      await made.ask('commons.me.get', {}, eve)
      const refused = await made.refusal('commons.me.get', {}, bob)
      expect(refused).toMatchObject({ code: 'rate_limited', retry_after_s: hour })
      await made.ask('commons.me.get', {}, eve)
      const elsewhere = { credential: bob, address: '10.0.0.0' }
      expect(await serve(made, 'commons.me.get', elsewhere)).toMatchObject({
        identity: { kind: 'agent' },
      })
    })
  })

  describe('an agent', () => {
    it('gets a handle although others have all that could be foretold', async () => {
      const now = new Date()
      for (let attempt = 0; attempt < 50; attempt++) {
        await store.commons_identities.insert(newIdentity(handleOfAgent('ada', attempt), now))
      }
      const { key } = await world.account()
      const handle = await handleBy(await agentOf(key))
      expect(handle).toMatch(/^ada-[0-9a-f]{8}$/)
    })

    itOnEach('does not read what is held of an agent that had its id', async () => {
      const before = await world.account()
      const old = await agentOf(before.key)
      const written = {
        board: 'ask',
        title: 'A title',
        body: 'Only its author may read this here.',
      }
      const { id } = await world.ask<{ id: string }>('commons.threads.create', written, old)
      const member = await memberOf(world)
      const asked = { board: 'ask', title: 'Another', body: 'A question that stays where it is.' }
      const open = await world.ask<{ id: string }>('commons.threads.create', asked, member.token)
      const answer = { thread_id: open.id, body: 'Nor may anybody else read this one here.' }
      const reply = await world.ask<{ id: string }>('commons.replies.create', answer, old)
      await order('hold', reply.id)
      await order('hold', id)
      const own = await world.ask<{ body: string }>('commons.threads.get', { thread_id: id }, old)
      expect(own.body).toBe(written.body)

      // As by a process that died before the identity had let go of its agent.
      await store.characters.delete({ id: 'ada' })
      const after = await world.account()
      const key = await agentOf(after.key)
      const seen = await world.ask('commons.threads.get', { thread_id: id }, key)
      expect(seen).toMatchObject({ state: 'held', title: null, body: null })
      const held = { author: 'ada', state: 'held' }
      expect(await world.ask('commons.threads.list', held, key)).toMatchObject({ items: [] })
      const replies = await world.ask<object>('commons.replies.list', { thread_id: open.id }, key)
      expect(JSON.stringify(replies)).not.toContain('Nor may')
      expect(await handleBy(key)).not.toBe('ada')
    })

    itOnEach('or a handle that is banned does not read what is its own', async () => {
      const member = await memberOf(world)
      const { key } = await world.account()
      const agent = { handle: 'ada', token: await agentOf(key) }
      for (const { handle, token } of [member, agent]) {
        const body = `Only ${handle} may read this here, and no one else.`
        const written = { board: 'ask', title: `Of ${handle}`, body }
        const { id } = await world.ask<{ id: string }>('commons.threads.create', written, token)
        await order('hold', id)
        const own = await world.ask('commons.threads.get', { thread_id: id }, token)
        expect(own).toMatchObject({ body })
        await order('ban', handle)
        const seen = await world.ask('commons.threads.get', { thread_id: id }, token)
        expect(seen).toMatchObject({ body: null })
        const held = { author: handle, state: 'held' }
        expect(await world.ask('commons.threads.list', held, token)).toMatchObject({ items: [] })
      }
    })

    it('that is deleted is gone from the Commons, and what it wrote stays', async () => {
      const { key } = await world.account()
      const token = await agentOf(key)
      const body = 'What an agent wrote outlives it, under its handle.'
      const written = { board: 'ask', title: 'A title', body }
      const { id } = await world.ask<{ id: string }>('commons.threads.create', written, token)
      await world.ask('commons.status.set', { state: 'looking', headline: 'Here' }, token)
      const member = await memberOf(world)
      await world.ask('commons.messages.send', { to: 'ada', body: 'Hello, Ada.' }, member.token)
      await world.ask('characters.delete', { char_id: 'ada' }, key)
      await expectGone('ada')
      const thread = await world.ask('commons.threads.get', { thread_id: id })
      expect(thread).toMatchObject({ body, author: { handle: 'ada' } })
      // Made again it is another one.
      const again = await handleBy(await agentOf(key))
      expect(again).toMatch(/^ada-[0-9a-f]{8}$/)
      await world.ask('commons.messages.send', { to: again, body: 'Hello.' }, member.token)
    })

    it.each(['teardown', 'update'])('that goes with the %s of its app is gone too', async (how) => {
      const { key } = await world.account()
      const manifest = (...agents: string[]) => ({
        app_id: 'newsroom',
        name: 'Newsroom',
        agents: agents.map((id) => ({ local_id: id, id, name: id })),
      })
      await world.ask('agent_apps.provision', { manifest: manifest('ada', 'eve') }, key)
      const scope = { name: 'Scoped', scope_char_id: 'ada' }
      const { key: token } = await world.ask<{ key: string }>('api_keys.create', scope, key)
      await world.ask('commons.status.set', { state: 'looking', headline: 'Here' }, token)
      const app_id = 'newsroom'
      if (how === 'teardown') await world.ask('agent_apps.teardown', { app_id }, key)
      else {
        const update = { app_id, manifest: manifest('eve'), prune: true }
        await world.ask('agent_apps.update', update, key)
      }
      await expectGone('ada')
    })

    itOnEach('that joins while it is being deleted is gone as well', async () => {
      const { key } = await world.account()
      const token = await agentOf(key)
      let isFirst = true
      const late: Store = {
        ...store,
        commit: async (writes) => {
          const isDeleting = writes.some((one) => one.in === 'characters' && 'delete' in one)
          if (isDeleting && isFirst) {
            isFirst = false
            await world.ask('commons.me.get', {}, token)
          }
          return store.commit(writes)
        },
      }
      await openWorld(late).ask('characters.delete', { char_id: 'ada' }, key)
      await expectGone('ada')
    })

    it('that was deleted does not join by a key that is still cached', async () => {
      const { key } = await world.account()
      const other = openWorld(store)
      const token = await agentOf(key)
      await other.ask('characters.list', {}, key)
      await serve(other, 'characters.get', { credential: token, input: { char_id: 'ada' } })
      await world.ask('characters.delete', { char_id: 'ada' }, key)
      const refused = await other.refusal('commons.me.get', {}, token)
      expect(refused).toMatchObject({ code: 'invalid_token' })
      expect(await store.commons_identities.count({})).toBe(0)
    })
  })
})
