import * as z from 'zod'
import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'

/** How many recovery codes are made at once. */
export const recoveryCodes = 10

export const SecondFactor = z
  .object({
    enabled: z.boolean().describe('Whether signing in by password asks for a code.'),
    enabled_at: z.string().nullable(),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'SecondFactor' })
/** How a person's second factor stands. */
export type SecondFactor = z.infer<typeof SecondFactor>

/** What is asked of a person after their password, at rest. */
export interface StoredFactor {
  /** The id of the person. */
  id: string
  /** What the codes are made of, sealed. */
  sealed: string
  /** Null until a right code has shown that the person has it. */
  enabled_at: string | null
  /** The time step of the last code that counted: neither it nor one before counts again. */
  last_step: number
  /** Hashes of the recovery codes that were not used. */
  recovery: string[]
  /** Codes that were tried since one was right, within the time that ends then. */
  tries: number
  tries_until: string
  /** Counts the changes. */
  revision: number
}

/** What the seal of a factor is bound to. */
export function factorSeal(personId: string): { id: string; purpose: string } {
  return { id: personId, purpose: 'second_factor' }
}

/** The factor of a person, as they see it. */
export function publicFactor(factor: StoredFactor | undefined): SecondFactor {
  const enabled_at = factor?.enabled_at ?? null
  const recovery_codes_left = enabled_at === null ? 0 : (factor?.recovery.length ?? 0)
  return { enabled: enabled_at !== null, enabled_at, recovery_codes_left }
}

/** A factor that is not asked for yet. */
export function begunFactor(
  { sealer, clock }: Pick<Ports, 'sealer' | 'clock'>,
  personId: string,
  secret: string,
): StoredFactor {
  return {
    id: personId,
    sealed: sealer.seal(secret, factorSeal(personId)),
    enabled_at: null,
    last_step: 0,
    recovery: [],
    tries: 0,
    tries_until: timestamp(clock.now()),
    revision: 1,
  }
}

/** Codes that one person may try within a quarter of an hour, from anywhere. */
const triesAtMost = 10
const tryingSeconds = 900

/** The factor with one more try counted; undefined where there were too many. */
export function tried(factor: StoredFactor, now: Date): StoredFactor | undefined {
  const isNew = factor.tries_until <= timestamp(now)
  const tries = isNew ? 1 : factor.tries + 1
  if (tries > triesAtMost) return undefined
  const tries_until = isNew ? secondsAfter(now, tryingSeconds) : factor.tries_until
  return { ...factor, tries, tries_until, revision: factor.revision + 1 }
}
