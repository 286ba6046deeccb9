import type { FaultItem } from '#src/core/errors.ts'
import { targetsOf, type Reaching } from './targets.ts'

/** Commands say themselves where they send what they are given. */
const commands: ReadonlySet<string> = new Set(['runtime:shell', 'runtime:container'])

/** To which places the secrets of these tasks go: the word of their owner, as no agent adds to it. */
export function secretPlacesOf(tasks: readonly Reaching[]): ReadonlySet<string> {
  return new Set(
    tasks.flatMap((task) => {
      if (task.selected_secrets.length === 0) return []
      const places = placesOf(task)
      return task.selected_secrets.flatMap((name) => places.map((place) => sending(name, place)))
    }),
  )
}

/**
 * What is wrong with where a task would send its secrets, for a key that acts as the agent: only its
 * owner says to which origin a secret goes, or that a command is given it.
 * @param known where they go by the tasks that are there
 */
export function secretPlaceFaults(
  sent: Reaching,
  known: ReadonlySet<string>,
  at: string,
): FaultItem[] {
  if (sent.selected_secrets.length === 0) return []
  const ofTools = new Set(sent.tools.flatMap((tool) => placesOf({ ...bare, tools: [tool] })))
  return placesOf(sent).flatMap((place) => {
    const name = sent.selected_secrets.find((one) => !known.has(sending(one, place)))
    if (name === undefined) return []
    const isCommand = commands.has(place)
    const member = isCommand ? 'runtime' : ofTools.has(place) ? 'tools' : 'api_url'
    const where = isCommand ? 'to a command' : 'there'
    const message = `No task sends "${name}" ${where}: where a secret goes is its owner's to say.`
    return [{ pointer: `${at}/${member}`, message, code: 'secret_origin' }]
  })
}

const bare: Reaching = {
  runtime: null,
  api_url: null,
  tools: [],
  output_sharing: null,
  social_posting: null,
  selected_secrets: [],
}

function placesOf(task: Reaching): string[] {
  return [...targetsOf(task)].filter((one) => one.startsWith('origin:') || commands.has(one))
}

function sending(name: string, place: string): string {
  return `${name} ${place}`
}
