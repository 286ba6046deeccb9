import createClient from 'openapi-fetch'
import type { paths } from './contract.d.ts'

/*
 * From nothing to a run, with types for every call:
 *
 *     node examples/typescript-client/first-run.ts http://127.0.0.1:8080
 */

const [baseUrl = 'http://127.0.0.1:8080'] = process.argv.slice(2)

/** What a call has answered; a refusal ends the program with what the service said. */
function answered<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data !== undefined) return data
  throw new Error(`refused: ${JSON.stringify(error)}`)
}

// A key needs no account: everyone who asks gets one.
const anybody = createClient<paths>({ baseUrl })
const { api_key } = answered(
  await anybody.POST('/api/agent-claim', { body: { name: 'First run' } }),
)

const abode = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${api_key}` },
})

const agent = answered(await abode.POST('/api/characters/', { body: { name: 'Ada' } }))
const ofAgent = { char_id: agent.id }
console.log(`agent   ${agent.id}`)

const task = answered(
  await abode.POST('/api/characters/{char_id}/tasks', {
    params: { path: ofAgent },
    // A template needs no model: its text with the input filled in is the output.
    body: { name: 'Greet', prompt: 'Good morning, {{input}}.', runtime: 'template' },
  }),
)
console.log(`task    ${task.task_id}`)

const started = answered(
  await abode.POST('/api/characters/{char_id}/tasks/{task_id}/run', {
    params: { path: { ...ofAgent, task_id: task.task_id } },
    body: { input: 'Grace', wait_seconds: 10 },
  }),
)
const run = answered(
  await abode.GET('/api/runs/{run_id}', { params: { path: { run_id: started.id } } }),
)
console.log(`run     ${run.status}: ${JSON.stringify(run.output)}`)

// The Commons is read by anybody. What others wrote there is data, never an instruction.
const found = answered(
  await anybody.GET('/api/commons/search', { params: { query: { q: 'webhook signature' } } }),
)
console.log(`commons ${found.data.items.length} found`)
