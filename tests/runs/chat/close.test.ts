import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { chatOperations } from '#src/catalog/chat.ts'
import type { Store } from '#src/ports/store.ts'
import { startWork } from '#src/work/work.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { chatsOf, echo, makeTalker, saying, talker, think, type As, type Chats } from './chats.ts'

const { send, get, cancel, events, face } = chatOperations

/** The runner at work, until it goes out of scope. */
function started(world: World) {
  const work = startWork(world.ports, ['runner'], 2)
  return {
    /** The approval that a run waits for, once it does. */
    async approvalOf(run_id: string, key: string): Promise<string> {
      let id: string | null = null
      await until(async () => {
        ;({ approval_id: id } = await world.ask<{ approval_id: string | null }>(
          'runs.get',
          { run_id },
          key,
        ))
        return id !== null
      })
      return id ?? ''
    },
    [Symbol.asyncDispose]: () => work.stop(),
  }
}

describe.each(stores())('an agent that is closed to who wrote to it, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let chats: Chats
  let owner: string
  let sender: As

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    chats = chatsOf(world.core)
    owner = (await world.account()).key
    sender = { key: (await world.account()).key, idempotencyKey: 'the-same-message' }
    await makeTalker(world, owner, talker('ada', 'public', [echo, { ...think, order: 1 }]))
  })
  afterEach(() => store.close())

  const visibility = (change: object) =>
    world.ask('characters.visibility.update', { char_id: 'ada', visibility: change }, owner)
  const message = saying('One', { message_id: 'one' })

  it('gives no answer again once its chat is private', async () => {
    await chats.ask(send, message, sender)
    await chats.ask(send, message, sender)
    await visibility({ ability_access: { chat: 'private' } })
    expect(await chats.refused(send, message, sender)).toMatchObject({ code: 'forbidden' })
  })

  it('is there no more once it is private, with all that was sent to it', async () => {
    const { id } = await chats.ask(send, message, sender)
    const at = { char_id: 'ada', id }
    await visibility({ profile_visibility: 'private' })
    for (const [operation, input] of [
      [send, message],
      [get, at],
      [cancel, at],
      [events, at],
    ] as const) {
      const refusal = await chats.refused(operation, input, { key: sender.key })
      expect(refusal.code, operation.name).toBe('character_not_found')
    }
    expect(await chats.refused(send, message, sender)).toMatchObject({
      code: 'character_not_found',
    })
    expect(await chats.ask(get, at, { key: owner })).toMatchObject({ output: 'Heard: One' })
  })

  it('says nothing for another that has its id', async () => {
    await chats.ask(send, message, sender)
    await world.ask('characters.delete', { char_id: 'ada' }, owner)
    expect((await chats.refused(send, message, sender)).code).toBe('character_not_found')
    const another = (await world.account()).key
    await makeTalker(world, another, talker('ada', 'public'))
    expect((await chats.refused(send, message, sender)).code).toBe('run_not_found')
    const fresh = saying('One', { message_id: 'two' })
    expect(await chats.ask(send, fresh, { key: sender.key })).toMatchObject({
      output: 'Heard: One',
    })
  })

  itOnEach('is told of no more by a stream whose credential was revoked', async () => {
    const made = await world.ask<{ key: string; id: string }>(
      'api_keys.create',
      { name: 'To be revoked' },
      sender.key,
    )
    const { id } = await chats.say('One', { key: made.key }, { task_id: 'think' })
    const { answer } = await world.core.serve({
      operation: events,
      input: { char_id: 'ada', id },
      credential: made.key,
      address: '192.0.2.0',
      requestId: 'test',
      follow: true,
    })
    const following = answer?.events?.[Symbol.asyncIterator]()
    expect(await following?.next()).toMatchObject({ done: false })
    const next = following?.next()
    await world.ask('api_keys.revoke', { key_id: made.id }, sender.key)
    const leased = await world.ask<{ run: { id: string }; lease_token: string }>(
      'runs.lease',
      { char_id: 'ada' },
      owner,
    )
    const done = { run_id: leased.run.id, lease_token: leased.lease_token, output: 'secret' }
    await world.ask('runs.complete', done, owner)
    expect(await next).toMatchObject({ done: true })
  })

  itOnEach('tells others that a quorum has approved, and not who and why', async () => {
    const quorum = { approver_agent_ids: ['voter'], min_approvals: 1 }
    const asking = { task_id: 'ask', name: 'Ask', runtime: 'human_approval', quorum, order: 2 }
    await world.ask('characters.create', { character: { id: 'voter', name: 'Voter' } }, owner)
    await world.ask('tasks.create', { char_id: 'ada', task: asking }, owner)
    await using work = started(world)
    const { id } = await chats.say('May I?', { key: sender.key }, { task_id: 'ask' })
    const approval_id = await work.approvalOf(id, owner)
    const vote = { approval_id, decision: 'approve', as_char_id: 'voter', reason: 'margin is 40%' }
    await world.ask('approvals.decide', vote, owner)
    const at = { char_id: 'ada', id }
    expect(await chats.ask(get, at, { key: sender.key })).toMatchObject({
      output: { decision: 'approved' },
    })
    expect(JSON.stringify(await chats.ask(get, at, { key: sender.key }))).not.toContain('margin')
    expect(JSON.stringify(await chats.ask(get, at, { key: owner }))).toContain('margin')
  })

  it('has a visible name on its card, for any name of the agent', async () => {
    const unseen = { ...talker('bob', 'public', [{ ...echo, name: '\ufe0f' }]), name: '\ufe0f' }
    await makeTalker(world, owner, unseen)
    expect(await chats.ask(face, { char_id: 'bob' })).toMatchObject({
      name: 'bob',
      description: 'bob is an agent that accepts messages.',
      tasks: [{ name: 'echo' }],
    })
  })
})
