import { expect, test } from 'vitest'
import { Answer } from '#src/core/answer.ts'
import { catalog } from '#src/catalog.ts'
import { inNames } from '#src/core/words/reference.ts'
import { atOnce } from '#src/core/turns/portions.ts'
import { wordedSteps } from '#src/core/words/warnings.ts'
import { served } from '#tests/support/served/served.ts'

const here = served()

/** What a door answers, as text without its escapes. */
async function said(path: string, body: object, idempotencyKey = ''): Promise<string> {
  const response = await fetch(here.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${here.key}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
  })
  return (await response.text()).replaceAll('\\', '')
}

/** What REST answers to a read. */
async function got(path: string): Promise<string> {
  const response = await fetch(here.url + path, {
    headers: { authorization: `Bearer ${here.key}` },
  })
  return (await response.text()).replaceAll('\\', '')
}

const meta = (key: string) => (key ? { _meta: { 'idempotency-key': key } } : {})
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const overMcp = (name: string, input: object, once = '') =>
  said('/mcp', rpc('tools/call', { name, arguments: input, ...meta(once) }))
const overA2a = (method: string, params: object, once = '') =>
  said('/a2a', rpc(method, { ...params, ...meta(once) }))

const inPath = 'PUT /api/characters/{char_id}/secrets'
const prompt = 'Say <tasks.run> as it is.'
const task = { task_id: 't', name: 'T', prompt, selected_secrets: ['TOKEN'] }
const agent = (id: string) => ({ id, name: 'Ada', heart: { tasks: [task] } })

test('warnings of a write name calls in the words of the door, and leave the texts of callers alone', async () => {
  const rest = await said('/api/characters/', agent('w-rest'))
  expect(rest).toContain(`\`${inPath}\``)
  const mcp = await overMcp('characters_create', { character: agent('w-mcp') })
  expect(mcp).toContain('`characters_secrets_update`')
  const input = { character: agent('w-named') }
  const named = await overMcp('operations_call', { name: 'characters.create', arguments: input })
  expect(named).toContain('`characters_secrets_update`')
  const a2a = await overA2a('characters.create', { character: agent('w-a2a') })
  expect(a2a).toContain('`characters.secrets.update`')
  for (const answer of [rest, mcp, named, a2a]) {
    expect(answer).toContain(prompt)
    expect(answer).not.toContain('<characters.')
  }
})

test('warnings within an answer of any length name calls in the words of the door', async () => {
  const metadata = { notes: 'x'.repeat(300_000) }
  const data = Buffer.from(JSON.stringify({ ...agent('w-long'), metadata })).toString('base64')
  const file = { filename: 'ada.json', data }
  const rest = await said('/api/characters/import', { file })
  expect(rest.length).toBeGreaterThan(300_000)
  expect(rest).toContain(`\`${inPath}\``)
  expect(rest).toContain(prompt)
  expect(rest).not.toContain('<characters.')
})

test('findings of a manifest too', async () => {
  const agents = [{ local_id: 'lead', ...agent('x'), id: undefined }]
  const task_ = { ...task, runtime_mode: 'async' }
  const manifest = {
    manifest_version: 1,
    app_id: 'worded',
    name: 'Desk',
    agents: agents.map((one) => ({ ...one, heart: { tasks: [task_] } })),
  }
  const run = 'POST /api/characters/{char_id}/tasks/{task_id}/run'
  expect(await said('/api/agent-apps/validate', manifest)).toContain(`\`${run}\``)
  expect(await overMcp('agent_apps_validate', { manifest })).toContain('`tasks_run`')
  expect(await overA2a('agent_apps.validate', { manifest })).toContain('`tasks.run`')
})

test('a kept answer is given in the words of the door that asks again', async () => {
  const once = crypto.randomUUID()
  const input = { character: agent('w-once') }
  expect(await overMcp('characters_create', input, once)).toContain('`characters_secrets_update`')
  const again = await overA2a('characters.create', input, once)
  expect(again).toContain('`characters.secrets.update`')
  expect(again).not.toContain('characters_secrets_update')
})

test('a list is found wherever it stands, and nothing that only looks like it', () => {
  const op = catalog.find(({ name }) => name === 'agent_apps.provision')
  if (!op) throw new Error('it is in the catalog')
  const worded = (value: object): unknown =>
    JSON.parse(atOnce(wordedSteps(op, new Answer(JSON.stringify(value)), inNames)).text)
  const raw = [{ code: 'a', message: 'See <tasks.run>.' }]
  const told = [{ code: 'a', message: 'See `tasks.run`.' }]
  const own = { metadata: { warnings: raw } }
  expect(worded({ warnings: raw, ...own })).toEqual({ warnings: told, ...own })
  expect(worded({ ...own, warnings: raw })).toEqual({ ...own, warnings: told })
  expect(worded(own)).toEqual(own)
  const long = { text: '\\"warnings":[{"'.repeat(100_000) + '\\', list: [[], {}] }
  expect(worded({ ...long, ...own, warnings: raw, ...long, end: 1 })).toEqual({
    ...long,
    ...own,
    warnings: told,
    end: 1,
  })
  expect(worded({ ...own, ...long, findings: [], end: 'warnings' })).toEqual({
    ...own,
    ...long,
    findings: [],
    end: 'warnings',
  })
})

test('what to call next, and what is told of schedules and in notices, is in the words of the door', async () => {
  const task = {
    task_id: 't',
    name: 'T',
    prompt: 'x',
    triggers: [{ type: 'cron', config: { cron: '0 9 * * *' } }],
  }
  await said('/api/characters/', { id: 'w-next', name: 'Ada', heart: { tasks: [task] } })
  const on = { char_id: 'w-next', task_id: 't' }
  const first = JSON.parse(await said('/api/characters/w-next/tasks/t/run', {})) as { id: string }
  expect(first).toMatchObject({ next: { operation: 'POST /api/runs/lease', input: on } })
  const run_id = first.id
  expect(await overMcp('runs_get', { run_id })).toContain('"operation":"runs_lease"')
  expect(await overA2a('runs.get', { run_id })).toContain('"operation":"runs.lease"')
  const chain = { root_run_id: run_id, wait_seconds: 0 }
  expect(await overMcp('runs_list', chain)).toContain('"operation":"runs_lease"')
  const listed = await got(`/api/runs?root_run_id=${run_id}&wait_seconds=0`)
  expect(listed).toContain('"operation":"POST /api/runs/lease"')

  await said('/api/characters/w-next/tasks/t/pause', {})
  const inPath = '`POST /api/characters/w-next/tasks/t/resume`'
  expect(await got('/api/characters/w-next/tasks/t/schedule')).toContain(inPath)
  expect(await overMcp('tasks_schedule', on)).toContain('`tasks_resume {')
  expect(await overA2a('tasks.schedule', on)).toContain('`tasks.resume {')

  await said('/api/api-keys', { name: 'Second' })
  expect(await got('/api/account/inbox')).toMatch(/`DELETE \/api\/api-keys\/[^`{]+`/)
  expect(await overMcp('account_inbox', {})).toContain('`api_keys_revoke {')
  expect(await overA2a('account.inbox', {})).toContain('`api_keys.revoke {')
  for (const answer of [await got('/api/account/inbox'), await overMcp('account_inbox', {})]) {
    expect(answer).not.toMatch(/<[a-z_]+\./)
  }
})
