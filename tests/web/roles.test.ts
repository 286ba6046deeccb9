import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { registeredVisitor } from '#tests/accounts/people/page-visitor.ts'
import { joined, ownerAt } from './owner.ts'

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Where the forms of a page lead that change something; those of the frame are left out. */
function formsIn(text: string): string[] {
  const [, main = ''] = /<main[^>]*>([^]*)<\/main>/.exec(text) ?? []
  return main.match(/<form method="post"[^>]*>/g) ?? []
}

describe('a member who is no owner', () => {
  it('sees every page without the forms that they may not send, and is told why', async () => {
    const owner = await ownerAt(url)
    const gate = { requires_approval: true, require_person: true, approval_prompt: 'Pay?' }
    const tasks = [
      { task_id: 'pay', name: 'Pay', runtime: 'template', prompt: 'Hi', approval_gate: gate },
      { task_id: 'fail', name: 'Fail', runtime: 'template', prompt: '{{a}}' },
    ]
    const agent = { local_id: 'a', name: 'Ada', heart: { tasks } }
    await owner.on('POST', '/api/agent-apps/', { app_id: 'crew', name: 'Crew', agents: [agent] })
    const run = (task: string) =>
      owner.on<{ id: string; owner_id: string }>(
        'POST',
        `/api/characters/crew--a/tasks/${task}/run`,
        { wait_seconds: 5 },
      )
    const [{ owner_id: account }, failed] = [await run('pay'), await run('fail')]
    const asked = await owner.on<{ items: { id: string }[] }>('GET', '/api/approvals/')
    const approval = `/approvals/${asked.items[0]?.id}`
    const [reader, approver] = [await registeredVisitor(url), await registeredVisitor(url)]
    await joined(reader, { ...owner, account }, 'reader')
    await joined(approver, { ...owner, account }, 'approver')
    const ofAgent = [
      '',
      '/talk',
      '/knowledge',
      '/secrets',
      '/visibility',
      '/profile',
      '/tasks/fail',
      '/tasks/fail/edit',
    ]
    const ofTeam = ['', '/plan', '/revisions?look=1']
    const paths = [
      ...ofAgent.map((part) => `/agents/crew--a${part}`),
      ...ofTeam.map((part) => `/teams/crew${part}`),
      `/runs/${failed.id}`,
    ]
    for (const path of paths) {
      expect(formsIn((await owner.visitor.get(path)).text), path).not.toEqual([])
      const seen = await reader.get(path)
      expect(seen.status, path).toBe(200)
      expect(formsIn(seen.text), path).toEqual([])
      expect(seen.text, path).toContain('You are a reader of this account')
      expect(formsIn((await approver.get(path)).text), path).toEqual([])
    }
    expect(formsIn((await reader.get(approval)).text)).toEqual([])
    expect(formsIn((await approver.get(approval)).text)).toHaveLength(1)
    const sent = await reader.post('/teams/crew', { action: 'pause', reason: '' })
    expect(sent.status).toBe(403)
    expect(sent.text).toContain('you are a reader of it')
    const said = await reader.post('/agents/crew--a/talk', { action: 'say', words: 'Hello' })
    expect(said.status).toBe(403)
    expect(said.text).toContain('Only an owner of the account may talk with its agents')
    const visibility = { profile_visibility: 'public', ability_access: { chat: 'public' } }
    await owner.on('PUT', '/api/characters/crew--a/visibility', visibility)
    const other = await registeredVisitor(url)
    const strange = await other.post('/agents/crew--a/talk', { action: 'say', words: 'Hello' })
    expect(strange.status).toBe(404)
  })
})
