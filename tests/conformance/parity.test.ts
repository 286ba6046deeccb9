import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { changesNothing, offered } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Case } from '#tests/operations/case.ts'
import { chapters } from '#tests/operations/cases.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import { a2aDoor, mcpDoor, restDoor, type Seen, type Send } from '#tests/operations/doors/doors.ts'
import type { DoorName } from '#tests/operations/doors/play.ts'
import { inOperations, operationOf } from '#tests/operations/doors/words.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { credentialOf, newStage } from '#tests/operations/play.ts'
import { stores } from '#tests/support/stores.ts'

let server: PlayedServer
let sends: readonly (readonly [door: DoorName, send: Send])[]

beforeAll(async () => {
  const [sqlite] = stores()
  if (!sqlite) throw new Error('there is always the embedded store')
  server = await openServer(sqlite)
  sends = [
    ['mcp', mcpDoor(server.url)],
    ['a2a', a2aDoor(server.url)],
    ['rest', restDoor(server.url)],
  ]
})
afterAll(() => server.close())

/** The same call through one door after the other, in one world. */
async function seenBy(op: Operation, kase: Case, idempotencyKey = kase.idempotencyKey) {
  const stage = newStage(server.world)
  const facts = await kase.given?.(stage)
  const credential = await credentialOf(stage, kase.as)
  const input = kase.input(facts, stage)
  const seen: (readonly [door: DoorName, seen: Seen])[] = []
  for (const [door, send] of sends) {
    seen.push([door, await send({ op, input, credential, idempotencyKey })])
  }
  return seen
}

const otherWay = / A host that signs a person in connects to \S+\/mcp\/account instead\.$/

/**
 * What a refusal says wherever it is read. REST names the places of a document from the document on,
 * and has refused a file that came as part of a form before there was an input.
 */
function wordsOf(op: Operation, error: ErrorObject, door: DoorName): object {
  const { code, errors = [] } = error
  // Each door names calls in its own words, and each is asked a little later than the one before.
  const [detail, hint] = [error.detail, error.hint ?? ''].map((text) =>
    inOperations(text, door)
      .replaceAll(/\d+ s(?:econds?)?\b/g, 'some seconds')
      // Of MCP alone there is a second address.
      .replace(door === 'mcp' ? otherWay : /^$/, ''),
  )
  if (op.files) return { code }
  const from = op.document === undefined ? '' : `/${op.document}`
  const faults = errors.map((fault) => ({
    ...fault,
    pointer: `${fault.pointer}/`.startsWith(`${from}/`) ? fault.pointer : from + fault.pointer,
  }))
  return { code, detail, hint, errors: faults }
}

/** What is seen, with the calls that its warnings name as operations. */
function alike(seen: Seen | undefined, door: DoorName): unknown {
  return JSON.parse(JSON.stringify(seen), (name, value: unknown) => {
    if (typeof value !== 'string') return value
    // Some answers tell of operations as data, under one name on every door.
    const isNext = name === 'operation' && !catalog.some((op) => op.name === value)
    return isNext ? operationOf(value, door) : inOperations(value, door)
  })
}

const everywhere = offered(catalog)
/** Of a server that everybody may come to. */
const cases: readonly Case[] = Object.values(chapters).flat()
const playable = cases.filter(({ not = {} }) => !not.rest && !not.mcp && !not.a2a)
const answering = (op: Operation): Case | undefined =>
  playable.find((kase) => kase.op === op.name && kase.answer)

describe('the doors', () => {
  /** Each call gives another one, or what it tells of goes on meanwhile. */
  const moving = new Set([
    'commons.challenge.get',
    'agent_apps.deliveries.list',
    'commons.webhooks.deliveries.list',
  ])
  const reads = everywhere.filter((op) => changesNothing(op) && !moving.has(op.name))
  it.each(reads.map((op) => [op.name, op] as const))('read the same by %s', async (_, op) => {
    const kase = answering(op)
    if (!kase) throw new Error('no case of it can be put to every door')
    const [first, ...others] = await seenBy(op, kase)
    expect(first?.[1].error).toBeUndefined()
    for (const [door, seen] of others) expect(alike(seen, door)).toEqual(alike(first?.[1], 'mcp'))
  })

  /**
   * But for files, which are bytes in a form and text elsewhere, and for what ends the token it is
   * called with: the doors of agents turn such a token away before they look at the call.
   */
  const kept = everywhere.filter(
    (op) => op.http.method === 'POST' && !op.unkept && !op.reads && !op.files && !op.endsToken,
  )
  it.each(kept.map((op) => [op.name, op] as const))(
    'give the answer of %s again, whichever it was sent to first',
    async (_, op) => {
      const kase = answering(op)
      if (!kase) throw new Error('no case of it can be put to every door')
      const [first, ...others] = await seenBy(op, kase, crypto.randomUUID())
      expect(first?.[1].error).toBeUndefined()
      for (const [door, seen] of others) expect(alike(seen, door)).toEqual(alike(first?.[1], 'mcp'))
    },
  )

  /** What refuses once, or where each call begins something of its own. */
  const changing = new Set([
    'provider_unavailable',
    'price_mismatch',
    'payment_required',
    'output_invalid',
  ])
  const refused = everywhere.flatMap((op) => {
    const own = playable.filter(({ op: name, refusal }) => name === op.name && refusal)
    const codes = [...new Set(own.map(({ refusal }) => refusal))].filter(
      (code) => !changing.has(code ?? ''),
    )
    return codes.flatMap((code) => {
      const kase = own.find(({ refusal }) => refusal === code)
      return kase ? [[op.name, code ?? '', op, kase] as const] : []
    })
  })
  it.each(refused)('refuse %s in the same words: %s', async (_, code, op, kase) => {
    const seen = await seenBy(op, kase)
    const said = seen.map(([door, { error }]) => [door, error && wordsOf(op, error, door)] as const)
    const [first] = said
    expect(first?.[1]).toMatchObject({ code })
    for (const [door, words] of said) expect([door, words]).toEqual([door, first?.[1]])
  })
})
