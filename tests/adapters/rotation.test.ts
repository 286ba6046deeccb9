import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { masterKeyFor, MasterKeyUnusable } from '#adapters/compose/master-key.ts'
import { newLink } from '#src/accounts/mail/link.ts'
import { mailTo } from '#src/accounts/mail/mail.ts'
import { sealedPlaces } from '#adapters/commands/rotation/places.ts'
import { beginRotation, completeRotation, type Given } from '#adapters/commands/rotation/rotate.ts'
import { sealer } from '#src/core/seal.ts'
import type { Store } from '#src/ports/store.ts'
import { begunFactor } from '#src/accounts/factor/factor.ts'
import { serverKey } from '#src/events/browsers/server-key.ts'
import { browserSeal } from '#src/events/browsers/subscription.ts'
import { chosenWrite, newsSeal, settingsOf } from '#src/runs/told/settings.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const first = Buffer.alloc(32, 7)
const keyOf = (n: number): Buffer => Buffer.alloc(32, 100 + n)
const changing = new Set<PropertyKey>(['insert', 'update', 'delete'])

class Killed extends Error {}

/**
 * A store whose process is killed at the nth write: before or after it is done. From then on nothing
 * reaches it.
 */
function killedAt(store: Store, at: number, when: 'before' | 'after'): Store {
  let writes = 0
  let isDead = false
  const ofCollection = (collection: object): object =>
    new Proxy(collection, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...given: unknown[]): Promise<unknown> => {
          if (isDead) throw new Killed()
          const isLast = changing.has(name) && writes++ === at
          if (isLast) isDead = true
          if (isLast && when === 'before') throw new Killed()
          const done: unknown = await method.apply(target, given)
          if (isLast) throw new Killed()
          return done
        }
      },
    })
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'object' && member !== null ? ofCollection(member) : member
    },
  })
}

