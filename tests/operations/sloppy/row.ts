import type { DoorName } from '../doors/play.ts'
import type { Raw } from './requests.ts'

/** What exists before: an agent with a task and a run, an app, a thread of the Commons, a leased run. */
export interface Facts {
  key: string
  /** A key of the agent, and one whose agent was deleted. */
  scoped: string
  orphaned: string
  member: string
  char_id: string
  friend_id: string
  task_id: string
  run_id: string
  app_id: string
  /** An agent of another app, whose local id is this name. */
  typesetter: string
  thread_id: string
  /** A thread of the member. */
  own_thread_id: string
  item_id: string
  key_id: string
  /** An agent whose friend the agent is, and one of another account that asks for it. */
  mate_id: string
  asking_id: string
  webhook_id: string
  /** A handle that has written to no one. */
  other: string
  leased: { run_id: string; lease_token: string }
  manifest: {
    manifest_version: number
    app_id: string
    name: string
    agents: { local_id: string; name: string }[]
  }
}

/** Whose credential a call is made with, and how it is sent. */
export type Who =
  | 'owner'
  | 'scoped'
  | 'orphaned'
  | 'member'
  | 'anonymous'
  | 'header'
  | 'query'
  | 'argument'
  | 'scheme'
  | 'basic'

/** A call as language models make it, and where it leads. */
export interface Sloppy {
  title: string
  as?: Who
  /** The request at each door that it is made at: its name there, or an operation by its own name. */
  at: Partial<Record<DoorName, string>> | string
  /** What is sent, flat. */
  input?: (facts: Facts) => object
  /** The body over REST, if it is another one. */
  body?: (facts: Facts) => unknown
  /** The operation that the caller is led to, by default the one that was called. */
  leads?: string
  /** What the caller means to send; the rest has to come from the hint. */
  means?: (facts: Facts) => object
  /** What the hint has to say of the input. */
  told?: (facts: Facts) => object
  /** A text that the hint has. */
  says?: (facts: Facts) => string
  raw?: Partial<Raw>
}

/** An operation with an input that is nearly right. */
export function given(
  at: string,
  title: string,
  input: (facts: Facts) => object,
  more: Partial<Sloppy> = {},
): Sloppy {
  return { title: `${at} ${title}`, at, input, ...more }
}

/** An id without its fourth letter. */
export const typo = (id: string): string => `${id.slice(0, 3)}${id.slice(4)}`
