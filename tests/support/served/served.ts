import { afterAll, beforeAll } from 'vitest'
import type { Stage } from '#tests/operations/case.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { newStage } from '#tests/operations/play.ts'
import { oneStore } from '#tests/support/stores.ts'
import { callsOf, type Calls } from './calls.ts'

/** A server with all its doors, and an account of it. */
export interface Served extends Pick<PlayedServer, 'url' | 'world'> {
  stage: Stage
  /** A key of the owner of the stage. */
  key: string
  /** An agent of that account. */
  agent: string
  /** Calls by that key. */
  calls: Calls
}

/** What a file needs besides. */
export interface Needs {
  /** Of the agent: its id and its tasks, for example. */
  character?: { id?: string; [member: string]: unknown }
  env?: Record<string, string>
}

/** One for all tests of a file, from before its first until after its last. */
export function served({ character = {}, env = {} }: Needs = {}): Served {
  let server: PlayedServer | undefined
  // Its members are read by tests alone, which run after it was filled.
  const made = {} as Served
  beforeAll(async () => {
    const [kind] = oneStore()
    if (!kind) throw new Error('there is a store')
    server = await openServer(kind, env)
    const { url, world } = server
    const stage = newStage(world)
    const key = await stage.key('owner')
    const { id: agent = stage.id('ada') } = character
    await stage.ask('characters.create', { character: { name: 'Ada', ...character, id: agent } })
    Object.assign(made, { url, world, stage, key, agent, calls: callsOf(url, key) })
  })
  afterAll(() => server?.close())
  return made
}
