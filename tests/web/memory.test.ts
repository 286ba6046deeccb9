import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf } from '#tests/accounts/people/page-visitor.ts'
import { ownerAt, type Owner } from './owner.ts'

const markup = `<script>alert(1)</script> & "co"`
const rightToLeft = '\u202e'

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const put = ({ on }: Owner, id: string, at: string, value: object) =>
  on('PUT', `/api/characters/${id}/memory/${at}`, value)

async function remembering(id: string): Promise<Owner> {
  const owner = await ownerAt(url)
  await owner.on('POST', '/api/characters/', { id, name: 'Greta' })
  await put(owner, id, 'readers/grace', { likes: [`tides ${markup}`, `lights${rightToLeft}`] })
  await put(owner, id, 'places/harbour', { opens: 'at nine' })
  return owner
}

describe('the memory of an agent', () => {
  it('is shown by namespaces, by entries page by page, and by what is found in it', async () => {
    const owner = await remembering('greta-1')
    const { visitor } = owner
    const all = await visitor.get('/agents/greta-1/memory')
    expect(all.text).toMatch(/memory\/places"[^]*1 thing[^]*memory\/readers"/)
    for (let i = 0; i < 30; i++) await put(owner, 'greta-1', `readers/a${i + 10}`, { i })
    const first = await visitor.get('/agents/greta-1/memory/readers')
    expect(first.text).toContain('/memory/readers/a39"')
    expect(first.text).not.toContain('/memory/readers/grace"')
    const [, next = ''] = /href="([^"]*cursor[^"]*)"/.exec(first.text) ?? []
    expect((await visitor.get(next)).text).toContain('/memory/readers/grace"')
    const found = await visitor.get('/agents/greta-1/memory?q=tides')
    expect(found.text).toContain('/memory/readers/grace"')
    expect(found.text).not.toMatch(/\/memory\/places\/|<script>alert/)
    expect((await visitor.get('/agents/greta-1/memory?q=zeppelin')).text).toContain('nothing with')
  })

  it('shows an entry as text, and lets it be forgotten as it was seen', async () => {
    const owner = await remembering('greta-2')
    const { visitor } = owner
    const path = '/agents/greta-2/memory/readers/grace'
    const page = await visitor.get(path)
    expect(page.text).toContain('&quot;tides &lt;script')
    expect(page.text).not.toMatch(new RegExp(`<script>alert|${rightToLeft}`))
    const forget = { action: 'forget', revision: fieldOf(page, 'revision') }
    await put(owner, 'greta-2', 'readers/grace', { likes: 'harbours' })
    const late = await visitor.post(path, forget)
    expect(late.status).toBe(409)
    expect(late.text).toMatch(/nothing was forgotten[^]*harbours/)
    const now = { ...forget, revision: fieldOf(late, 'revision') }
    const { goesTo } = await visitor.post(path, now)
    expect((await visitor.get(goesTo)).text).toMatch(/has forgotten that[^]*remembers nothing here/)
    expect((await visitor.post(path, now)).goesTo).toBe(goesTo)
    expect((await visitor.get(path)).status).toBe(404)
  })

  it('is not there for another account', async () => {
    const owner = await remembering('greta-3')
    const { visitor } = await ownerAt(url)
    for (const part of ['', '?q=tides', '/readers', '/readers/grace', '/readers/grace/x']) {
      expect((await visitor.get(`/agents/greta-3/memory${part}`)).status, part).toBe(404)
    }
    const path = '/agents/greta-3/memory/readers/grace'
    expect((await visitor.post(path, { action: 'forget', revision: '1' })).status).toBe(404)
    expect((await owner.visitor.get(path)).status).toBe(200)
  })
})
