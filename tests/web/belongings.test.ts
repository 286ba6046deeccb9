import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf } from '#tests/accounts/people/page-visitor.ts'
import { ownerAt, type Owner } from './owner.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

async function ownerOf(id: string): Promise<Owner> {
  const owner = await ownerAt(url)
  await owner.on('POST', '/api/characters/', { id, name: 'Greta' })
  return owner
}

describe('the page of the secrets of an agent', () => {
  it('takes a value and never shows it, says what is wrong, and asks before it deletes', async () => {
    const { visitor, on } = await ownerOf('greta-1')
    const path = '/agents/greta-1/secrets'
    const value = 'a value that is kept, 1234'
    const set = { action: 'set', name: 'MAIL_KEY', value, origins: 'https://mail.example' }
    const done = await visitor.post(path, set)
    expect(done.goesTo).toBe(`${path}?done=set`)
    const page = await visitor.get(done.goesTo)
    expect(page.text).toContain('https://mail.example')
    expect(page.text).toContain('<code>1234</code>')
    expect(page.text).not.toContain(value)
    const wrong = await visitor.post(path, { action: 'set', name: '1 wrong', value: 'x' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('id="name-problem"')
    const ask = await visitor.get(`${path}?delete=MAIL_KEY`)
    expect(ask.text).toContain('Delete the secret')
    await visitor.post(path, { action: 'delete', name: fieldOf(ask, 'name') })
    expect(await on('GET', '/api/characters/greta-1/secrets')).toEqual({ items: [] })
    const other = await ownerAt(url)
    expect((await other.visitor.get(path)).status).toBe(404)
    expect((await other.visitor.post(path, set)).status).toBe(404)
  })
})

describe('the page of what an agent knows', () => {
  const list = (on: Owner['on'], id: string) =>
    on<{ items: { id: string; title: string; kind: string }[] }>(
      'GET',
      `/api/characters/${id}/knowledge`,
    )

  it('takes a text, an address and files, and forgets', async () => {
    const { visitor, on } = await ownerOf('greta-2')
    const path = '/agents/greta-2/knowledge'
    const once = fieldOf(await visitor.get(path), 'once')
    const text = { action: 'text', title: `Hours ${markup}`, content: 'At nine.\r\nDaily.', once }
    await visitor.post(path, text)
    await visitor.post(path, text)
    const follow = { action: 'link', url: 'https://pages.invalid/page', follow: 'true' }
    await visitor.post(path, follow)
    const sent = new FormData()
    sent.append('action', 'files')
    sent.append('once', 'f'.repeat(32))
    for (const name of ['a.txt', 'b.md']) {
      sent.append('files', new File([`Of ${name}, ${'long '.repeat(40_000)}`], name))
    }
    const headers = { origin: url, cookie: visitor.cookie ?? '' }
    const init = { method: 'POST', body: sent, headers, redirect: 'manual' } as const
    const added = await fetch(url + path, init)
    expect(added.headers.get('location')).toBe(`${path}?done=files`)
    const { items } = await list(on, 'greta-2')
    expect(items.map(({ kind }) => kind).sort()).toEqual(['file', 'file', 'source', 'text'])
    const page = await visitor.get(path)
    expect(page.text).toContain('Hours &lt;script')
    const [item] = items.filter(({ kind }) => kind === 'text')
    const ask = await visitor.get(`${path}?forget=${item?.id}`)
    expect(ask.text).toContain('Shall it forget')
    await visitor.post(path, { action: 'forget', item_id: fieldOf(ask, 'item_id') })
    expect((await list(on, 'greta-2')).items).toHaveLength(3)
  })

  it('says what is wrong in the form that was sent, and reads no files of strangers', async () => {
    const { visitor, on } = await ownerOf('greta-3')
    const path = '/agents/greta-3/knowledge'
    const wrong = await visitor.post(path, { action: 'link', url: 'not an address' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('id="url-problem"')
    expect(wrong.text).toContain('value="not an address"')
    const sent = new FormData()
    sent.append('action', 'files')
    sent.append('files', new File(['x'.repeat(300_000)], 'a.txt'))
    for (const headers of [{}, { origin: url, cookie: 'abode_session=abs_none' }]) {
      const answer = await fetch(url + path, { method: 'POST', body: sent, headers })
      expect(await answer.text()).toContain('Sign in again')
    }
    expect((await list(on, 'greta-3')).items).toEqual([])
  })

  it('takes longer texts of a person than of a stranger', async () => {
    const { visitor, on } = await ownerOf('greta-4')
    const path = '/agents/greta-4/knowledge'
    const text = { action: 'text', title: 'Long', content: 'Long text. '.repeat(10_000) }
    expect((await visitor.post(path, text)).status).toBe(303)
    expect((await list(on, 'greta-4')).items).toHaveLength(1)
  })
})
