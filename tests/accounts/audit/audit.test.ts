import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { AuditRecord } from '#src/accounts/audit/record.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { purgeAudit } from '#src/accounts/audit/purge.ts'
import { operations } from '#src/catalog.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { signedInPerson } from '../people/persons.ts'
import { browserSubscription } from '#tests/support/push/subscription.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { brokenAt, endsWith } from './chain.ts'

interface Page {
  items: AuditRecord[]
  next_cursor: string | null
  head: { seq: number; hash: string } | null
}

const gate = { requires_approval: true, approvers: ['ada'] }
const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', approval_gate: gate }

describe.each(stores())('what is recorded of an account on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let place: Place
  let store: OpenedStore
  let clock: FakeClock
  let world: World
  let owner: { key: string; id: string }

  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
    clock = fakeClock()
    world = openWorld(store, { clock })
    owner = await world.account()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, owner.key)
  })
  afterEach(async () => {
    await store.close()
    await place.remove()
  })

  const ask = <T = unknown>(name: string, input: unknown, key = owner.key): Promise<T> =>
    world.ask(name, input, key)
  const page = (more: object = {}): Promise<Page> => ask('account.audit', more)
  /** The whole chain as JSON lines, page by page. */
  const exported = async (): Promise<string> => {
    const lines: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const one: Page = await page({ order: 'oldest', limit: 3, ...(cursor && { cursor }) })
      lines.push(...one.items.map((record) => JSON.stringify(record)))
      cursor = one.next_cursor
    }
    return lines.map((line) => `${line}\n`).join('')
  }
  const secret = (value: string): Promise<unknown> =>
    ask('characters.secrets.update', { char_id: 'ada', secrets: [{ name: 'TOK', value }] })

  it('is nothing of plain work', async () => {
    const plain = { task_id: 'p', name: 'P', runtime: 'template', prompt: 'Hi' }
    await ask('tasks.create', { char_id: 'ada', task: plain })
    await ask('tasks.update', { char_id: 'ada', task_id: 'p', task: { name: 'Q' } })
    await ask('characters.update', { char_id: 'ada', character: { bio: 'Now' } })
    expect(await page()).toEqual({ items: [], next_cursor: null, head: null })
  })

  it('is who changed what, with which key, from where, and never a value', async () => {
    const { id } = await ask<{ id: string }>('api_keys.create', { name: 'k', scope_char_id: 'ada' })
    await secret('a value that is nowhere')
    await ask('tasks.create', { char_id: 'ada', task })
    await ask('tasks.update', { char_id: 'ada', task_id: 't', task: { approval_gate: null } })
    await ask('characters.update', { char_id: 'ada', character: { tools: ['web'] } })
    await ask('characters.visibility.update', {
      char_id: 'ada',
      visibility: { profile_visibility: 'public' },
    })
    await ask('api_keys.revoke', { key_id: id })
    await ask('characters.delete', { char_id: 'ada' })
    const { items } = await page({ order: 'oldest' })
    expect(items.map(({ operation, about, changed }) => [operation, about, changed])).toEqual([
      ['api_keys.create', { key_id: id, char_id: 'ada' }, []],
      ['characters.secrets.update', { char_id: 'ada' }, ['TOK']],
      ['tasks.create', { char_id: 'ada', task_id: 't' }, ['approval_gate']],
      ['tasks.update', { char_id: 'ada', task_id: 't' }, ['approval_gate']],
      ['characters.update', { char_id: 'ada' }, ['tools']],
      ['characters.visibility.update', { char_id: 'ada' }, ['profile_visibility']],
      ['api_keys.revoke', { key_id: id }, []],
      ['characters.delete', { char_id: 'ada' }, []],
    ])
    const [first] = await store.api_keys.find({ account_id: owner.id }, { sort: { id: 1 } })
    for (const record of items) {
      expect(record.actor).toEqual({ kind: 'key', key_id: first?.id })
      expect(record.network).toBe('127.0.0.0/24')
    }
    expect(JSON.stringify(items)).not.toContain('nowhere')
  })

  it('is nothing of a repeat, by which nothing becomes different', async () => {
    const visibility = { profile_visibility: 'public', ability_access: { chat: 'public' } }
    const secrets = [
      { name: 'TOK', value: 'a' },
      { name: 'NONE', value: null },
    ]
    for (let i = 0; i < 2; i++) {
      await ask('characters.secrets.update', { char_id: 'ada', secrets })
      await ask('characters.visibility.update', { char_id: 'ada', visibility })
    }
    await secret('b')
    const { items } = await page({ order: 'oldest' })
    expect(items.map(({ changed }) => changed)).toEqual([
      ['TOK'],
      ['ability_access', 'profile_visibility'],
      ['TOK'],
    ])
  })

  it('is named as operations are', async () => {
    const names = new Set(operations.map(({ name }) => name))
    await secret('a')
    const { items } = await page()
    expect(items.filter(({ operation }) => !names.has(operation))).toEqual([])
  })

  it('can be verified, and shows a record that was forged, removed or moved', async () => {
    for (const value of ['a', 'b', 'c', 'd']) await secret(value)
    const whole = await exported()
    const lines = whole.trimEnd().split('\n')
    const { head } = await page()
    expect(lines).toHaveLength(4)
    expect(brokenAt(whole)).toBeUndefined()
    expect(endsWith(whole, head)).toBe(true)
    const forged = whole.replace('"TOK"', '"OTHER"')
    expect(brokenAt(forged)).toBe(1)
    expect(brokenAt(lines.toSpliced(1, 1).join('\n'))).toBe(3)
    const [a = '', b = '', c = '', d = ''] = lines
    expect(brokenAt([a, c, b, d].join('\n'))).toBe(3)
    expect(endsWith(lines.slice(0, 3).join('\n'), head)).toBe(false)
  })

  itOnEach('is one chain where two processes change the account at once', async () => {
    const other = await place.open()
    try {
      const elsewhere = openWorld(other, { clock })
      const made = Array.from({ length: 12 }, (_, i) => {
        const by = i % 2 === 0 ? world : elsewhere
        return by.ask('api_keys.create', { name: `k${i}` }, owner.key)
      })
      await Promise.all(made)
    } finally {
      await other.close()
    }
    const whole = await exported()
    expect(whole.trimEnd().split('\n')).toHaveLength(12)
    expect(brokenAt(whole)).toBeUndefined()
  })

  it('is stored with what it tells of, or not at all', async () => {
    await expect(ask('api_keys.revoke', { key_id: 'key_nothing' })).rejects.toMatchObject({
      code: 'api_key_not_found',
    })
    await expect(
      ask('tasks.create', {
        char_id: 'ada',
        task: { ...task, approval_gate: { ...gate, min_approvals: 0 } },
      }),
    ).rejects.toThrow()
    expect((await page()).head).toBeNull()
  })

  it('tells who claimed an account and signed in, in the account that it is about', async () => {
    const person = await signedInPerson(world.ports)
    const claim = await ask<{ claim_url: string; api_key: string }>('agent_claim.create', {})
    const claim_code = claim.claim_url.split('/').at(-1)
    await world.ask('agent_claim.complete', { claim_code }, { token: person.token })
    const { items } = await ask<Page>('account.audit', {}, claim.api_key)
    expect(items).toMatchObject([
      {
        operation: 'agent_claim.complete',
        seq: 1,
        actor: { kind: 'person', person_id: person.id },
      },
    ])
  })

  it('is told of in notices: a new key, and a gate that was changed', async () => {
    const { id } = await ask<{ id: string }>('api_keys.create', { name: 'k' })
    await ask('tasks.create', { char_id: 'ada', task })
    await ask('tasks.update', { char_id: 'ada', task_id: 't', task: { approval_gate: null } })
    const { items } = await ask<{ items: OwnerNotice[] }>('account.inbox', {})
    expect(items.map(({ type }) => type)).toEqual(['gate.changed', 'key.created'])
    expect(items[0]).toMatchObject({ char_id: 'ada', task_id: 't' })
    expect(items[1]?.message).toContain(id)
  })

  it('tells of a key that a claim token gave, under the name of that key', async () => {
    const { token: claim_token } = await ask<{ token: string }>('agent_claim.create', {})
    const { id, api_key } = await ask<{ id: string; api_key: string }>('agent_claim.recover', {
      claim_token,
    })
    const { items } = await ask<Page>('account.audit', {}, api_key)
    const actor = { kind: 'key', key_id: id }
    expect(items).toMatchObject([
      { operation: 'agent_claim.recover', about: { key_id: id }, actor, network: '127.0.0.0/24' },
    ])
  })

  it('tells of what a person is told by, without its address', async () => {
    const { id, token, account_id } = await signedInPerson(world.ports)
    const by = <T = unknown>(name: string, input: object): Promise<T> =>
      world.ask(`notifications.${name}`, input, { token })
    const subscription = { ...browserSubscription, endpoint: 'https://push.example.com/send/told' }
    const { id: push_id } = await by<{ id: string }>('push.add', { name: 'Mine', subscription })
    await by('push.delete', { push_id })
    await by('webhook.set', { url: 'https://example.com/told' })
    await by('webhook.delete', {})
    await by('webhook.delete', {})
    const all = await store.audit.find({ account_id }, { sort: { seq: 1 } })
    expect(all).toMatchObject([
      { operation: 'notifications.push.add', about: { push_id }, actor: { person_id: id } },
      { operation: 'notifications.push.delete', about: { push_id } },
      { operation: 'notifications.webhook.set', about: {}, changed: ['webhook'] },
      { operation: 'notifications.webhook.delete', about: {}, changed: ['webhook'] },
    ])
    expect(JSON.stringify(all)).not.toContain('example.com')
  })

  it('tells of a sign-out in the account of the person, whichever they acted for, and once', async () => {
    const { id, token, session_id, account_id } = await signedInPerson(world.ports)
    await store.accounts.update({ id: owner.id }, { $set: { holder_id: id } })
    await world.ask('auth.logout', {}, { token, accountId: owner.id })
    await expect(world.ask('auth.logout', {}, { token })).rejects.toThrow()
    const all = await store.audit.find({ account_id })
    expect(all.filter(({ operation }) => operation === 'auth.logout')).toMatchObject([
      { about: { session_id }, actor: { kind: 'person', person_id: id, session_id } },
    ])
    expect((await page()).items).toEqual([])
  })

  it('tells of a new app, and which gates its manifests change, with one notice of each', async () => {
    const gated = (more: object = {}) => ({ ...task, runtime_mode: null, ...more })
    const manifest = (tasks: object[]) => ({
      manifest_version: 1,
      app_id: 'desk',
      name: 'Desk',
      agents: [{ local_id: 'boss', name: 'Boss', heart: { tasks } }],
    })
    const two = [gated({ approval_gate: { ...gate, approvers: ['boss'] } })]
    two.push(gated({ task_id: 'u', approval_gate: { ...gate, approvers: ['boss'] } }))
    await ask('agent_apps.provision', { manifest: manifest(two) })
    const gateless = two.map((one) => ({ ...one, approval_gate: null }))
    await ask('agent_apps.update', { app_id: 'desk', manifest: manifest(gateless) })
    const [first] = two
    await ask('agent_apps.update', { app_id: 'desk', manifest: manifest(two) })
    await ask('agent_apps.update', {
      app_id: 'desk',
      manifest: manifest([first ?? {}]),
      prune: true,
    })
    const { items } = await page({ order: 'oldest' })
    const both = ['desk--boss/t/approval_gate', 'desk--boss/u/approval_gate']
    expect(items.map(({ operation, about, changed }) => [operation, about, changed])).toEqual([
      ['agent_apps.provision', { app_id: 'desk' }, []],
      ['agent_apps.update', { app_id: 'desk' }, both],
      ['agent_apps.update', { app_id: 'desk' }, both],
      ['agent_apps.update', { app_id: 'desk' }, ['desk--boss/u/approval_gate']],
    ])
    const inbox = await ask<{ items: OwnerNotice[] }>('account.inbox', {})
    const told = inbox.items.filter(({ type }) => type === 'gate.changed')
    expect(told).toHaveLength(3)
    expect(told[0]).toMatchObject({ char_id: 'desk--boss', task_id: 'u' })
    expect(told[1]?.message).toContain('what guards 2 tasks: "desk--boss/t", "desk--boss/u"')
  })

  it('is kept for a year, and what is left is still a chain', async () => {
    await secret('a')
    await secret('b')
    await clock.advance(366 * 86_400_000)
    await secret('c')
    expect(await purgeAudit(world.ports, clock.now())).toBe(false)
    const whole = await exported()
    expect(whole.trimEnd().split('\n')).toHaveLength(1)
    expect(brokenAt(whole)).toBeUndefined()
    expect(endsWith(whole, (await page()).head)).toBe(true)
  })
})
