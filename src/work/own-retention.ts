import type { Account } from '#src/accounts/account.ts'
import { removeMessages } from '#src/agents/messages/remove.ts'
import type { Ports } from '#src/core/context.ts'
import { idsBefore } from '#src/core/ids.ts'
import { pageCharactersAtMost } from '#src/core/page.ts'
import { countOrder, emptiedBytes } from '#src/money/orders/bytes.ts'
import type { PurgedKind } from '#src/ports/meter.ts'

const atOnce = 50
const dayMs = 86_400_000

/** So many of a kind have gone. */
export type Gone = readonly [kind: PurgedKind, count: number]

/** Removes what an account itself keeps no longer: a few rows in each step. Its runs go with those of all. */
export async function* ownExpired(
  ports: Ports,
  { id, retention = {} }: Account,
  now: Date,
): AsyncGenerator<Gone> {
  const ago = (days: number): Date => new Date(now.getTime() - days * dayMs)
  const { events, messages, orders } = retention
  if (events !== undefined) yield* oldEvents(ports, id, ago(events))
  if (messages !== undefined) yield* oldMessages(ports, id, ago(messages))
  if (orders !== undefined) yield* oldPayloads(ports, id, ago(orders))
}

async function* oldEvents({ store }: Ports, owner_id: string, old: Date): AsyncGenerator<Gone> {
  const page = { sort: { id: 1 }, limit: atOnce } as const
  for (let after = ''; ;) {
    const among = { owner_id, id: { $gt: after, $lt: idsBefore('run', old) } }
    const runs = await store.runs.pick(['id'], among, page)
    const of = { run_id: { $in: runs.map(([id]) => String(id)) }, seq: { $lt: old.getTime() } }
    for (let isMore = runs.length > 0; isMore;) {
      const found = await store.run_events.pick(['id'], of, { limit: atOnce })
      const ids = found.map(([id]) => String(id))
      yield ['events', ids.length === 0 ? 0 : await store.run_events.delete({ id: { $in: ids } })]
      isMore = found.length === atOnce
    }
    const last = runs.at(-1)
    if (!last || runs.length < atOnce) return
    after = String(last[0])
  }
}

/** Those between agents of the account: what was sent to others, or by them, is theirs too. */
async function* oldMessages(ports: Ports, owner: string, old: Date): AsyncGenerator<Gone> {
  const { characters, messages } = ports.store
  const page = { sort: { id: 1 }, limit: atOnce, charactersAtMost: pageCharactersAtMost } as const
  for (const [agent] of await characters.pick(['id'], { owner_id: owner })) {
    const own = { from: String(agent), from_owner: owner, to_owner: owner }
    const among = { ...own, id: { $lt: idsBefore('msg', old) } }
    for (;;) {
      const found = await messages.find(among, page)
      if (found.length === 0) break
      yield ['messages', await removeMessages(ports, found)]
    }
  }
}

/** What a buyer sent and was given; the order itself, its money and its rating stay. */
async function* oldPayloads(ports: Ports, owner_id: string, old: Date): AsyncGenerator<Gone> {
  const { orders } = ports.store
  const paths = ['id', 'finished_at', 'due_at', 'bytes', 'sender', 'output_ref'] as const
  const page = { sort: { id: 1 }, limit: atOnce } as const
  const before = old.toISOString()
  for (let after = ''; ;) {
    const among = { owner_id, id: { $gt: after, $lt: idsBefore('ord', old) } }
    const found = await orders.pick(paths, among, page)
    let gone = 0
    for (const [id, finished, due, bytes, sender, output] of found) {
      if (typeof finished !== 'string' || finished >= before || due !== null) continue
      // A large result is kept apart, and none of the bytes of its order.
      if (typeof bytes !== 'number' || (bytes <= emptiedBytes && output === null)) continue
      const asRead = { id: String(id), due_at: null, bytes }
      const $set = { form: {}, output: null, artifacts: [], bytes: emptiedBytes }
      if (!(await orders.update(asRead, { $set }))) continue
      const whose = { owner_id, ...(typeof sender === 'string' && { sender }) }
      countOrder(ports.quotas, whose, emptiedBytes - bytes)
      gone += 1
    }
    yield ['orders', gone]
    const last = found.at(-1)
    if (!last || found.length < atOnce) return
    after = String(last[0])
  }
}
