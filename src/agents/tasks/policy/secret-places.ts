import type { FaultItem } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import type { TaskInput } from '../task.ts'
import { targetsOf, type Reaching } from './targets.ts'

/** The members of a task that say where its secrets go. */
type Sending = Reaching &
  Partial<Pick<TaskInput, 'shell_command' | 'container_image' | 'container_command'>>

/** The places to which the secrets of these tasks go: the owner's choice, because no agent can add one. */
export function secretPlacesOf(tasks: readonly Sending[]): ReadonlySet<string> {
  return new Set(
    tasks.flatMap((task) => {
      if (task.selected_secrets.length === 0) return []
      const places = placesOf(task)
      return task.selected_secrets.flatMap((name) => places.map((place) => sending(name, place)))
    }),
  )
}

/**
 * The faults in where a task would send its secrets, for a key that acts as the agent: only the owner
 * says to which origin a secret goes, or which command gets it.
 * @param known where secrets go by the stored tasks
 */
export function secretPlaceFaults(
  sent: Sending,
  known: ReadonlySet<string>,
  at: string,
): FaultItem[] {
  if (sent.selected_secrets.length === 0) return []
  const ofTools = new Set(sent.tools.flatMap((tool) => placesOf({ ...bare, tools: [tool] })))
  return placesOf(sent).flatMap((place) => {
    const name = sent.selected_secrets.find((one) => !known.has(sending(one, place)))
    if (name === undefined) return []
    const command = commandOf(sent)
    const isCommand = place === command?.place
    const member = isCommand ? command.member : ofTools.has(place) ? 'tools' : 'api_url'
    const where = isCommand ? 'to this command' : 'there'
    const message = `No task sends "${name}" ${where}: only its owner may say where a secret goes.`
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

function placesOf(task: Sending): string[] {
  const origins = [...targetsOf(task)].filter((one) => one.startsWith('origin:'))
  const command = commandOf(task)
  return command ? [...origins, command.place] : origins
}

/** A command decides itself where it sends its input, so each command is a place of its own. */
function commandOf(task: Sending): { place: string; member: string } | undefined {
  const { runtime, shell_command: script, container_image: image, container_command: job } = task
  if (runtime === 'shell') {
    return { place: `shell ${digest(script ?? '')}`, member: 'shell_command' }
  }
  if (runtime !== 'container') return undefined
  const place = `container ${digest(JSON.stringify([image ?? null, job ?? null]))}`
  return { place, member: 'container_command' }
}

function sending(name: string, place: string): string {
  return `${name} ${place}`
}
