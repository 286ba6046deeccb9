import type { OpenedStore, StoreWork } from '#adapters/store/opened.ts'
import { a2aDoor } from '#protocol/a2a/door.ts'
import type { DoorRequest } from '#protocol/door.ts'
import { policiesFor } from '#protocol/policies.ts'
import { runStandings } from '#src/catalog/runs.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { memberOf, raised } from '#tests/support/members.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { agent, agentWithTasks } from './documents.ts'

/** What is played, in this order. */
export const played = ['create', 'createKeyed', 'run', 'message', 'sendMessage', 'vote'] as const
/** One of them. */
export type Played = (typeof played)[number]

const nothing: StoreWork = { looks: 0, commits: 0, statements: 0, rows: 0, bytes: 0 }
const begun = Date.parse('2026-03-02T08:30:00Z')

/**
 * What each of these writes asks of the store, called by itself on a core that is warm. Time stands still,
 * so that nothing is written which waits for its time.
 */
export async function workOfEach(store: OpenedStore): Promise<Record<Played, StoreWork>> {
  const work = { ...nothing }
  if (!store.countedBy) throw new Error('this store does not count its statements')
  store.countedBy(work)
  const calls = await callsOn(store)
  const found: Partial<Record<Played, StoreWork>> = {}
  for (const name of played) {
    // Callers, limits and statements are looked up once, and then known.
    await calls[name](1)
    Object.assign(work, nothing)
    await calls[name](2)
    found[name] = { ...work }
  }
  // Each name was played.
  return found as Record<Played, StoreWork>
}

type Calls = Record<Played, (turn: number) => Promise<unknown>>

async function callsOn(store: OpenedStore): Promise<Calls> {
  const world = openWorld(store, { clock: fakeClock(begun) })
  const { key } = await world.account()
  for (const id of ['ada', 'grace']) {
    await world.ask('characters.create', { character: agentWithTasks(id) }, key)
  }
  const { token, threads } = await commonsOf(store, world)
  return {
    create: (n) => world.ask('characters.create', { character: agent(`new-${n}`) }, key),
    createKeyed: (n) => keyed(world, { character: agent(`keyed-${n}`) }, key, `key-${n}`),
    run: (n) => {
      const input = { name: `visitor ${n}` }
      return world.ask(
        'tasks.run',
        { char_id: 'ada', task_id: 'greet', input, wait_seconds: 0 },
        key,
      )
    },
    message: (n) => {
      const body = `The figures of day ${n} are ready.`
      return world.ask('messages.send', { char_id: 'ada', to: 'grace', body }, key)
    },
    sendMessage: sendMessageOn(store, world, key),
    vote: (n) => {
      const target_id = threads[n - 1]
      return world.ask('commons.votes.cast', { target_type: 'thread', target_id, value: 1 }, token)
    },
  }
}

/** A member who may vote, and two threads of another. */
async function commonsOf(
  store: OpenedStore,
  world: World,
): Promise<{ token: string; threads: string[] }> {
  const [author, voter] = [await memberOf(world), await memberOf(world)]
  for (const { handle } of [author, voter]) await raised(store, handle, 3)
  const threads: string[] = []
  for (const title of ['How are figures compared?', 'Who reads registers at night?']) {
    const thread = { board: 'ask', title, body: `${title} I have tried some ways.`, tags: [] }
    const { id } = await world.ask<{ id: string }>('commons.threads.create', thread, author.token)
    threads.push(id)
  }
  return { token: voter.token, threads }
}

async function keyed(
  { core }: World,
  input: object,
  credential: string,
  idempotencyKey: string,
): Promise<void> {
  const operation = core.catalog.find(({ name }) => name === 'characters.create')
  if (!operation) throw new Error('there is no such operation')
  const from = { credential, idempotencyKey, address: '127.0.0.0/24', requestId: 'bench' }
  const { refusal } = await core.serve({ operation, input, ...from })
  if (refusal) throw refusal
}

/**
 * A message of A2A that calls the read, and a look at the task that it leaves behind: that is stored after
 * the answer, and the look waits for it.
 */
function sendMessageOn(
  store: OpenedStore,
  { core, ports }: World,
  key: string,
): (turn: number) => Promise<void> {
  const { clock, log, sealer, settings } = ports
  const { publicUrl, version } = settings
  const about = { name: 'Abode', version, publicUrl, path: '/a2a', standings: runStandings }
  const door = a2aDoor({ ...policiesFor(publicUrl), ...about, core, store, clock, log, sealer })
  const rpc = async (method: string, params: object): Promise<string> => {
    const request = rpcOf(new URL(publicUrl).host, key, { method, params })
    const { body } = await door.handle(request)
    if (typeof body === 'string' && body.includes('"TASK_STATE_COMPLETED"')) return body
    throw new Error(`${method} was answered ${typeof body === 'string' ? body : 'by a stream'}`)
  }
  return async (n) => {
    const data = { operation: 'characters.get', params: { char_id: 'ada' } }
    const message = { messageId: `message-${n}`, role: 'ROLE_USER', parts: [{ data }] }
    const answer = await rpc('SendMessage', { message })
    // A completed task has an id.
    const { result } = JSON.parse(answer) as { result: { task: { id: string } } }
    await rpc('GetTask', { id: result.task.id })
  }
}

function rpcOf(host: string, key: string, call: object): DoorRequest {
  return {
    method: 'POST',
    headers: {
      host,
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'a2a-version': '1.0',
    },
    query: new URLSearchParams(),
    body: { jsonrpc: '2.0', id: 1, ...call },
    rawLength: 200,
    address: '127.0.0.0/24',
    requestId: 'bench',
    signal: new AbortController().signal,
  }
}
