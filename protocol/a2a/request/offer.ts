import type { Operation } from '#src/core/operation.ts'
import { isShut } from '#src/core/admission/newcomers.ts'
import { withRole } from '#src/core/roles.ts'
import { ranked } from '#src/core/words/rank.ts'
import type { Desk } from '#protocol/a2a/desk.ts'
import type { Exchange } from '#protocol/a2a/exchange.ts'

/** The answer to an agent that sends words where a call is expected. */
export interface Offer {
  text: string
  data: { operations: readonly Offered[] }
}

type Offering = Pick<Desk, 'catalog' | 'operations'>

interface Offered {
  /** A data part, or a text, that calls it. */
  call: { operation: string; params: unknown }
}

const offeredAtMost = 3
/** All of an offer, as JSON: the message around it has at most 2 kB. */
const bytesAtMost = 1_750

/**
 * The operations that fit words best, each with a call that works; the one that gives a key first, if the
 * caller has none.
 */
export function offerFor(
  desk: Offering,
  exchange: Pick<Exchange, 'credential'>,
  words: string,
): Offer {
  const found = foundBy(desk, words)
  const first = exchange.credential === undefined ? newcomers(desk) : []
  const among = [...new Set([...first, ...found, ...usual(desk)])].slice(0, offeredAtMost)
  return fitted(among.map(({ name, summary, example }) => ({ operation: name, summary, example })))
}

/** What gives a key here, unless the server gives none. */
function newcomers({ operations }: Offering): Operation[] {
  const claim = withRole([...operations.values()], 'give_key')
  return claim && !isShut(claim) ? [claim] : []
}

/** As the search for operations ranks them, among those of this door. */
function foundBy({ catalog, operations }: Offering, words: string): Operation[] {
  const found = ranked(catalog, words).slice(0, offeredAtMost)
  return found.flatMap(({ op }) => operations.get(op.name) ?? [])
}

/** Where nothing fits: how to find more, and what most callers come for. */
function usual({ operations }: Offering): Operation[] {
  const all = [...operations.values()]
  const roles = ['find_operations', 'provision_app', 'run_task'] as const
  const named = roles.flatMap((role) => withRole(all, role) ?? [])
  return named.length > 0 ? named : all.filter(({ toolsets }) => toolsets.includes('core'))
}

interface Shown {
  operation: string
  summary: string
  example: unknown
}

/** With as many of the examples as fit: those of what fits best, as the rest is named all the same. */
function fitted(shown: readonly Shown[]): Offer {
  for (let whole = shown.length; whole > 0; whole--) {
    const offer = offerOf(shown.map((one, i) => (i < whole ? one : { ...one, example: {} })))
    if (Buffer.byteLength(JSON.stringify(offer)) <= bytesAtMost) return offer
  }
  return offerOf(shown.map((one) => ({ ...one, example: {} })))
}

function offerOf(shown: readonly Shown[]): Offer {
  const lines = shown.map(({ operation, summary }) => `- ${operation}: ${summary}`)
  return {
    text: `This names no operation. Send {"operation": "<name>", "params": {…}}, as data or as text, to this task. What fits best:\n${lines.join('\n')}`,
    data: {
      operations: shown.map(({ operation, example: params }) => ({ call: { operation, params } })),
    },
  }
}
