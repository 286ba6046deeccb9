import type { FaultItem } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import type { Warning } from '#src/core/schema.ts'
import { sendingsOf } from '#src/agents/secrets/sendings.ts'
import type { SecretShelf } from '#src/agents/secrets/stored-secrets.ts'
import type { TaskInput } from '../task.ts'
import { anyOrigin, targetsOf, type Reaching } from './targets.ts'

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

/** Where the secrets of an agent may go. */
export interface SecretPlaces {
  /** Where they go by the stored tasks. */
  known: ReadonlySet<string>
  shelf: SecretShelf | undefined
}

/** What is said of where a task would send its secrets, to a key that acts as the agent. */
export interface PlaceNotes {
  faults: FaultItem[]
  warnings: Warning[]
}

/**
 * What is wrong with where a task would send its secrets, for a key that acts as the agent. It may name
 * another origin for a secret whose owner has not named any: its runs then wait for the owner. A command, an
 * open host, and an origin apart from those that the owner has named are refused.
 */
export function secretPlaceNotes(
  sent: TaskInput,
  { known, shelf }: SecretPlaces,
  at: string,
): PlaceNotes {
  const faults = placeFaults(sent, known, at)
  const warnings: Warning[] = []
  if (faults.length > 0 || sent.selected_secrets.length === 0) return { faults, warnings }
  const opened = { task: sent, tools: sent.tools, servers: [], agentsWords: [] }
  for (const { secret, origin = '' } of sendingsOf(opened)) {
    const kept = shelf?.secrets[secret]
    if (!kept || kept.origins?.includes(origin)) continue
    const pointer = sent.runtime === 'api' ? '/api_url' : '/tools'
    if (kept.bound) {
      const message = `Its owner has named where "${secret}" may be sent, and this is not among it.`
      faults.push({ pointer: at + pointer, message, code: 'secret_origin' })
    } else if (!known.has(sending(secret, `origin:${origin}`))) {
      const message = `No task sends "${secret}" there: its runs wait until the owner approves it.`
      warnings.push({ code: 'secret_origin', pointer, message })
    }
  }
  return { faults, warnings }
}

function placeFaults(sent: Sending, known: ReadonlySet<string>, at: string): FaultItem[] {
  if (sent.selected_secrets.length === 0) return []
  const ofTools = new Set(sent.tools.flatMap((tool) => placesOf({ ...bare, tools: [tool] })))
  const decided = placesOf(sent).filter(
    (place) => place === anyOrigin || !place.startsWith('origin:'),
  )
  return decided.flatMap((place) => {
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
