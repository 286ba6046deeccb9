import type { Source } from '#src/core/text/untrusted.ts'

/** An event of the platform that others may wait for; stored until it has been passed on. */
export interface PlatformEvent {
  id: string
  /** One of `platformEvents`, or `before_run` for the hooks of an agent. */
  type: string
  /** RFC 3339. */
  at: string
  /** The account that it concerns: only tasks of that account are told. */
  owner_id: string
  /** The agent that it concerns; its hooks are told. */
  char_id: string | null
  /** The app whose webhook is told. */
  app_id: string | null
  /** Matched against the filters of triggers; also the input of the runs that it starts. */
  data: Record<string, unknown>
  /** The run that caused it: what it starts belongs to the same chain. */
  cause: EventCause | null
  /** When it is to be passed on or retried. */
  due_at: string
  /** How many tries to pass it on have failed. */
  attempts: number
  /** The last listening task that has been told, if there are more than one commit holds. */
  told: string | null
  /** Who left it with the account, if not the account itself. */
  sender?: string
  /** The trace of what caused it. */
  trace?: string
  /** Where its data comes from, if that is outside of the account. */
  source?: Source
}

/** The place of a run in its chain, as far as the runs that it causes need it. */
export interface EventCause {
  id: string
  root_run_id: string
  depth: number
  /** See `StoredRun.fired`. */
  fired?: readonly string[]
}
