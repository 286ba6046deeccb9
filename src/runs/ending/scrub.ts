import { scrubbedInTurns, scrubberInTurns } from '#src/agents/secrets/scrub-in-turns.ts'
import { scrubber, type Scrub } from '#src/agents/secrets/scrubber.ts'
import { givenSettings, secretsFor } from '#src/agents/secrets/secrets.ts'
import type { Ports } from '#src/core/context.ts'
import { Unavailable } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Outcome } from '../ended.ts'

type Needed = Pick<Ports, 'store' | 'sealer' | 'clock'>

/** For runs that got no secrets: removes only our tokens. */
const ofTokens = scrubber([])

/** The scrubber made for one reading of a task, and the settings that it was made for. */
const made = new WeakMap<StoredTask, { settings: readonly string[]; scrub: Scrub }>()

/** The scrubber for everything that a run of this task produces. @throws Unavailable */
export async function scrubOf(ports: Needed, task: StoredTask | undefined): Promise<Scrub> {
  if (!task) return ofTokens
  const settings = givenSettings(task)
  if (task.selected_secrets.length === 0 && settings.length === 0) return ofTokens
  const known = made.get(task)
  if (known?.settings === settings) return known.scrub
  try {
    const values = [...Object.values(await secretsFor(ports, task)), ...settings]
    const scrub = await scrubberInTurns(values, ports.clock)
    made.set(task, { settings, scrub })
    return scrub
  } catch (cause) {
    if (cause instanceof Unavailable) throw cause
    // Secrets that cannot be opened were given to no run, and the run must end.
    return settings.length > 0 ? scrubber(settings) : ofTokens
  }
}

/**
 * An outcome without secrets, fit to be stored and handed on. The task that was read for the run has
 * exactly the values that the run had. @throws Unavailable
 */
export async function scrubbedOutcome(
  ports: Needed,
  task: StoredTask | undefined,
  outcome: Outcome,
): Promise<Outcome> {
  const scrub = await scrubOf(ports, task)
  const reason = outcome.reason && { reason: scrub(outcome.reason) }
  if (outcome.status !== 'completed') {
    const { error } = outcome
    const clean = error && { code: scrub(error.code), message: scrub(error.message) }
    return { ...outcome, ...reason, error: clean }
  }
  const { output, artifacts } = outcome
  return {
    ...outcome,
    ...reason,
    output: await scrubbedInTurns(output, scrub, ports.clock),
    ...(artifacts && { artifacts: await scrubbedInTurns(artifacts, scrub, ports.clock) }),
  }
}

/** An error for the log without secrets, which any failing code may have quoted. */
export function scrubbedCause(cause: unknown, scrub: Scrub): unknown {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? scrub(cause) : cause
  const clean = new Error(scrub(cause.message))
  clean.name = cause.name
  clean.stack = scrub(cause.stack ?? '')
  if (cause.cause !== undefined) clean.cause = scrubbedCause(cause.cause, scrub)
  return clean
}
