import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { chatOperations } from '#src/catalog/chat.ts'
import type { ChatShown } from '#src/runs/chat/view.ts'
import type { Store } from '#src/ports/store.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { chatsOf, echo, makeTalker, saying, talker, think, type As, type Chats } from './chats.ts'

const { send, get, list, cancel } = chatOperations

interface Page {
  items: ChatShown[]
  next_cursor: string | null
  total: number
}

describe.each(oneStore())('conversations with an agent, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let chats: Chats
  let owner: As
  let sender: As
  let other: As
  /** Two people of one network, and one of another. */
  const here: As = { address: '198.51.100.0' }
  const there: As = { address: '203.0.113.0' }

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    chats = chatsOf(world.core)
    owner = { key: (await world.account()).key }
    sender = { key: (await world.account()).key }
    other = { key: (await world.account()).key }
    await makeTalker(
      world,
      owner.key ?? '',
      talker('ada', 'public', [echo, { ...think, order: 1 }]),
    )
  })
  afterEach(() => store.close())

  const at = (id: string) => ({ char_id: 'ada', id })
  const thought = (text: string, as: As, more: object = {}): Promise<ChatShown> =>
    chats.say(text, as, { task_id: 'think', ...more })

  it('go on with the context that the first answer names', async () => {
    const first = await chats.say('One', sender)
    const second = await chats.say('Two', sender, { context_id: first.context_id })
    expect(second.context_id).toBe(first.context_id)
    const third = await chats.say('Three', sender)
    expect(third.context_id).not.toBe(first.context_id)
  })

  it('belong to one caller, and no other learns that they exist', async () => {
    const { context_id } = await chats.say('One', sender)
    const told = async (context_id: string, as: As, char_id = 'ada'): Promise<object> =>
      (await chats.refused(send, saying('x', { context_id, char_id }), as)).toObject('test')
    const unknown = await told('ctx_absent', other)
    expect(unknown).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/context_id', code: 'context_unknown' }],
    })
    for (const as of [other, owner, here]) expect(await told(context_id, as)).toEqual(unknown)
    await makeTalker(world, owner.key ?? '', talker('eve', 'public'))
    expect(await told(context_id, sender, 'eve')).toEqual(unknown)
  })

  it('of callers without a key belong to their network, and go on by their context', async () => {
    const first = await chats.say('One', here)
    const { context_id } = first
    expect((await chats.say('Two', here, { context_id })).context_id).toBe(context_id)
    expect((await chats.refused(send, saying('x', { context_id }), there)).code).toBe(
      'invalid_input',
    )
    expect(await chats.ask(get, at(first.id), here)).toMatchObject({ output: 'Heard: One' })
    for (const as of [there, sender]) {
      expect((await chats.refused(get, at(first.id), as)).code).toBe('run_not_found')
    }
    expect((await chats.refused(list, { char_id: 'ada' }, here)).code).toBe('unauthenticated')
    const named = await chats.ask<Page>(list, { char_id: 'ada', context_id }, here)
    expect(named.items.map(({ output }) => output)).toEqual(['Heard: Two', 'Heard: One'])
    const elsewhere = await chats.ask<Page>(list, { char_id: 'ada', context_id }, there)
    expect(elsewhere).toEqual({ items: [], next_cursor: null, total: 0 })
  })

  it('are seen by their sender and by the account of the agent alone', async () => {
    const { id } = await chats.say('One', sender)
    expect(await chats.ask(get, at(id), sender)).toMatchObject({ is_own: false, is_sender: true })
    expect(await chats.ask(get, at(id), owner)).toMatchObject({ is_own: true, is_sender: false })
    const missing = await chats.refused(get, at('run_absent'), other)
    const foreign = await chats.refused(get, at(id), other)
    expect(foreign.message.replace(id, '…')).toBe(missing.message.replace('run_absent', '…'))
    expect((await chats.refused(cancel, at(id), other)).code).toBe('run_not_found')
    for (const as of [sender, owner]) {
      expect((await chats.refused(get, { char_id: 'eve', id }, as)).code).toBe('run_not_found')
    }
  })

  it('are seen with a key that acts as the agent, and not with one that acts as a sibling', async () => {
    const { id } = await chats.say('One', sender)
    await makeTalker(world, owner.key ?? '', talker('eve', 'public'))
    const scoped = (scope_char_id: string): Promise<As> =>
      world.ask('api_keys.create', { name: 'Scoped', scope_char_id }, owner.key)
    expect(await chats.ask(get, at(id), await scoped('ada'))).toMatchObject({ is_own: true })
    expect((await chats.refused(get, at(id), await scoped('eve'))).code).toBe('run_not_found')
  })

  itOnEach('are listed newest first, page by page', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift((await chats.say(`No. ${i}`, sender)).id)
    await chats.say('Of another', other)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const input = { char_id: 'ada', limit: 2, ...(cursor && { cursor }) }
      const page = await chats.ask<Page>(list, input, sender)
      expect(page.total).toBe(5)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(ids)
    expect((await chats.ask<Page>(list, { char_id: 'ada' }, owner)).total).toBe(6)
    const broken = { char_id: 'ada', cursor: 'broken' }
    expect((await chats.refused(list, broken, sender)).code).toBe('cursor_invalid')
  })

  it.each([{}, { statuses: ['completed'] }])(
    'are on pages of a megabyte at most, where much was said (%j)',
    async (narrowed) => {
      const ids: string[] = []
      for (let n = 0; n < 6; n++) ids.push((await chats.say('x'.repeat(200_000), sender)).id)
      const seen: string[] = []
      const counts: number[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const input = { char_id: 'ada', ...narrowed, ...(cursor !== undefined && { cursor }) }
        const page = await chats.ask<Page>(list, input, sender)
        expect(page.total).toBe(6)
        expect(JSON.stringify(page).length).toBeLessThan(1_100_000)
        seen.push(...page.items.map(({ id }) => id))
        counts.push(page.items.length)
        cursor = page.next_cursor
      }
      expect(seen).toEqual(ids.toReversed())
      expect(Math.max(...counts)).toBe(2)
    },
  )

  it('are listed by how they stand', async () => {
    const waiting = [await thought('One', sender), await thought('Two', sender)].toReversed()
    await chats.say('Done', sender)
    const among = async (statuses: string[], more: object = {}): Promise<Page> =>
      chats.ask<Page>(list, { char_id: 'ada', statuses, ...more }, sender)
    const ids = ({ items }: Page): string[] => items.map(({ id }) => id)
    expect(ids(await among(['queued', 'running']))).toEqual(waiting.map(({ id }) => id))
    expect((await among(['completed'])).total).toBe(1)
    expect((await among([])).total).toBe(0)
    const first = await among(['queued'], { limit: 1 })
    expect(first).toMatchObject({ total: 2, items: [{ id: waiting[0]?.id }] })
    const second = await among(['queued'], { limit: 1, cursor: first.next_cursor })
    expect(second).toMatchObject({ next_cursor: null, items: [{ id: waiting[1]?.id }] })
    const later = { char_id: 'ada', since: '2999-01-01T00:00:00Z' }
    expect((await chats.ask<Page>(list, later, sender)).items).toEqual([])
  })

  it('are cancelled by their sender or the account, once', async () => {
    for (const as of [sender, owner]) {
      const { id } = await thought('One', sender)
      expect(await chats.ask(cancel, at(id), as)).toMatchObject({ status: 'cancelled' })
      const { code, hint } = await chats.refused(cancel, at(id), as)
      expect({ code, hint }).toEqual({
        code: 'run_ended',
        hint: expect.stringContaining('GetTask'),
      })
    }
  })

  itOnEach('are cancelled once by many at once', async () => {
    const { id } = await thought('One', sender)
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, () => chats.ask(cancel, at(id), sender)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('end with the agent, and are hidden from a later agent with its id', async () => {
    const { context_id } = await chats.say('One', sender)
    const { id } = await thought('Two', sender, { context_id })
    await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
    expect(await store.chats.count({ char_id: 'ada' })).toBe(0)
    expect((await chats.refused(get, at(id), sender)).code).toBe('run_not_found')
    expect((await store.runs.get(id))?.status).toBe('cancelled')
    await makeTalker(world, other.key ?? '', talker('ada', 'public'))
    const again = saying('x', { context_id })
    expect((await chats.refused(send, again, sender)).code).toBe('invalid_input')
    expect((await chats.ask<Page>(list, { char_id: 'ada' }, other)).total).toBe(0)
  })

  itOnEach(
    'that were left behind by a deletion are hidden from a later agent with the id',
    async () => {
      const left = await thought('Private', sender)
      const chat = await store.chats.get(left.id)
      await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
      // As of a message that was on its way meanwhile.
      if (chat) await store.chats.insert(chat)
      await makeTalker(world, other.key ?? '', talker('ada', 'public'))
      expect((await chats.refused(get, at(left.id), other)).code).toBe('run_not_found')
      expect((await chats.ask<Page>(list, { char_id: 'ada' }, other)).total).toBe(0)
      const again = saying('x', { context_id: left.context_id })
      expect((await chats.refused(send, again, sender)).code).toBe('invalid_input')
    },
  )

  itOnEach('take messages while their agent is deleted, each with a run or a refusal', async () => {
    const sent = Array.from({ length: 12 }, (_, i) =>
      thought(`No. ${i}`, sender).then(
        () => 'sent',
        ({ code }: { code: string }) => code,
      ),
    )
    await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
    for (const outcome of await Promise.all(sent)) {
      expect(['sent', 'character_not_found', 'task_not_found']).toContain(outcome)
    }
  })

  describe('are told to the brain that goes on with them', () => {
    interface Lease {
      run: { id: string } | null
      lease_token: string
      system_prompt: string
      prompt: string
    }
    const lease = (): Promise<Lease> =>
      world.ask<Lease>('runs.lease', { char_id: 'ada' }, owner.key)
    const complete = ({ run, lease_token }: Lease, output: unknown): Promise<unknown> =>
      world.ask('runs.complete', { run_id: run?.id, lease_token, output }, owner.key)

    itOnEach('with what was said and answered before, and nothing of others', async () => {
      const first = await thought('Who was Ada?', sender)
      const begun = await lease()
      expect(begun.prompt).toMatch(/^Think of \[(\w{16}) untrusted: input\nWho was Ada\?\n… \1\]$/)
      expect(begun.system_prompt).toMatch(/was written by others/)
      await complete(begun, 'A mathematician.')
      await thought('Of another conversation', sender)
      await complete(await lease(), 'Elsewhere.')
      await thought('Of someone else', other)
      await complete(await lease(), 'Not yours.')
      await thought('And when?', sender, { context_id: first.context_id })
      const { prompt } = await lease()
      expect(prompt).toMatch(
        /Who was Ada\?[^]*A mathematician\.[^]*Think of .*\nAnd when\?\n… \w{16}\]$/,
      )
      for (const foreign of ['another conversation', 'Elsewhere', 'someone else', 'Not yours']) {
        expect(prompt).not.toContain(foreign)
      }
    })

    itOnEach('up to a bound, the newest first to stay', async () => {
      const { context_id } = await thought('m0 '.padEnd(9000, '.'), sender)
      await complete(await lease(), 'a0')
      for (let i = 1; i <= 20; i++) {
        await chats.say(`m${i} `, sender, { context_id })
      }
      await thought('Last', sender, { context_id })
      const { prompt } = await lease()
      expect(prompt).not.toContain('m0 ')
      expect(prompt).toContain('m1 ')
      expect(prompt).toContain('m20 ')
    })
  })
})
