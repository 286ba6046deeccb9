import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf, type Shown } from '#tests/accounts/people/page-visitor.ts'
import { ownerAt, type Owner } from './owner.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const letter = { task_id: 'letter', name: `Letter ${markup}`, runtime: 'template', prompt: 'Dear' }
const signed = { type: 'webhook', config: { path: 'in', secret: 'signed with this' } }

/** An agent that was changed by a key, and whose task is gone since. */
async function changed(id: string): Promise<Owner> {
  const owner = await ownerAt(url)
  const tasks = [{ ...letter, triggers: [signed] }]
  await owner.on('POST', '/api/characters/', {
    id,
    name: 'Greta',
    bio: 'One\nTwo',
    heart: { tasks },
  })
  const bio = `One\n${markup}`
  await owner.on('PUT', `/api/characters/${id}`, { bio, heart: { tasks: [] } })
  return owner
}

const restoring = (look: Shown) => ({
  action: 'restore',
  revision: fieldOf(look, 'revision'),
  once: fieldOf(look, 'once'),
})

describe('the earlier versions of an agent', () => {
  it('are listed with who changed what, page by page', async () => {
    const { visitor, on } = await changed('greta-1')
    const page = await visitor.get('/agents/greta-1/revisions')
    expect(page.text).toMatch(/the key <bdi>Mine<\/bdi> changed\s+<bdi>what is said about it/)
    expect(page.text).toContain('href="/agents/greta-1/revisions/1"')
    for (let i = 0; i < 21; i++) await on('PUT', '/api/characters/greta-1', { tagline: `${i}` })
    const newest = await visitor.get('/agents/greta-1/revisions')
    expect(newest.text).not.toContain('/revisions/1"')
    const [, next = ''] = /href="([^"]*cursor[^"]*)"/.exec(newest.text) ?? []
    expect((await visitor.get(next)).text).toContain('/revisions/1"')
  })

  it('are looked at as what restoring would change, and restored once, with what is lost told', async () => {
    const { visitor, on } = await changed('greta-2')
    const path = '/agents/greta-2/revisions/1'
    const look = await visitor.get(path)
    expect(look.text).toMatch(/<del><span class="word">Gone: <\/span>&lt;script/)
    expect(look.text).toContain('<ins><span class="word">New: </span>Two</ins>')
    expect(look.text).toMatch(/The task <bdi>Letter &lt;script.*<\/bdi> comes back/)
    expect(look.text).not.toMatch(/<script>alert|signed with this/)
    const done = await visitor.post(path, restoring(look))
    expect(done.text).toMatch(/What did not come back whole[^]*heart\/tasks\/0\/triggers\/0/)
    // A double click gets the same answer, and makes no version.
    expect((await visitor.post(path, restoring(look))).text).toContain('It is again as it was.')
    expect(await on('GET', '/api/characters/greta-2')).toMatchObject({
      bio: 'One\nTwo',
      revision: 3,
    })
    await on('PUT', '/api/characters/greta-2', { tagline: 'New' })
    const tagless = await visitor.get('/agents/greta-2/revisions/3')
    const { goesTo } = await visitor.post('/agents/greta-2/revisions/3', restoring(tagless))
    expect((await visitor.get(goesTo)).text).toContain('It is again as it was.')
    const same = await visitor.get('/agents/greta-2/revisions/3')
    expect(same.text).toContain('there is nothing to restore')
  })

  it('are not restored over what another changed meanwhile, and are not there for others', async () => {
    const { visitor, on } = await changed('greta-3')
    const path = '/agents/greta-3/revisions/1'
    const look = await visitor.get(path)
    await on('PUT', '/api/characters/greta-3', { tagline: 'Faster' })
    const late = await visitor.post(path, restoring(look))
    expect(late.status).toBe(409)
    expect(late.text).toMatch(/nothing was restored[^]*One line<\/bdi>[^]*Faster/)
    const other = await ownerAt(url)
    for (const there of ['/revisions', '/revisions/1', '/revisions/9', '/revisions/x']) {
      expect((await other.visitor.get(`/agents/greta-3${there}`)).status, there).toBe(404)
    }
    expect((await other.visitor.post(path, restoring(late))).status).toBe(404)
    expect((await visitor.get('/agents/greta-3/revisions/9')).status).toBe(404)
  })
})
