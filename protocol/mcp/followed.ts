import type { Outcome } from '#src/core/door.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole } from '#src/core/roles.ts'
import type { Exchange } from './exchange.ts'
import type { Follow } from './listener.ts'
import type { Furnishing } from './server.ts'
import { accountEventsTemplate, accountEventsUri, matched, runTemplate } from './templates.ts'

/** The operations behind a subscription. */
export interface Followed {
  standings: Operation
  events: Operation
  account: Operation | undefined
}

/** Those of a door; undefined if nothing can be subscribed to there. */
export function followedIn({ tools, standings, catalog }: Furnishing): Followed | undefined {
  const events = tools.find('runs_events')
  return standings && events && { standings, events, account: withRole(catalog, 'follow_account') }
}

/**
 * What a client may be told of, by the URIs under which it asked for it: runs, and the events of its account.
 * Nothing of this is readable for anonymous callers: without a credential nothing is looked up.
 * @param most how many of them
 */
export async function followable(
  asked: readonly string[],
  exchange: Exchange,
  followed: Followed,
  most: number,
): Promise<ReadonlyMap<string, Follow>> {
  if (!exchange.credential) return new Map()
  const uris = [...new Set(asked)].slice(0, most)
  const runs = await runsIn(uris, exchange, followed)
  const account = await accountIn(uris, exchange, followed)
  return new Map([...runs, ...account])
}

const following = { follow: true, counted: true }

async function* changes(followed: Promise<Outcome>): AsyncGenerator {
  const { answer } = await followed
  yield* answer?.events ?? []
}

async function runsIn(
  uris: readonly string[],
  exchange: Exchange,
  { standings, events }: Followed,
): Promise<[string, Follow][]> {
  const ids = new Map(uris.flatMap((uri) => idIn(uri)))
  if (ids.size === 0) return []
  const input = { run_ids: [...new Set(ids.values())] }
  const { answer } = await exchange.serve(standings, input, undefined, exchange.request.signal)
  const outlines = new Map(answer && outlinesIn(answer.text).map((one) => [one.of, one]))
  return [...ids].flatMap(([uri, run_id]) => {
    const outline = outlines.get(run_id)
    if (!outline) return []
    const seen = { run_id, cursor: lastEventOf(outline) }
    return [[uri, (signal) => changes(exchange.serve(events, seen, undefined, signal, following))]]
  })
}

/** One place in the events of the account is enough for a stream: all that follows comes after it. */
async function accountIn(
  uris: readonly string[],
  exchange: Exchange,
  { account }: Followed,
): Promise<[string, Follow][]> {
  for (const uri of account ? uris : []) {
    const from = fromIn(uri)
    if (!account || !from) continue
    const { signal } = exchange.request
    const first = { ...from, limit: 1 }
    const { wasCounted: counted } = exchange
    const { answer } = await exchange.serve(account, first, undefined, signal, { counted })
    if (!answer) continue
    const cursor = from.cursor ?? placeIn(answer.text)
    return [[uri, (end) => changes(exchange.serve(account, { cursor }, undefined, end, following))]]
  }
  return []
}

interface Outline {
  /** The run that was asked for. */
  of: string
  /** The run that continues it, or itself. */
  id: string
  started_at: string | null
}

function outlinesIn(text: string): Outline[] {
  // The operation behind `standings` has this answer.
  return (JSON.parse(text) as { items: Outline[] }).items
}

/** The client reads the run's present state now: only later events are news. */
function lastEventOf({ of, id, started_at }: Outline): string {
  // The run's queueing is event 0, its start event 1.
  return of === id && started_at === null ? '0' : '1'
}

/** The URI with its run's id, if it is the URI of a run. */
function idIn(uri: string): [uri: string, runId: string][] {
  const id = variablesIn(runTemplate, uri)?.['run_id']
  // A longer text is no id, and would make all others be refused.
  return id === undefined || id.length > 128 ? [] : [[uri, id]]
}

/** Where the URI of account events begins; without a cursor what follows is news. Undefined for other URIs. */
function fromIn(uri: string): { cursor?: string; from_now?: true } | undefined {
  if (uri === accountEventsUri) return { from_now: true }
  const cursor = variablesIn(accountEventsTemplate, uri)?.['cursor']
  return cursor === undefined ? undefined : { cursor }
}

function variablesIn(template: string, uri: string): Record<string, string> | undefined {
  try {
    return matched(template, uri)
  } catch {
    return undefined
  }
}

function placeIn(text: string): string {
  // The operation that follows an account has this answer.
  return (JSON.parse(text) as { next_cursor: string }).next_cursor
}