describe.each(stores())('the rotation of the master key on $name', (kind) => {
  let place: Place
  let store: Store
  let world: World

  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
    world = openWorld(store)
  })
  afterEach(async () => {
    await store.close()
    await place.remove()
  })

  /** Something in each place where something is sealed. */
  async function filled(more = 0): Promise<void> {
    const { key } = await world.account()
    const trigger = (secret: string) => ({ type: 'webhook', config: { path: 'in', secret } })
    const brain = { mcps: [{ name: 'files', env: { 'x-key': 'marker-server' } }] }
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada', brain } }, key)
    const secrets = [{ name: 'A', value: 'marker-shelf' }]
    await world.ask('characters.secrets.update', { char_id: 'ada', secrets }, key)
    const config = { headers: { 'x-key': 'marker-tool' } }
    const tools = [{ name: 'call', type: 'http', config }]
    const task = { task_id: 't', name: 'T', triggers: [trigger('marker-trigger')], tools }
    await world.ask('tasks.create', { char_id: 'ada', task }, key)
    const manifest = {
      app_id: 'app',
      name: 'App',
      webhook: { url: 'https://hooks.example/in', secret: 'marker-webhook' },
      agents: [
        { local_id: 'a', name: 'A', heart: { tasks: [{ ...task, triggers: [trigger('other')] }] } },
      ],
    }
    await world.ask('agent_apps.provision', { manifest }, key)
    const told = { as_char_id: 'ada', url: 'https://hooks.example/commons' }
    await world.ask('commons.webhooks.create', told, key)
    const binding = { id: 'run_1 mine', purpose: 'push_target' }
    await store.push_targets.insert({
      id: binding.id,
      chat_id: 'run_1',
      config_id: 'mine',
      char_id: 'ada',
      caller: 'key_1',
      is_own: false,
      payer: 'acc_1',
      version: '1.0',
      scheme: null,
      url: 'https://receiver.example/',
      is_gone: false,
      created_at: '2026-01-01T00:00:00.000Z',
      sealed: world.ports.sealer.seal('marker-token', binding),
    })
    await store.chats.insert({
      id: 'run_1',
      char_id: 'ada',
      owner_id: 'acc_1',
      task_id: 't',
      caller: 'channel:1',
      context_id: 'ctx_1',
      message_id: '1',
      created_at: '2026-01-01T00:00:00.000Z',
      sealed_answer: world.ports.sealer.seal('marker-answer', {
        id: 'run_1',
        purpose: 'channel_answer',
      }),
    })
    await store.second_factors.insert(begunFactor(world.ports, 'usr_1', 'marker-factor'))
    const { settings, sealer: own, clock } = world.ports
    const hook = { id: 'acc_1/usr_1', account_id: 'acc_1', person_id: 'usr_1' }
    const sealed_secret = own.seal('marker-hook', newsSeal(hook.id))
    const chosen = { ...settingsOf(undefined, 'owner'), ...hook, sealed_secret }
    await store.commit([chosenWrite(undefined, chosen, clock.now())])
    const email = 'ada@example.org'
    const about = { kind: 'register', person_id: null } as const
    const sealed = (id: string) => own.seal('marker-newcomer', { id, purpose: 'mail_link' })
    const link = newLink({ clock, settings }, { ...about, sealed }, 60)
    const words = { subject: 'marker-mail', text: link.address }
    const letter = {
      ...words,
      kind: 'verify',
      to: email,
      accountId: null,
      holdsSeconds: 60,
    } as const
    await store.commit([link.write, ...(await mailTo(world.ports, letter))])
    const { publicKey: server_key } = await serverKey(world.ports)
    const browser = { endpoint: 'https://push.example/marker-browser' }
    await store.push_subscriptions.insert({
      id: 'psb_1',
      person_id: 'usr_1',
      account_id: 'acc_1',
      slot: 0,
      name: 'Firefox',
      service: 'https://push.example',
      created_at: '2026-01-01T00:00:00.000Z',
      last_sent_at: null,
      error: null,
      hash: 'x',
      server_key,
      sealed: own.seal(JSON.stringify(browser), browserSeal('psb_1')),
    })
    const connection = 'obc_1'
    const part = (purpose: string) =>
      world.ports.sealer.seal(`marker-${purpose}`, { id: connection, purpose })
    await store.outbound_connections.insert({
      id: connection,
      direction: 'outbound',
      owner_id: 'acc_1',
      char_id: 'ada',
      resource: 'https://tools.example/mcp',
      origin: 'https://tools.example',
      place: 'https://tools.example/mcp',
      issuer: 'https://as.example',
      server_name: null,
      scopes: [],
      state: 'connected',
      reason: null,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
      connected_at: '2026-01-01T00:00:00.000Z',
      sealed_grant: part('connection_grant'),
      token_until: null,
      renewer: null,
      renewer_until: null,
      sealed_attempt: part('connection_attempt'),
      attempt_hash: 'x',
      attempt_until: '2026-01-01T00:00:00.000Z',
    })
    for (let i = 0; i < more; i++) {
      const id = `shelf-${String(i).padStart(4, '0')}`
      const data_key = world.ports.sealer.seal(`key ${i}`, { id, purpose: 'secrets_key' })
      await store.secrets.insert({ id, owner_id: 'o', data_key, secrets: {}, revision: 1 })
    }
  }

  /** The texts of every place, opened with this key. */
  async function opened(key: Buffer): Promise<string[]> {
    const all: string[] = []
    for (const { next, purpose } of sealedPlaces) {
      const rows = await next(store, '', 1000)
      expect(rows.length).toBeGreaterThan(0)
      for (const [id, sealed] of rows) {
        all.push(sealer(key).open(String(sealed), { id: String(id), purpose }))
      }
    }
    return all
  }

  const given = (configured: Buffer | undefined, wanted?: Buffer): Given => ({
    configured,
    wanted,
    folder: place.folder,
  })
  const rotate = async (on: Store, keys: Given, lines: string[] = []): Promise<void> => {
    await completeRotation(on, await beginRotation(on, keys), keys, (line) => void lines.push(line))
  }
  const start = (configured?: Buffer) => masterKeyFor(store, configured, place.folder)

  it('seals everything again with the new key, and refuses the old one from then on', async () => {
    await filled(120)
    await start(first)
    const before = await opened(first)
    const lines: string[] = []
    await rotate(store, given(first, keyOf(0)), lines)
    expect(await opened(keyOf(0))).toEqual(before)
    expect(before.join()).toContain('marker-webhook')
    expect(before.join()).toContain('marker-server')
    expect(before.join()).toContain('marker-tool')
    expect(before.join()).toMatch(/marker-mail.*marker-newcomer|marker-newcomer.*marker-mail/s)
    expect(lines).toContain('secrets: 121 sealed under the new key.')
    await expect(start(first)).rejects.toThrow(/is not the master key/)
    expect(await start(keyOf(0))).toEqual(keyOf(0))
    for (const { next, purpose } of sealedPlaces) {
      for (const [id, sealed] of await next(store, '', 1000)) {
        const binding = { id: String(id), purpose }
        expect(() => sealer(first).open(String(sealed), binding)).toThrow()
      }
    }
    expect(await store.meta.get('master_key_rotation')).toBeUndefined()
  })

  it.each(['before', 'after'] as const)(
    'is ended by another call wherever it was killed: just %s any of its writes',
    async (when) => {
      await filled(3)
      await start(first)
      const before = await opened(first)
      let old: Buffer = first
      let n = 0
      for (; ; n++) {
        const keys = given(old, keyOf(n))
        const killed = await rotate(killedAt(store, n, when), keys).catch((cause: unknown) => cause)
        if (!killed) break
        expect(killed).toBeInstanceOf(Killed)
        // A server starts with the old key, or not before the rotation has ended.
        const isWhole = (await store.meta.get('master_key_rotation')) === undefined
        if (!isWhole) await expect(start(old)).rejects.toThrow(/call rotate-master-key/)
        const isDone = isWhole && !(n === 0 && when === 'before')
        if (!isDone) await rotate(store, keys)
        expect(await opened(keyOf(n))).toEqual(before)
        expect(await start(keyOf(n))).toEqual(keyOf(n))
        old = keyOf(n)
      }
      expect(n).toBeGreaterThan(8)
    },
  )

  it('puts a new key into the file, wherever it was killed', async () => {
    const made = await start()
    // Sealed under the key of the tests' world; the store knows that of the file.
    await filled()
    const { sealer: own } = world.ports
    for (const { next, swap, purpose } of sealedPlaces) {
      for (const [id, sealed] of await next(store, '', 100)) {
        const text = { id: String(id), sealed: String(sealed) }
        const binding = { id: text.id, purpose }
        await swap(store, text, sealer(made).seal(own.open(text.sealed, binding), binding))
      }
    }
    const file = join(place.folder, 'master.key')
    const inFile = () => Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
    const before = await opened(made)
    const keys = given(undefined)
    let n = 0
    for (; ; n++) {
      const old = inFile()
      const killed = await rotate(killedAt(store, n, 'before'), keys).catch(
        (cause: unknown) => cause,
      )
      if (!killed) break
      await rotate(store, keys)
      expect(inFile()).not.toEqual(old)
      expect(await opened(inFile())).toEqual(before)
      expect(await start()).toEqual(inFile())
    }
    expect(n).toBeGreaterThan(6)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const keyFiles = readdirSync(place.folder).filter((name) => name.startsWith('master.key'))
    expect(keyFiles).toEqual(['master.key'])
  })

  it('leaves what no key opens, and says so', async () => {
    await filled()
    await start(first)
    await store.secrets.update({ id: 'ada' }, { $set: { data_key: 'nonsense' } })
    const lines: string[] = []
    await rotate(store, given(first, keyOf(1)), lines)
    expect(lines).toContain('secrets/ada: no key opens it; left as it is.')
    expect(await start(keyOf(1))).toEqual(keyOf(1))
  })

  it('refuses keys that are not those of the store or of the rotation, and changes nothing', async () => {
    await filled()
    await start(first)
    const refused = (keys: Given) => expect(beginRotation(store, keys)).rejects
    await refused(given(keyOf(0), keyOf(1))).toBeInstanceOf(MasterKeyUnusable)
    await refused(given(first)).toThrow(/Set ABODE_NEW_MASTER_KEY/)
    await refused(given(first, first)).toThrow(/is the old one/)
    await refused(given(undefined, keyOf(1))).toThrow(/cannot be read/)
    expect(await start(first)).toEqual(first)
    await beginRotation(store, given(first, keyOf(1)))
    await refused(given(keyOf(1))).toThrow(/give the old key/)
    await refused(given(first, keyOf(2))).toThrow(/another new key/)
    await refused(given(keyOf(3), keyOf(1))).toThrow(/is not the master key/)
    const texts = await opened(first)
    await rotate(store, given(first))
    expect(await opened(keyOf(1))).toEqual(texts)
  })
})
