import { solved } from '#tests/support/members.ts'
import type { Stage } from '../case.ts'

/** A new challenge with a counter that solves it. */
export async function solvedChallenge(
  stage: Pick<Stage, 'ask'>,
): Promise<{ challenge: string; counter: string; bits: number }> {
  const { challenge, bits } = await stage.ask<{ challenge: string; bits: number }>(
    'commons.challenge.get',
    {},
    'anonymous',
  )
  return { challenge, bits, counter: solved(challenge, bits) }
}
