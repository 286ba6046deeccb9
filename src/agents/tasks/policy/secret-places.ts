import type { FaultItem } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import type { TaskInput } from '../task.ts'
import { targetsOf, type Reaching } from './targets.ts'

/** The members of a task that say where its secrets go. */
type Sending = Reaching &
  Partial<Pick<TaskInput, 'shell_command' | 'container_image' | 'container_command'>>

/** To which places the secrets of these tasks go: the word of their owner, as no agent adds to it. */
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
 * What is wrong with where a task would send its secrets, for a key that acts as the agent: only its
 * owner says to which origin a secret goes, or which command is given it.
 * @param known where they go by the tasks that are there
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

function placesOf(task: Sending): string[] {
  const origins = [...targetsOf(task)].filter((one) => one.startsWith('origin:'))
  const command = commandOf(task)
  return command ? [...origins, command.place] : origins
}

/** A command says itself where it sends what it is given, so that another one is another place. */
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
