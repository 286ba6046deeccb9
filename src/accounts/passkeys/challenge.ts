import * as z from 'zod'
import type { Ports } from '#src/core/context.ts'
import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, randomHex } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { DuplicateKey, type Write } from '#src/ports/store.ts'

type Needed = Pick<Ports, 'sealer' | 'clock'>

/** How long an authenticator may take. */
export const challengeSeconds = 300
const challengeBytes = 32
const binding = { id: 'authenticator', purpose: 'passkey_challenge' }

const Challenge = z.strictObject({
  challenge: z.string(),
  /** Of a passkey that is to be added; null where one signs in, or shows that it is them. */
  session_id: z.string().nullable(),
  until: z.string(),
})
/** A question to an authenticator. */
export type Challenge = z.infer<typeof Challenge>

/**
 * A question to an authenticator, and the ticket with which its answer comes back. The ticket holds the question,
 * sealed: nothing is stored, however many are asked for, and every process of the server reads it.
 */
export function newChallenge(
  { sealer, clock }: Needed,
  session_id: string | null,
): { challenge: Buffer<ArrayBuffer>; ticket: string } {
  const challenge = Buffer.from(randomHex(challengeBytes), 'hex')
  const until = secondsAfter(clock.now(), challengeSeconds)
  const asked: Challenge = { challenge: challenge.toString('base64url'), session_id, until }
  return { challenge, ticket: sealer.seal(JSON.stringify(asked), binding) }
}

/** The question of a ticket. @throws Refusal `login_failed` for one that is too old, or was asked elsewhere */
export function openedChallenge(
  { sealer, clock }: Needed,
  ticket: string,
  session_id: string | null,
): Challenge {
  const asked = opened(sealer, ticket)
  if (asked?.session_id !== session_id || asked.until <= timestamp(clock.now())) return tooLate()
  return asked
}

function opened(sealer: Needed['sealer'], ticket: string): Challenge | undefined {
  try {
    return Challenge.parse(JSON.parse(sealer.open(ticket, binding)))
  } catch {
    // Anyone may send anything.
    return undefined
  }
}

/** The write by which a question is answered once: the commit of a second answer fails by it. */
export function spentBy({ challenge, until }: Challenge): Write {
  return { in: 'spent_challenges', insert: { id: digest(challenge), expires_at: until } }
}

/** @throws Refusal `login_failed` where a commit has failed because the question was answered before */
export function onceOnly(cause: unknown): never {
  if (cause instanceof DuplicateKey && cause.in === 'spent_challenges') return tooLate(cause)
  throw cause
}

function tooLate(cause?: unknown): never {
  return refuse('login_failed', 'This took too long, or was sent before: try again.', { cause })
}

/** Deletes questions that would be too old by now. */
export const purgeChallenges: Purge = ({ store }, now) =>
  purgeRows(store.spent_challenges, { expires_at: { $lt: timestamp(now) } })
