import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import type { Run } from '#src/runs/run.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { call, claimable } from '#tests/support/rest/call.ts'
import { ownerAt } from './owner.ts'

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const task = (task_id: string, more: object) => ({
  task_id,
  name: `The ${task_id}`,
  runtime: 'template',
  prompt: 'Hi {{input}}',
  ...more,
})

describe('the page of an approval in the console', () => {
  it('shows what led to the question, and what becomes of each answer, by the clocks of the reader', async () => {
    const { visitor, on } = await ownerAt(url)
    const approval_gate = { requires_approval: true, require_person: true, timeout_seconds: 3600 }
    const to = { enabled: true, target_agent_id: 'mira', target_task_id: 'refund' }
    await on('POST', '/api/characters/', {
      id: 'mira',
      name: 'Mira pays',
      heart: {
        tasks: [
          task('read', { output_sharing: to }),
          task('refund', {
            runtime: 'api',
            api_url: 'https://bank.example/refunds',
            approval_gate,
          }),
        ],
      },
    })
    const root = await on<Run>('POST', '/api/characters/mira/tasks/read/run', { input: 'order 17' })
    const { items } = await on<{ items: Run[] }>(
      'GET',
      `/api/runs?root_run_id=${root.id}&wait_seconds=20`,
    )
    const waiting = items.find(({ approval_id }) => approval_id !== null)
    visitor.cookie = `${visitor.cookie}; abode_zone=Asia%2FTokyo`
    const { text } = await visitor.get(`/approvals/${waiting?.approval_id}`)
    expect(text).toContain('What led to it')
    expect(text.indexOf('The read')).toBeGreaterThan(text.indexOf('class="chain"'))
    expect(text).toContain(`href="/runs/${waiting?.id}"`)
    expect(text).toContain('It calls <bdi>https://bank.example/refunds</bdi>.')
    expect(text).toMatch(/Rejected:<\/strong>\s*the run is abandoned/)
    const until = new Date((waiting ? Date.parse(waiting.created_at) : 0) + 3_600_000)
    const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' } as const
    const local = new Intl.DateTimeFormat('en-GB', clock).format(until)
    expect(text).toContain(`${local}</time>:`)
    const decided = await visitor.post(`/approvals/${waiting?.approval_id}`, { action: 'reject' })
    const after = await visitor.get(decided.goesTo)
    expect(after.text).toContain('Your answer is kept, and it is decided.')
    expect(after.text).not.toContain('What happens then')
  })

  it('is seen through any account of the person, and says which', async () => {
    const { visitor } = await ownerAt(url)
    const { claim_url, api_key: key } = await claimable(url, 'Desk <b>')
    await visitor.post(new URL(claim_url).pathname, { action: 'complete' })
    const approval_gate = { requires_approval: true, require_person: true }
    const tasks = [task('ask', { approval_gate })]
    await call(url, 'POST', '/api/characters/', key, { id: 'otto', name: 'Otto', heart: { tasks } })
    const run = await call<Run>(url, 'POST', '/api/characters/otto/tasks/ask/run', key, {
      wait_seconds: 20,
    })
    // The console shows the account that was claimed last; this one is another again.
    const { accounts } = server.abode.ports.store
    const own = await accounts.find({ kind: 'person' })
    for (const { id } of own) await visitor.post('/account', { account: id })
    const path = `/approvals/${run.approval_id}`
    const page = await visitor.get(path)
    expect(page.text).toContain('of another of your accounts: <bdi>Desk &lt;b&gt;</bdi>')
    expect(page.text).not.toContain(`href="/runs/${run.id}"`)
    expect((await visitor.post(path, { action: 'approve' })).status).toBe(303)
    const { approvals } = server.abode.ports.store
    expect(await approvals.get(String(run.approval_id))).toMatchObject({ state: 'approved' })
  })
})
