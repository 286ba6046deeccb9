import { begun, completed, type Return } from '#src/agents/connections/consent.ts'
import type { StoredConnection } from '#src/agents/connections/connection.ts'
import { redirectAddress } from '#src/agents/connections/client.ts'
import { openOAuth } from '#adapters/oauth/oauth.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { watchOthers } from '#src/work/watch.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import type { Run } from '#src/runs/run.ts'
import type { Store } from '#src/ports/store.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { modelsOf, toolServersOf } from '#tests/support/models.ts'
import {
  sentBackTo,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from '#tests/support/oauth/authorization-server.ts'
import {
  startProtectedServer,
  type ProtectedServer,
} from '#tests/support/oauth/protected-server.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

const redirect = redirectAddress({ publicUrl: 'http://127.0.0.1:8080' })

/** A world with a model, and a person whose agent calls a server that asks for OAuth. */
export interface Connecting {
  world: World
  person: SignedInPerson
  model: ModelServer
  authorization: TestAuthorizationServer
  guarded: ProtectedServer
  /** Another process on the same store. */
  alongside(store: Store): Pick<Connecting, 'world' | 'ran'>
  /** The agent's tasks: `t` of the runtime prompt with its tool server, `api` of the runtime api. */
  ran(taskId?: string, charId?: string): Promise<Run>
  events(run: Pick<Run, 'id'>): Promise<{ type: string; data: Record<string, unknown> }[]>
  connection(): Promise<StoredConnection>
  /** The person consents in their browser. */
  consents(connection?: StoredConnection): Promise<Return>
  /** The person goes to the authorization server, and has not come back yet. */
  leaves(connection?: StoredConnection): Promise<URLSearchParams>
  returns(answer: URLSearchParams, session?: string): Promise<Return>
  close(): Promise<void>
}

export interface ConnectingOptions extends WorldOptions {
  /** Whether clients may register themselves. */
  registers?: boolean
  /** Further origins that agents may reach. */
  also?: readonly string[]
}

export async function connecting(
  store: Store,
  { registers = true, also = [], ...options }: ConnectingOptions = {},
): Promise<Connecting> {
  const model = await startModelServer()
  const authorization = await startAuthorizationServer(redirect, { registers })
  const guarded = await startProtectedServer(authorization)
  // The other name of this machine is another origin.
  const { origin } = guarded.tools
  const allow = [...also, authorization.issuer, origin, origin.replace('127.0.0.1', 'localhost')]
  const workers: Runner[] = []
  const watching: (() => void)[] = []
  const worldOn = (on: Store): World => {
    const sender = openSender({ allow, userAgent: 'abode-tests' })
    const world = openWorld(on, {
      models: modelsOf({
        defaultModel: { provider: 'openai', model: 'm' },
        openai: { apiKey: 'sk-1', baseUrl: model.baseUrl },
      }),
      toolServers: toolServersOf(allow, 5000),
      sender,
      oauth: openOAuth(sender),
      ...options,
    })
    const worker = runner(world.ports, 8)
    workers.push(worker)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    return world
  }
  const world = worldOn(store)
  const person = await signedInPerson(world.ports)
  const session = { token: person.token }
  await world.ask('characters.create', { character: agentOf(guarded) }, session)
  const ranIn = async (on: World, task_id = 't', char_id = 'ada'): Promise<Run> => {
    const { id } = await on.ask<Run>('tasks.run', { char_id, task_id }, session)
    const read = () => on.ask<Run>('runs.get', { run_id: id }, session)
    await until(async () => (await read()).finished_at !== null)
    return read()
  }
  const made: Connecting = {
    world,
    person,
    model,
    authorization,
    guarded,
    alongside(other) {
      const second = worldOn(other)
      watching.push(watchOthers(second.ports))
      return { world: second, ran: (...about) => ranIn(second, ...about) }
    },
    ran: (...about) => ranIn(world, ...about),
    async events({ id }) {
      const page = await world.ask<{ items: never[] }>('runs.events', { run_id: id }, session)
      return page.items
    },
    async connection() {
      const [one] = await store.outbound_connections.find({})
      if (!one) throw new Error('no server has asked')
      return one
    },
    async consents(connection) {
      return made.returns(await made.leaves(connection))
    },
    async leaves(connection) {
      const one = connection ?? (await made.connection())
      const given = registers ? undefined : { id: 'by-hand', secret: 'by-hand-secret' }
      const address = await begun(world.ports, one, { session: person.token, given })
      if (address === undefined) throw new Error('a client has to be given')
      return (await sentBackTo(redirect, address)).searchParams
    },
    returns: (answer, token = person.token) =>
      completed(world.ports, answer, {
        session: token,
        personOwns: async (ownerId) => ownerId === person.account_id,
        actor: { kind: 'person', person_id: person.id },
        network: '127.0.0.0/24',
      }),
    async close() {
      for (const leave of watching) leave()
      for (const worker of workers) await worker.stop()
      for (const server of [model, authorization, guarded]) server.close()
    },
  }
  return made
}

function agentOf({ tools, api }: ProtectedServer) {
  const url = `${tools.origin}/guarded/mcp`
  const tasks = [
    { task_id: 't', name: 'T', prompt: 'Do it.' },
    { task_id: 'api', name: 'Api', prompt: 'Do it.', runtime: 'api', api_url: api },
  ]
  return { id: 'ada', name: 'Ada', brain: { mcps: [{ name: 'gauges', url }] }, heart: { tasks } }
}
