import type { RunSeconds } from '#src/core/settings.ts'
import { distinct, listOf, pairOf, wholeNumber, type Read } from './values.ts'

const secondsAtMost = 86_400
const plans = ['unclaimed', 'claimed'] as const

/** How long a run may take unless the operator sets it. */
export const defaultRunSeconds: RunSeconds = { unclaimed: 600, claimed: 600 }

const seconds = wholeNumber(1, secondsAtMost)
const rule = `must be a whole number from 1 to ${secondsAtMost}, or plan=seconds pairs between commas`
const changes = distinct(listOf(pairOf(plans, seconds, rule)), ([plan]) => plan)

/** One number for every plan, or pairs that change the default. */
export const runSeconds: Read<RunSeconds> = (text) => {
  if (/^[0-9]+$/.test(text)) return { unclaimed: seconds(text), claimed: seconds(text) }
  return { ...defaultRunSeconds, ...Object.fromEntries(changes(text)) }
}
