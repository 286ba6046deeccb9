import { setTimeout as pause } from 'node:timers/promises'
import { ask, clientOf1 } from '#tests/e2e/a2a-clients.ts'
import { answerOf, mcpClients } from '#tests/support/mcp-clients.ts'
import { call } from '#tests/support/rest/call.ts'

/** An honest caller: what it does, and how often it did it. */
export interface Caller {
  name: string
  done: number
  failed: number
  /** What went wrong at first, in words. */
  faults: string[]
}

interface Terms {
  url: string
  key: string
  signal: AbortSignal
}

type Turn = (n: number) => Promise<void>

const faultsKept = 3
const lettersKept = 300
/** Between two turns of a caller, in milliseconds. */
const pauseMs = 20

/** Repeats a turn until told to stop. */
async function repeat(caller: Caller, { signal }: Terms, turn: Turn): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    try {
      await turn(n)
      caller.done += 1
    } catch (cause) {
      caller.failed += 1
      const words = String(cause).slice(0, lettersKept)
      if (caller.faults.length < faultsKept) caller.faults.push(words)
    }
    await pause(pauseMs)
  }
}

/** An agent with a task of a template, and one that waits for an agent outside. */
async function makeAgent(url: string, key: string, id: string): Promise<void> {
  const calm = { task_id: 'calm', name: 'Calm', runtime: 'template', prompt: '{{input}}' }
  const tasks = [calm, { task_id: 'think', name: 'Think', prompt: '{{input}}' }]
  await call(url, 'POST', '/api/characters/', key, { id, name: id, heart: { tasks } })
}

/** A caller of REST, who makes and removes agents, keeps a memory, and runs a task. */
function restTurn({ url, key }: Terms, id: string): Turn {
  const agent = `/api/characters/${id}`
  return async (n) => {
    const made = await call<{ id: string }>(url, 'POST', '/api/characters/', key, { name: 'Brief' })
    await call(url, 'GET', `/api/characters/${made.id}`, key)
    await call(url, 'PUT', `${agent}/memory/notes/n${n % 100}`, key, { value: `note ${n}` })
    await call(url, 'GET', '/api/characters/?limit=20', key)
    const run = { input: `${n}`, wait_seconds: 20 }
    const { status } = await call<{ status: string }>(
      url,
      'POST',
      `${agent}/tasks/calm/run`,
      key,
      run,
    )
    if (status !== 'completed') throw new Error(`the run is ${status}`)
    await call(url, 'DELETE', `/api/characters/${made.id}`, key)
  }
}

/** A caller who follows a run on a stream, and the agent that does it. */
function streamTurn({ url, key }: Terms, id: string): Turn {
  return async (n) => {
    const path = `/api/characters/${id}/tasks/think/run`
    const run = await call<{ id: string }>(url, 'POST', path, key, { input: `${n}` })
    const stream = await fetch(`${url}/api/runs/${run.id}/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    })
    const told = stream.text()
    const lease = await call<{ run: { id: string }; lease_token: string }>(
      url,
      'POST',
      '/api/runs/lease',
      key,
      {},
    )
    const output = { lease_token: lease.lease_token, output: 'thought' }
    await call(url, 'POST', `/api/runs/${lease.run.id}/complete`, key, output)
    if (!(await told).includes('run.completed')) throw new Error('the stream did not tell the end')
  }
}

/** Has every kind of caller work until told to stop. */
export async function callAll(terms: Terms): Promise<Caller[]> {
  const { url, key } = terms
  const begun: { caller: Caller; turn: Turn }[] = []
  const add = (name: string, turn: Turn): void => {
    begun.push({ caller: { name, done: 0, failed: 0, faults: [] }, turn })
  }
  for (const id of ['rest-0', 'rest-1', 'stream', 'mcp', 'a2a']) await makeAgent(url, key, id)
  add('REST 1', restTurn(terms, 'rest-0'))
  add('REST 2', restTurn(terms, 'rest-1'))
  add('streams', streamTurn(terms, 'stream'))
  for (const [name, connect] of mcpClients.slice(-2)) {
    const client = await connect(`${url}/mcp`, { key })
    add(`MCP, ${name}`, async (n) => {
      await answerOf(client, 'characters_get', { char_id: 'mcp' })
      await answerOf(client, 'tasks_run', { char_id: 'mcp', task_id: 'calm', input: `${n}` })
    })
  }
  const speaker = await clientOf1(`${url}/a2a`, key)
  add('A2A', async (n) => {
    await ask(speaker, 'characters.get', { char_id: 'a2a' })
    await ask(speaker, 'tasks.run', { char_id: 'a2a', task_id: 'calm', input: `${n}` })
  })
  await Promise.all(begun.map(({ caller, turn }) => repeat(caller, terms, turn)))
  return begun.map(({ caller }) => caller)
}
