import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf, newEmail, pageVisitor } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { ownerAt } from './owner.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const echo = { task_id: 'echo', name: 'Echo', runtime: 'template', prompt: 'Heard: {{input}}' }
const other = { ...echo, task_id: 'other', prompt: 'Other: {{input}}', order: 1 }

describe('a conversation with an agent', () => {
  it('shows the answer on the next page, goes on, and takes a message once', async () => {
    const { visitor, on } = await ownerAt(url)
    const tasks = [echo, other]
    await on('POST', '/api/characters/', { id: 'greta', name: 'Greta', heart: { tasks } })
    const begin = await visitor.get('/agents/greta/talk')
    expect(begin.text).toContain('No one has talked with it yet.')
    const once = fieldOf(begin, 'once')
    const first = await visitor.post('/agents/greta/talk', { words: `Hello ${markup}`, once })
    expect(first.goesTo).toMatch(/^\/agents\/greta\/talk\?with=ctx_\w+#newest$/)
    const again = await visitor.post('/agents/greta/talk', { words: `Hello ${markup}`, once })
    expect(again.goesTo).toBe(first.goesTo)
    const [path = ''] = first.goesTo.split('#')
    const page = await visitor.get(path)
    expect(page.text).toContain('Heard: Hello &lt;script')
    expect(page.text).not.toContain('<script>alert')
    const context = fieldOf(page, 'with')
    const more = { words: 'And you?', with: context, task: 'other', once: '' }
    await visitor.post('/agents/greta/talk', more)
    const whole = (await visitor.get(path)).text
    expect(whole.indexOf('Heard: Hello')).toBeLessThan(whole.indexOf('Other: And you?'))
    expect((await visitor.get('/agents/greta/talk')).text).toContain(context)
    const empty = await visitor.post('/agents/greta/talk', { words: ' ', with: context })
    expect(empty).toMatchObject({ status: 422 })
    const none = await visitor.post('/agents/greta/talk', { words: 'Kept', task: 'none' })
    expect(none.status).toBe(404)
    expect(none.text).toMatch(/>\s*Kept<\/textarea/)
  })

  it('goes on in another browser of the person, and is read alone by others of the account', async () => {
    const { visitor, on } = await ownerAt(url)
    await on('POST', '/api/characters/', { id: 'rita', name: 'Rita', heart: { tasks: [echo] } })
    const { goesTo } = await visitor.post('/agents/rita/talk', { words: 'One' })
    const context = new URL(goesTo, url).searchParams.get('with') ?? ''
    const email = (await server.abode.ports.store.persons.find({})).at(-1)?.email ?? newEmail()
    const second = pageVisitor(url)
    await second.post('/sign-in', { action: 'sign_in', email, password })
    const there = await second.post('/agents/rita/talk', { words: 'Two', with: context })
    expect(there.goesTo).toBe(goesTo)
    expect((await second.get(goesTo.split('#')[0] ?? '')).text).toContain('Heard: Two')
    const parts = [{ kind: 'text', text: 'By a key' }]
    const params = { message: { kind: 'message', messageId: 'm', role: 'user', parts } }
    await on('POST', '/a2a/rita', { jsonrpc: '2.0', id: 1, method: 'message/send', params })
    const all = await visitor.get('/agents/rita/talk')
    expect(all.text).toContain('written by another')
    const stranger = await ownerAt(url)
    expect((await stranger.visitor.get(goesTo.split('#')[0] ?? '')).status).toBe(404)
  })
})
