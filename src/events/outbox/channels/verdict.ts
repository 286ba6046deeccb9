import { isMap } from '#src/core/maps.ts'
import type { OutboundAnswer } from '#src/ports/sender.ts'
import { retryAfter } from '../retry-schedule.ts'
import type { CarriedKind } from './kinds.ts'

/** What an answer says of a message; without an error it was taken. */
export interface Verdict {
  error?: string
  /** Seconds that the service asks to wait. */
  retryAfter?: number | undefined
  /** It would be refused again. */
  isFinal?: boolean
}

/** Statuses among those of the caller's faults that pass by themselves. */
const passing: ReadonlySet<number> = new Set([408, 425, 429])

/** Slack's words for what passes by itself; it says so with the status 200. */
const passingWords: ReadonlySet<string> = new Set([
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

/** What a service's answer says, in fixed words but for Slack's own code. */
export function verdictOf(
  kind: CarriedKind,
  { status, headers, body }: OutboundAnswer,
  now: Date,
): Verdict {
  const said = jsonIn(body)
  const isTaken = status >= 200 && status < 300
  if (isTaken && !(kind === 'slack' && said['ok'] === false)) return {}
  const wait = waitIn(said) ?? retryAfter(headers['retry-after'], now)
  const isRefused = status >= 400 && status < 500
  const code = wordIn(said)
  const isFinal = isTaken ? !passingWords.has(code) : isRefused && !passing.has(status)
  const error = `The service answered ${isTaken ? code : status}.`
  return { error, retryAfter: wait, isFinal }
}

/** Slack's own code of a fault. */
function wordIn({ error }: Record<string, unknown>): string {
  return typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : 'an error'
}

/** Discord and Telegram say in the body how long to wait. */
function waitIn({ retry_after, parameters }: Record<string, unknown>): number | undefined {
  const asked = isMap(parameters) ? parameters['retry_after'] : retry_after
  return typeof asked === 'number' && asked >= 0 ? asked : undefined
}

function jsonIn(body: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(body)
    return isMap(read) ? read : {}
  } catch {
    return {}
  }
}
