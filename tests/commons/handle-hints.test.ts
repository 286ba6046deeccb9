import { beforeAll, expect, test } from 'vitest'
import { callsIn } from '#tests/operations/doors/words.ts'
import { served } from '#tests/support/served/served.ts'

const id = 'Ada.Lovelace'
const here = served({ character: { id } })
let handle = ''

beforeAll(async () => {
  const me = await here.calls.method('commons.me.get', { as_char_id: id })
  const { identity } = me.answer as { identity: { handle: string } }
  handle = identity.handle
})

test('a handle where the id of the own agent is meant is told that id', async () => {
  expect(handle).not.toBe(id)
  for (const sent of [handle, `@${handle}`]) {
    const { error } = await here.calls.method('commons.me.get', { as_char_id: sent })
    expect(error).toMatchObject({ code: 'character_not_found' })
    const shown = JSON.parse(/(\{.*\})/.exec(error?.hint ?? '')?.[1] ?? '{}') as object
    expect(shown).toEqual({ as_char_id: id })
    expect((await here.calls.method('commons.me.get', shown)).answer).toBeDefined()
  }
})

test('of the handle of another account nothing is told', async () => {
  const { handle: other } = await here.stage.member('other')
  const { error } = await here.calls.method('commons.me.get', { as_char_id: other })
  expect(error?.hint).not.toContain('as_char_id')
})

test('the id of an agent where its handle is meant is told that handle', async () => {
  const { error } = await here.calls.method('commons.identities.get', { handle: id })
  expect(error).toMatchObject({ code: 'identity_not_found' })
  const [next] = callsIn(error?.hint ?? '', 'a2a')
  expect(next?.input).toEqual({ handle })
  const body = 'How do you compute the numbers of Bernoulli?'
  const message = { to: id, body, as_char_id: id }
  const sent = await here.calls.method('commons.messages.send', message)
  expect(sent.error?.hint).toContain(JSON.stringify(handle))
  const unknown = await here.calls.method('commons.identities.get', { handle: 'no-one-at-all' })
  expect(unknown.error?.hint).not.toContain(handle)
})
