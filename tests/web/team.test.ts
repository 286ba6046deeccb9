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

const task = { task_id: 'sort', name: 'Sort', runtime: 'template', prompt: 'Sorted' }
const agentOf = (i: number) => ({
  local_id: `a${i}`,
  name: `Agent ${i} ${markup}`,
  heart: { tasks: [task] },
})

function manifestOf(app_id: string, size = 2, edges = 1) {
  const agents = Array.from({ length: size }, (_, i) => agentOf(i))
  const connections = Array.from({ length: edges }, (_, i) => {
    const from = i % size
    const to = (from + 1 + Math.floor(i / size)) % size
    return { from: `a${from}`, to: `a${to}`, permissions: ['message'] }
  })
  return { manifest_version: '1', app_id, name: `The desk ${markup}`, agents, connections }
}

async function ownerOf(app_id: string): Promise<Owner> {
  const owner = await ownerAt(url)
  await owner.on('POST', '/api/agent-apps/', manifestOf(app_id))
  return owner
}

describe('the page of a team', () => {
  it('shows a large team as a picture, with its agents, as text', async () => {
    const { visitor, on } = await ownerAt(url)
    await on('POST', '/api/agent-apps/', manifestOf('large', 50, 400))
    const page = await visitor.get('/teams/large')
    expect(page).toMatchObject({ status: 200 })
    expect(page.text.match(/<svg\s+class="wide"/g)).toHaveLength(1)
    expect(page.text).toContain('Agent 49 &lt;script')
    expect(page.text).not.toContain('<script>alert')
  })

  it('pauses and resumes all of it by one button', async () => {
    const { visitor, on } = await ownerOf('desk-1')
    const { goesTo } = await visitor.post('/teams/desk-1', { action: 'pause', reason: 'A move' })
    const page = await visitor.get(goesTo)
    expect(page.text).toContain('A move')
    expect(page.text).toContain('Resume all of it')
    const sort = () => on('GET', '/api/characters/desk-1--a0/tasks/sort')
    expect(await sort()).toMatchObject({ enabled: false })
    await visitor.post('/teams/desk-1', { action: 'resume' })
    expect(await sort()).toMatchObject({ enabled: true })
  })

  it('shows what was changed by hand, and what a pasted manifest would do, before it does it', async () => {
    const { visitor, on } = await ownerOf('desk-2')
    await on('PUT', '/api/characters/desk-2--a0', { tagline: 'By hand' })
    expect((await visitor.get('/teams/desk-2')).text).toContain('Changed by hand')
    const path = '/teams/desk-2/plan'
    expect((await visitor.get(path)).text).toContain('&quot;local_id&quot;: &quot;a1&quot;')
    const manifest = JSON.stringify(manifestOf('desk-2', 3))
    const look = await visitor.post(path, { action: 'look', manifest })
    expect(look.text).toMatch(/New<\/h3>[^]*desk-2--a2/)
    const revision = fieldOf(look, 'revision')
    // Another is faster.
    await on('PUT', '/api/agent-apps/desk-2', { ...manifestOf('desk-2'), name: 'Faster' })
    const late = await visitor.post(path, { action: 'save', manifest, revision })
    expect(late.status).toBe(409)
    expect(late.text).toContain('so nothing was applied')
    const again = { action: 'save', manifest, revision: fieldOf(late, 'revision') }
    expect((await visitor.post(path, again)).goesTo).toBe('/teams/desk-2?done=saved')
    expect(await on('GET', '/api/characters/desk-2--a2')).toMatchObject({ app_id: 'desk-2' })
  })

  it('says what is wrong with a manifest, and keeps it', async () => {
    const { visitor } = await ownerOf('desk-3')
    const path = '/teams/desk-3/plan'
    const broken = await visitor.post(path, { action: 'look', manifest: '{"app_id":' })
    expect(broken.text).toContain('This is not JSON.')
    const manifest = JSON.stringify({ app_id: 'desk-3', name: 'Kept', agents: [{ name: 3 }] })
    const wrong = await visitor.post(path, { action: 'look', manifest })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('/agents/0')
    expect(wrong.text).toContain('&quot;Kept&quot;')
  })

  it('goes back to an earlier version after a look at it', async () => {
    const { visitor, on } = await ownerOf('desk-4')
    await on('PUT', '/api/agent-apps/desk-4', manifestOf('desk-4', 3))
    const list = await visitor.get('/teams/desk-4/revisions')
    expect(list.text).toContain('/teams/desk-4/revisions?look=1')
    const look = await visitor.get('/teams/desk-4/revisions?look=1')
    expect(look.text).toMatch(/Removed<\/h3>[^]*desk-4--a2/)
    const form = { action: 'back', to: '1', prune: 'true', revision: fieldOf(look, 'revision') }
    const { goesTo } = await visitor.post('/teams/desk-4/revisions', form)
    expect(goesTo).toBe('/teams/desk-4?done=saved')
    expect(await on('GET', '/api/agent-apps/desk-4')).toMatchObject({ revision: 3 })
    expect((await visitor.get('/teams/desk-4/revisions?look=9')).status).toBe(404)
  })

  it('sends again what did not arrive', async () => {
    const { visitor, on } = await ownerAt(url)
    const webhook = { url: 'https://127.0.0.1:9/hook', events: [] }
    await on('POST', '/api/agent-apps/', { ...manifestOf('desk-5'), webhook })
    const { deliveries } = server.abode.ports.store
    const [made] = await deliveries.find({ app_id: 'desk-5' })
    const id = made?.id ?? ''
    await deliveries.update({ id }, { $set: { status: 'failed', due_at: null, claim: null } })
    const page = await visitor.get('/teams/desk-5')
    expect(page.text).toContain('Not delivered')
    const form = { action: 'redeliver', delivery_id: id }
    const other = await ownerAt(url)
    expect((await other.visitor.post('/teams/desk-5/deliveries', form)).status).toBe(404)
    const { goesTo } = await visitor.post('/teams/desk-5/deliveries', form)
    expect((await visitor.get(goesTo)).text).toContain('It is sent again.')
    expect((await visitor.get('/teams/desk-5/deliveries?status=failed')).status).toBe(200)
  })

  it('is not there for another account', async () => {
    await ownerOf('desk-6')
    const { visitor } = await ownerAt(url)
    for (const part of ['', '/plan', '/revisions', '/revisions?look=1', '/deliveries', '/none']) {
      expect((await visitor.get(`/teams/desk-6${part}`)).status, part).toBe(404)
    }
    expect((await visitor.post('/teams/desk-6', { action: 'pause' })).status).toBe(404)
  })
})
