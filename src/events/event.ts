/** What happened on the platform that others may wait for: kept until it has been passed on. */
export interface PlatformEvent {
  id: string
  /** One of `platformEvents`, or `before_run` for the hooks of an agent. */
  type: string
  /** RFC 3339. */
  at: string
  /** The account to which it happened: its tasks alone hear of it. */
  owner_id: string
  /** The agent to which it happened, whose hooks hear of it. */
  char_id: string | null
  /** The app whose webhook hears of it. */
  app_id: string | null
  /** What the filters of triggers are held against, and the input of the runs that it starts. */
  data: Record<string, unknown>
  /** The run that brought it about: what it starts belongs to the same chain. */
  cause: EventCause | null
  /** When it is to be passed on, or tried again. */
  due_at: string
  /** How often it could not be passed on. */
  attempts: number
  /** The last of the listening tasks that have been told, where they are more than one commit holds. */
  told: string | null
  /** Who has left with the account what happened, where that is somebody else. */
  sender?: string
}

/** The place of a run in its chain, as far as what it brings about has to know it. */
export interface EventCause {
  id: string
  root_run_id: string
  depth: number
}
