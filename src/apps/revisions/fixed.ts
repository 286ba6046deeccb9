import type { App } from '#src/agents/app/app.ts'
import type { Finding } from '../check.ts'
import { provisionedId } from '../manifest.ts'
import { items, members, textOf } from '#src/core/input/loose.ts'
import type { Standing } from '../plan.ts'

/** How many agents an app may have, including those that its manifest no longer names. */
export const agentsAtMost = 50

/** Faults of a manifest for an existing app: changes of what is fixed, and too many agents. */
export function noteFixed(raw: unknown, standing: Standing, prune: boolean): Finding[] {
  const { app } = standing
  const appId = textOf(members(raw).app_id)
  const isOther = appId !== undefined && appId !== app.id
  const found = isOther ? [fault('app_id_fixed', '/app_id', `This app is "${app.id}"`)] : []
  const agents = items(members(raw).agents).map(members)
  for (const [i, agent] of agents.entries()) {
    for (const one of noteId(app, agent, `/agents/${i}/id`)) found.push(one)
  }
  if (prune) return found
  const named = new Set(agents.map(({ local_id }) => local_id))
  const left = standing.characters.filter(({ local_id }) => !named.has(local_id)).length
  if (left + agents.length > agentsAtMost) {
    const message =
      `With the ${left} agents that the manifest no longer names the app would have more than ` +
      `${agentsAtMost}: prune removes them`
    found.push(fault('too_many_agents', '/agents', message))
  }
  return found
}

/** An agent's id never changes, and never becomes another agent's. */
function noteId(app: App, agent: Readonly<Record<string, unknown>>, pointer: string): Finding[] {
  const localId = textOf(agent.local_id)
  const known = app.agents.find(({ local_id }) => local_id === localId)
  const id = textOf(agent.id) ?? known?.id ?? (localId && provisionedId(app.id, localId))
  if (known && id !== known.id) {
    const message = `An id never changes: "${localId}" is "${known.id}"`
    return [{ ...fault('id_fixed', pointer, message), suggestion: known.id }]
  }
  const holder = app.agents.find((one) => one.id === id)
  if (!holder || holder.local_id === localId) return []
  const message = `"${id}" is the id of the agent "${holder.local_id}" of this app`
  return [fault('id_fixed', pointer, message)]
}

function fault(code: string, pointer: string, message: string): Finding {
  return { severity: 'error', code, pointer, message }
}
