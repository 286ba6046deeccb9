import { hash } from 'node:crypto'
import { zeroBits } from '#src/commons/proof-of-work.ts'
import type { Store } from '#src/ports/store.ts'
import type { World } from './world.ts'

/** A new handle in the Commons, by an honest proof of work. */
export async function memberOf(
  { ask }: Pick<World, 'ask'>,
  wanted?: string,
): Promise<{ handle: string; token: string }> {
  const { challenge, bits } = await ask<{ challenge: string; bits: number }>(
    'commons.challenge.get',
    {},
  )
  const handle = wanted === undefined ? {} : { handle: wanted }
  const counter = solved(challenge, bits)
  return ask('commons.identities.create', { challenge, counter, ...handle })
}

/** A counter that solves the challenge. */
export function solved(challenge: string, bits: number): string {
  for (let counter = 0; ; counter++) {
    if (zeroBits(hash('sha256', `${challenge}.${counter}`, 'buffer')) >= bits) return `${counter}`
  }
}

/** Puts a handle on a trust level, as time and the votes of others would. */
export async function raised(store: Store, handle: string, level: 1 | 2 | 3 | 4): Promise<void> {
  const joined_at = new Date(Date.now() - 8 * 86_400_000).toISOString()
  const score = { 1: 0, 2: 10, 3: 50, 4: 200 }[level]
  await store.commons_identities.update(
    { id: handle },
    { $set: { joined_at, score, standing_replies: 1 } },
  )
}
