import type { TrustLevel } from '#src/core/admission/caller.ts'
import { distinct, listOf, wrong, type Read } from './values.ts'

const trust: Read<[string, TrustLevel]> = (text) => {
  const [, name, level] = /^(commons(?:\.[a-z_]+)+)=([0-4])$/.exec(text) ?? []
  if (name === undefined) return wrong('must be pairs such as commons.replies.verify=0', text)
  // The pattern admits only these digits.
  return [name, Number(level) as TrustLevel]
}

const moderator: Read<string> = (text) =>
  /^@?([a-z0-9][a-z0-9-]{2,31})$/.exec(text)?.[1] ??
  wrong('must be handles of the Commons between commas', text)

/** Handles of those who moderate the Commons. */
export const moderators = distinct(listOf(moderator), (name) => name)

/** Trust levels by the names of operations. */
export const trusts = distinct(listOf(trust), ([name]) => name)
