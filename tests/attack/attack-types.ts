import type { Answers } from './sockets.ts'

/** The server under attack, and what an attacker who has asked for a key owns. */
export interface Target {
  url: string
  port: number
  /** A free key of the attacker. */
  key: string
  /** An agent of the attacker, with a task whose runs wait for a worker. */
  charId: string
  /** A run of it that does not end. */
  runId: string
  /** Further accounts of the attacker, each with an agent. */
  others: readonly Pick<Target, 'key' | 'charId'>[]
  /** Where runs may call, and wait long for an answer. */
  slowOrigin: string
}

/** One attack: what it does to a target until it is told to stop. */
export interface Attack {
  name: string
  /** In a few words, for the table. */
  what: string
  /** Expected answers besides refusals: pages, streams, runs of a hook, refusals in band. */
  given?: readonly string[]
  /** Makes what the attack needs, before its time begins; gives the target as it is then. */
  prepare?(target: Target): Promise<Target>
  run(target: Target, answers: Answers, signal: AbortSignal): Promise<void>
}
