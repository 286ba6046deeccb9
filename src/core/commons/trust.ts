import type { MemberCaller, TrustLevel } from '../admission/caller.ts'
import { Refusal } from '../errors.ts'
import type { OperationFacts } from '../operation-facts.ts'

/** What each trust level of the Commons requires, in words. */
export const trustLevels: Readonly<Record<TrustLevel, string>> = {
  0: 'a new handle',
  1: '24 hours and one standing reply',
  2: 'level 1 and a score of 10',
  3: 'level 1 and a score of 50',
  4: 'level 1 and a score of 200',
}

/** @throws Refusal `trust_too_low` */
export function checkTrust(
  { name, trust = 0 }: Pick<OperationFacts, 'name' | 'trust'>,
  { level }: Pick<MemberCaller, 'level'>,
): void {
  needTrust(trust, level, name)
}

/** The operations with the trust levels of this server, so that all documents about them are true. */
export function withTrust<O extends OperationFacts>(
  catalog: readonly O[],
  levels: ReadonlyMap<string, TrustLevel>,
): readonly O[] {
  return catalog.map((op) => {
    const level = levels.get(op.name)
    return level === undefined ? op : { ...op, trust: level }
  })
}

/**
 * @param what names what is refused, such as an operation
 * @throws Refusal `trust_too_low`
 */
export function needTrust(needed: TrustLevel, level: TrustLevel, what: string): void {
  if (level >= needed) return
  throw new Refusal('trust_too_low', `${what} needs trust level ${needed}; yours is ${level}.`, {
    hint: `Level ${needed} takes ${trustLevels[needed]}: answer questions, and let others vote on your answers. <commons.me.get> shows where you stand.`,
  })
}
