import { StreamResponse } from '@a2a-js/sdk'
import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { sealedPlaces } from '#adapters/commands/rotation/places.ts'
import { contentBytesAtMost } from '#src/runs/chat/push/view.ts'
import { chatOperations } from '#src/catalog/chat.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas } from '#tests/support/world.ts'
import { openStage, push, signedIn, stateIn, type Stage } from './push-harness.ts'

describe.each(stores())('notifications of chat tasks on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let stage: Stage
  beforeEach(async () => {
    stage = await openStage(kind)
  })
  afterEach(() => stage.close())

  const target = (more: object = {}): object => ({ url: stage.receiver.url, ...more })
  const states = (path = '/push'): string[] =>
    stage.receiver.calls.filter((call) => call.path === path).map(stateIn)
  const bodies = (): Record<string, unknown>[] =>
    stage.receiver.calls.map(({ body }) => JSON.parse(body) as Record<string, unknown>)

  it('tells each state of a task, and its results, in order', async () => {
    const { id, context_id } = await stage.message({ push: target() })
    await stage.deliver()
    expect(states()).toEqual(['submitted'])
    await stage.think('Forty-two', [
      { name: 'notes.md', media_type: 'text/markdown', content: '# Six' },
    ])
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'working', 'artifact', 'artifact', 'completed'])
    expect(bodies()).toMatchObject([
      { task: { id, contextId: context_id } },
      { statusUpdate: { taskId: id, contextId: context_id } },
      {
        artifactUpdate: {
          taskId: id,
          artifact: { artifactId: 'output', parts: [{ text: 'Forty-two' }] },
          lastChunk: true,
        },
      },
      { artifactUpdate: { artifact: { name: 'notes.md', parts: [{ text: '# Six' }] } } },
      { statusUpdate: { taskId: id, status: { timestamp: stage.clock.now().toISOString() } } },
    ])
    const read = bodies().map((body) => StreamResponse.fromJSON(body).payload?.$case)
    const artifact = 'artifactUpdate'
    expect(read).toEqual(['task', 'statusUpdate', artifact, artifact, 'statusUpdate'])
    expect(await stage.store.deliveries.count({ status: { $ne: 'delivered' } })).toBe(0)
  })

  it.each(['1.0', '0.3'])(
    'says in %s whose words a result has, to each who asks',
    async (version) => {
      const { store, owner, stranger } = stage
      const { id: chat_id } = await stage.message({
        push: target({ id: 'theirs', version }),
      })
      await stage.think('Forty-two')
      await stage.deliver()
      const metadataOf = (): unknown[] =>
        bodies().flatMap((body) => {
          const { artifactUpdate, artifacts } = body as {
            artifactUpdate?: { artifact: { metadata: unknown } }
            artifacts?: { metadata: unknown }[]
          }
          return [artifactUpdate?.artifact, ...(artifacts ?? [])].flatMap(
            (one) => one?.metadata ?? [],
          )
        })
      const theirs = { 'abode/untrusted': true, 'abode/source': { kind: 'chat', char_id: 'ada' } }
      expect(metadataOf()).toEqual([theirs])
      // No more of the account than everybody knows.
      expect(JSON.stringify(bodies())).not.toContain(owner.id)
      const run = await store.runs.get(chat_id)
      expect(run).toMatchObject({ untrusted: true, source: { kind: 'chat', account: stranger.id } })
    },
  )

  it('tells a task that has ended in the answer', async () => {
    const sent = await stage.message({ task_id: 'echo', push: target() })
    expect(sent.status).toBe('completed')
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'working', 'artifact', 'completed'])
  })

  it('tells the whole task to a target of 0.3', async () => {
    const { id, context_id } = await stage.message({ push: target({ version: '0.3' }) })
    await stage.think({ answer: 42 })
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'working', 'completed'])
    expect(bodies()[2]).toMatchObject({
      kind: 'task',
      id,
      contextId: context_id,
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'output', parts: [{ kind: 'data', data: { answer: 42 } }] }],
    })
    expect(stage.receiver.calls[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  it('tells that a task waits for an approval, and goes on after it', async () => {
    await stage.message({ task_id: 'gated', push: target() })
    await stage.work()
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'input-required'])
    const { items } = await stage.made.ask<{ items: { id: string }[] }>(
      'approvals.list',
      {},
      stage.owner.key,
    )
    const decision = { approval_id: items[0]?.id, decision: 'approve' }
    await stage.made.ask('approvals.decide', decision, stage.owner.key)
    await stage.work()
    await stage.deliver()
    expect(states().slice(2)).toEqual(['submitted', 'working', 'artifact', 'completed'])
  })

  it('tells of a failed task in general words, and its account the reason', async () => {
    const fail = async (key: string): Promise<void> => {
      await stage.message({ push: target() }, key)
      const { run, lease_token } = await stage.made.ask<{
        run: { id: string }
        lease_token: string
      }>('runs.lease', { char_id: 'ada' }, stage.owner.key)
      const error = { code: 'broken', message: 'marker-of-the-inside' }
      await stage.made.ask('runs.fail', { run_id: run.id, lease_token, error }, stage.owner.key)
      await stage.deliver()
    }
    await fail(stage.stranger.key)
    expect(states()).toEqual(['submitted', 'working', 'failed'])
    expect(JSON.stringify(bodies())).not.toContain('marker-of-the-inside')
    await fail(stage.owner.key)
    expect(JSON.stringify(bodies()[5])).toContain('marker-of-the-inside')
  })

  it('tells a task that is cancelled', async () => {
    const { id } = await stage.message({ push: target() })
    await stage.made.ask('runs.cancel', { run_id: id }, stage.owner.key)
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'canceled'])
  })

  it('tells that a run goes back after a transient failure, and starts again', async () => {
    await stage.message({ push: target() })
    const { run, lease_token } = await stage.made.ask<{ run: { id: string }; lease_token: string }>(
      'runs.lease',
      { char_id: 'ada' },
      stage.owner.key,
    )
    const given = { run_id: run.id, lease_token, error: { message: 'later' }, transient: true }
    await stage.made.ask('runs.fail', given, stage.owner.key)
    await stage.think('done')
    await stage.deliver()
    const again = ['submitted', 'working', 'artifact', 'completed']
    expect(states()).toEqual(['submitted', 'working', ...again])
  })

  it('shows itself by what the receiver gave, and by the published key', async () => {
    const authentication = { scheme: 'Bearer', credentials: 'marker-credentials' }
    await stage.message({ push: target({ token: 'marker-token', authentication }) })
    await stage.deliver()
    const [call] = stage.receiver.calls
    expect(call?.headers).toMatchObject({
      'content-type': 'application/a2a+json',
      'x-a2a-notification-token': 'marker-token',
      'a2a-notification-token': 'marker-token',
      authorization: 'Bearer marker-credentials',
      'a2a-version': '1.0',
      'user-agent': 'Abode/test',
    })
    if (!call) throw new Error('nothing was called')
    const { headers } = call
    const { about, version, holds } = await signedIn(call, stage.made)
    expect({ version, holds }).toEqual({ version: 'v1a', holds: true })
    expect(about).toMatchObject({
      alg: 'EdDSA',
      jku: 'http://127.0.0.1:8080/.well-known/jwks.json',
      jti: headers['webhook-id'],
      iat: Number(headers['webhook-timestamp']),
      aud: stage.receiver.url,
    })
    expect(Number(headers['webhook-timestamp'])).toBe(stage.clock.now().getTime() / 1000)
    const changed = { ...call, body: call.body.replace('SUBMITTED', 'COMPLETED') }
    await expect(signedIn(changed, stage.made)).rejects.toThrow('signature verification failed')
  })

  it('keeps the secrets of the receiver sealed, and returns them to no one', async () => {
    const authentication = { scheme: 'Bearer', credentials: 'marker-credentials' }
    const secret = target({ id: 'mine', token: 'marker-token', authentication })
    const { id: chat_id } = await stage.message({ push: secret })
    const set = await stage.serve(push.set, { chat_id, target: { ...secret, id: 'other' } })
    const got = await stage.serve(push.get, { chat_id, id: 'mine' })
    const list = await stage.serve(push.list, { chat_id })
    const { store } = stage
    const rest = [store.push_targets, store.deliveries, store.runs, store.chats].map((rows) =>
      rows.find({}),
    )
    const kept = JSON.stringify([set, got, list, await Promise.all(rest)])
    expect(kept).toContain('Bearer')
    expect(kept).not.toContain('marker-')
    // A change of the master key seals it again.
    const place = sealedPlaces.find(({ collection }) => collection === 'push_targets')
    const [[id, sealed] = []] = (await place?.next(store, '', 1)) ?? []
    const binding = { id: String(id), purpose: place?.purpose ?? '' }
    expect(stage.made.ports.sealer.open(String(sealed), binding)).toContain('marker-token')
  })

  it('leaves out what is too large, and says so', async () => {
    await stage.message({ push: target() })
    await stage.message({ push: target({ version: '0.3' }) })
    const big = 'x'.repeat(contentBytesAtMost)
    await stage.think(big, [{ name: 'small', content: 'small' }])
    await stage.think(big, [{ name: 'small', content: 'small' }])
    await stage.deliver()
    const sizes = stage.receiver.calls.map(({ body }) => body.length)
    expect(Math.max(...sizes)).toBeLessThan(4096)
    const cut = stage.receiver.calls.filter(({ body }) => body.includes('read the task to have it'))
    expect(cut).toHaveLength(2)
    for (const { body } of cut) expect(body).toContain('"abode/cut":true')
    expect(stage.receiver.calls.filter(({ body }) => body.includes('"small"'))).toHaveLength(2)
  })

  it('has several targets a task, ten at most, each under its own id', async () => {
    const { id: chat_id } = await stage.message({ push: target({ id: 't0' }) })
    const set = (id: string): object => ({ chat_id, target: target({ id }) })
    const ids = Array.from({ length: 9 }, (_, i) => `t${i + 1}`)
    for (const id of ids) await stage.serve(push.set, set(id))
    expect(await stage.refusal(push.set, set('t10'))).toMatchObject({ code: 'quota_exceeded' })
    await stage.serve(push.set, set('t3'))
    const { items } = await stage.serve<{ items: { id: string }[] }>(push.list, { chat_id })
    expect(items.map(({ id }) => id)).toEqual(['t0', ...ids])
    await stage.serve(push.delete, { chat_id, id: 't3' })
    await stage.serve(push.delete, { chat_id, id: 't3' })
    await stage.serve(push.set, set('t10'))
  })

  itOnEach('lets ten at once set no more than ten', async () => {
    const { id: chat_id } = await stage.message({ push: target({ id: 'first' }) })
    const asked = Array.from({ length: 14 }, (_, i) =>
      stage
        .serve(push.set, { chat_id, target: target({ id: `t${i}` }) })
        .then(() => true)
        .catch(() => false),
    )
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(9)
    expect(await stage.store.push_targets.count({ chat_id })).toBe(10)
  })

  it('sets targets for the sender alone', async () => {
    const { id: chat_id } = await stage.message()
    const mine = { chat_id, target: target({ id: 'mine' }) }
    await stage.serve(push.set, mine)
    const unknown = { code: 'run_not_found' }
    expect(await stage.refusal(push.set, mine, stage.owner.key)).toMatchObject(unknown)
    expect(await stage.refusal(push.list, { chat_id }, stage.owner.key)).toMatchObject(unknown)
    const other = (await stage.made.account()).key
    for (const op of [push.get, push.delete]) {
      expect(await stage.refusal(op, { chat_id, id: 'mine' }, other)).toMatchObject(unknown)
    }
    expect(await stage.refusal(push.set, { ...mine, chat_id: 'run_0' })).toMatchObject(unknown)
    expect(await stage.refusal(push.get, { chat_id, id: 'none' })).toMatchObject({
      code: 'push_config_not_found',
    })
    await stage.think('done')
    expect(await stage.serve(push.get, { chat_id, id: 'mine' })).toMatchObject({ id: 'mine' })
  })

  it('tells a target that is set after the end how the task ended, and no other', async () => {
    const { id: chat_id } = await stage.message({ push: target({ id: 'first' }) })
    await stage.think('Forty-two')
    await stage.deliver()
    stage.receiver.calls.length = 0
    const late = stage.receiver.at('/late')
    await stage.serve(push.set, { chat_id, target: { id: 'late', url: late } })
    await stage.deliver()
    expect(states()).toEqual([])
    expect(states('/late')).toEqual(['artifact', 'completed'])
    expect(bodies()[1]).toMatchObject({ statusUpdate: { taskId: chat_id } })
    const old = stage.receiver.at('/old')
    await stage.serve(push.set, { chat_id, target: { id: 'old', url: old, version: '0.3' } })
    await stage.deliver()
    expect(states('/old')).toEqual(['completed'])
  })

  it('tells what waits for a target that is set again after the end at its new address, once', async () => {
    const { id: chat_id } = await stage.message({ push: target({ id: 'mine' }) })
    await stage.think('done')
    const late = stage.receiver.at('/late')
    await stage.serve(push.set, { chat_id, target: { id: 'mine', url: late } })
    await stage.deliver()
    expect(states()).toEqual([])
    expect(states('/late')).toEqual(['submitted', 'working', 'artifact', 'completed'])
    await stage.serve(push.set, { chat_id, target: target({ id: 'mine' }) })
    await stage.deliver()
    expect(states()).toEqual(['artifact', 'completed'])
  })

  it('leaves no more with an account by a target after the end than its sender may', async () => {
    await stage.close()
    // A twentieth of it is what one sender may leave.
    const table = { ...noQuotas.unclaimed, stored_bytes: 1_000_000 }
    stage = await openStage(kind, { claimed: table, unclaimed: table })
    const { id: chat_id } = await stage.message()
    await stage.think('x'.repeat(20_000))
    await stage.serve(push.set, { chat_id, target: target({ id: 'first' }) })
    const refusal = await stage.refusal(push.set, { chat_id, target: target({ id: 'second' }) })
    const hint = expect.stringContaining('what you sent before')
    expect(refusal).toMatchObject({ code: 'quota_exceeded', hint })
    expect(await stage.store.push_targets.count({})).toBe(1)
  })

  it.each([
    ['a private address', { url: 'http://10.0.0.1/hook' }],
    ['the machine itself', { url: 'http://localhost:1/hook' }],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/latest' }],
    ['no address', { url: 'hook' }],
    ['a file', { url: 'file:///etc/passwd' }],
    ['an address with a password', { url: 'https://me:secret@receiver.example/' }],
    ['a token that ends its header', { token: 'a\r\nX-Other: b' }],
    ['credentials of many lines', { authentication: { scheme: 'Bearer', credentials: 'a\nb' } }],
    ['a scheme that is none', { authentication: { scheme: 'Bearer x' } }],
  ])('refuses %s when it is written, with the message', async (_, wrong) => {
    const parts = [{ text: 'Hello' }]
    const message = { message_id: 'wrong', parts, push: { ...target(), ...wrong } }
    const refusal = await stage.refusal(chatOperations.send, message)
    expect(refusal).toMatchObject({ code: 'invalid_input' })
    expect(refusal.errors?.[0]?.pointer).toMatch(/^\/push\//)
    expect(JSON.stringify(refusal.toObject('test'))).not.toContain('secret@')
    expect(await stage.store.runs.count({})).toBe(0)
  })
})
