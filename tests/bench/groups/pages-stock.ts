import { openStore } from '#adapters/store/open.ts'
import { newId } from '#src/core/ids.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { startWork } from '#src/work/work.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { openWorld } from '#tests/support/world.ts'
import { agentWithTasks } from '../documents.ts'

/** Who looks, and at what. */
export interface PagesStock {
  /** The token of the session of who owns it all. */
  session: string
  agent: string
  run: string
  approval: string
  team: string
}

const agentsAtOnce = 256
const runsAtOnce = 500

/** Fills a new folder: one person with so many agents and runs, every tenth of which failed. */
export async function stockPages(
  folder: string,
  { owned, ran }: { owned: number; ran: number },
): Promise<PagesStock> {
  const store = await openStore({ folder })
  try {
    const world = openWorld(store)
    const { key, id } = await world.account()
    const person = await signedInPerson(world.ports)
    await store.accounts.update({ id: person.account_id }, { $set: { holder_id: null } })
    await store.accounts.update({ id }, { $set: { holder_id: person.id } })
    await store.persons.update({ id: person.id }, { $set: { account_id: id } })
    await inBatches(owned, agentsAtOnce, (n) =>
      world.ask('characters.create', { character: agentWithTasks(`agent-${n}`) }, key),
    )
    const ask = <T>(name: string, input: object): Promise<T> => world.ask<T>(name, input, key)
    const gate = { requires_approval: true, approval_prompt: 'Send it?' }
    const agents = Array.from({ length: 5 }, (_, n) => ({
      local_id: `m${n}`,
      name: `Member ${n}`,
      heart: {
        tasks: [
          { task_id: 'do', name: 'Do', runtime: 'template', prompt: 'Done', approval_gate: gate },
        ],
      },
    }))
    await ask('agent_apps.provision', { manifest: { app_id: 'team', name: 'Team', agents } })
    const work = startWork(world.ports, ['runner'], 1)
    const gated = { char_id: 'team--m0', task_id: 'do', wait_seconds: 20 }
    const asked = await ask<{ approval_id: string }>('tasks.run', gated)
    await work.stop()
    const start = { char_id: 'agent-0', task_id: 'greet', input: { name: 'visitor' } }
    const { id: run } = await ask<{ id: string }>('tasks.run', start)
    const done = await store.runs.get(run)
    if (!done) throw new Error('the run is not there')
    await inBatches(ran, runsAtOnce, (n) => store.commit([{ in: 'runs', insert: copyOf(done, n) }]))
    const session = person.token
    return { session, agent: 'agent-0', run, approval: asked.approval_id, team: 'team' }
  } finally {
    await store.close()
  }
}

async function inBatches(
  many: number,
  atOnce: number,
  make: (n: number) => Promise<unknown>,
): Promise<void> {
  for (let begun = 0; begun < many; begun += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, many - begun) }, (_, i) => begun + i)
    await Promise.all(batch.map(make))
  }
}

function copyOf(run: StoredRun, n: number): StoredRun {
  const id = newId('run')
  const copy = { ...run, id, root_run_id: id, char_id: `agent-${n % 1000}` }
  if (n % 10 !== 0) return copy
  const error = {
    code: 'variable_missing',
    message: 'The prompt names {{name}}, which is missing.',
  }
  return { ...copy, status: 'failed', error }
}
