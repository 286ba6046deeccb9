import type { Ports } from '#src/core/context.ts'
import type { StoredTask } from '../tasks/task.ts'
import { opened } from './stored-secrets.ts'

type Needed = Pick<Ports, 'store' | 'sealer'>
type Selecting = Pick<StoredTask, 'char_id' | 'selected_secrets'>

/**
 * The secrets given to one reading of a task. The scrubber of its results needs exactly the values
 * that the work had, even if they were changed meanwhile.
 */
const given = new WeakMap<Selecting, Promise<Record<string, string>>>()

/**
 * The values of the secrets that a task selects, by name; without those that the agent does not
 * have. The same task object always gets the same values.
 * @throws Unavailable
 */
export function secretsFor(ports: Needed, task: Selecting): Promise<Record<string, string>> {
  if (task.selected_secrets.length === 0) return Promise.resolve({})
  const known = given.get(task)
  if (known) return known
  const values = open(ports, task)
  given.set(task, values)
  values.catch(() => given.delete(task))
  return values
}

async function open(
  { store, sealer }: Needed,
  { char_id, selected_secrets }: Selecting,
): Promise<Record<string, string>> {
  const shelf = await store.secrets.get(char_id)
  return shelf ? opened(shelf, selected_secrets, sealer) : {}
}

const none: readonly string[] = []

/** Secrets of its agent's settings and its task's tools that a run was given, by the reading of its task. */
const settingsGiven = new WeakMap<Selecting, readonly string[]>()

const scheme = /^(?:bearer|basic|token|bot|key|api-?key)\s+(?=\S)/i

/**
 * Records what else a run sends to the tool servers of its agent and with the tools of its task, so that
 * its results can be scrubbed: also the secret alone, without an authorization scheme.
 */
export function noteSettingsGiven(task: Selecting, values: readonly string[]): void {
  const before = givenSettings(task)
  const all = new Set([...before, ...values.flatMap((one) => [one, one.replace(scheme, '')])])
  if (all.size > before.length) settingsGiven.set(task, [...all])
}

/** The values recorded for a task that was read for a run. */
export function givenSettings(task: Selecting): readonly string[] {
  return settingsGiven.get(task) ?? none
}
