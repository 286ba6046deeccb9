import type { Socket } from 'node:net'

/** What a process does: answers, or everything else. */
export type Role = 'api' | 'worker'

/** From the supervisor to a process. */
export type Order =
  /** Asks whether it takes a connection now. */
  | { kind: 'offer'; id: number }
  /** Comes with the connection, unless that has ended on its way. */
  | { kind: 'connection'; id: number }
  /** Asks for its figures. */
  | { kind: 'tell'; id: number }
  /** The page of metrics that it has asked for. */
  | { kind: 'page'; id: number; text: string }
  /** It gets no more connections: all that were sent to it have come before. */
  | { kind: 'left' }
  /** Which of the processes are not ready. */
  | { kind: 'missing'; names: readonly string[] }
  /** It is to stop soon: it says that it is not ready, and begins nothing by itself. */
  | { kind: 'drain' }
  | { kind: 'stop'; signal: string }
  /** All others have ended. */
  | { kind: 'alone' }

/** From a process to the supervisor. */
export type Report =
  | { kind: 'ready' }
  /** Comes each second while its event loop turns. @see beatMs */
  | { kind: 'alive'; open: number }
  /** It takes the connection that it was offered. */
  | { kind: 'take'; id: number }
  /** It has the connection. */
  | { kind: 'taken'; id: number; open: number }
  | { kind: 'figures'; id: number; figures: unknown }
  /** Asks for the page of metrics. */
  | { kind: 'page'; id: number }
  /** It takes no more connections. */
  | { kind: 'leaving' }

/** How often a process says that it is alive. */
export const beatMs = 1000

/** Which of the processes one is, as its arguments say. */
export interface Part {
  role: Role
  /** From 1. */
  index: number
  /** How many answer. */
  processes: number
  /** Where the supervisor listens. */
  port: number
  address: string
}

/** The name of a process in the log. */
export function nameOf({ role, index }: Pick<Part, 'role' | 'index'>): string {
  return role === 'api' ? `api ${index}` : role
}

/** The arguments that a process is started with. */
export function argumentsOf({ role, index, processes, port, address }: Part): string[] {
  return [role, String(index), String(processes), String(port), address]
}

/** The part in the arguments of this process; undefined if no supervisor has started it. */
export function partIn(words: readonly string[]): Part | undefined {
  const [role, index, processes, port, address] = words
  const isPart = (role === 'api' || role === 'worker') && address !== undefined
  // Without a channel, a person has given the words.
  if (!isPart || process.channel === undefined) return undefined
  return {
    role,
    index: Number(index),
    processes: Number(processes),
    port: Number(port),
    address,
  }
}

/** The end of the channel to a process, as the supervisor uses it. */
export type Send = (order: Order, socket?: Socket) => void
