import * as z from 'zod'
import { isResumed } from '#src/runs/approvals/verdict.ts'
import { keyHint } from '#src/core/admission/sign-up.ts'
import { portionsOf } from '#src/core/counts/portions.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { openCursor, pageInput, sealCursor, type Order } from '#src/core/page.ts'
import type { Filter } from '#src/ports/filter.ts'
import { runStatuses, type RunStatus, type StoredRun } from '#src/runs/run.ts'
import { knownAgent, writerName } from '#src/runs/chat/access.ts'
import type { ChatTask } from '#src/runs/chat/chat.ts'
import { ChatShown } from '#src/runs/chat/view.ts'
import { shownTo, standingAfter, standingOf } from '#src/runs/chat/state.ts'
import { contextNeeded } from '#src/core/text/chat.ts'

/** How many of the newest tasks are read for a list with filters. */
const lookedThrough = 1000
const atOnce = 100
/**
 * The most that the runs of one page may hold together: the protocols of agents repeat it several
 * times.
 */
const bytesAtMost = 2 ** 20

export const list = operation({
  name: 'chat.list',
  summary:
    'List the messages to a hosted agent, newest first: your own, or all to one of your agents.',
  example: { char_id: 'ada', limit: 20 },
  auth: 'none',
  http: { method: 'GET', path: '/a2a/{char_id}/tasks' },
  toolsets: ['messages'],
  input: z.strictObject({
    ...pageInput,
    char_id: z.string().max(128),
    context_id: z.string().max(256).optional(),
    statuses: z.array(z.enum(runStatuses)).optional(),
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Only tasks that changed after this time.'),
  }),
  output: z.object({
    items: z.array(ChatShown),
    next_cursor: z.string().nullable(),
    total: z.int().describe('How many there are on all pages.'),
  }),
  refuses: ['character_not_found', 'cursor_invalid'],
  untrusted: true,
  internal: true,

  async run({ char_id, context_id, statuses, since, limit, cursor }, context) {
    const filter = await amongThose(context, char_id, context_id)
    const narrow = narrowing(statuses, since)
    const order: Order = {
      list: `chats ${JSON.stringify([filter, statuses, since])}`,
      by: 'id',
      direction: -1,
    }
    const [, after] = cursor === undefined ? [] : openCursor(order, cursor)
    const { items, more, total } = narrow
      ? await narrowed(context, filter, narrow, { limit, after })
      : await plain(context, filter, { limit, after })
    const last = more ? items.at(-1) : undefined
    return { items, next_cursor: last ? sealCursor(order, [last.id, last.id]) : null, total }
  },
})

/** The tasks that a caller may see: those that they sent; for one of their own agents, all. */
async function amongThose(
  context: Context,
  charId: string,
  contextId: string | undefined,
): Promise<Filter<ChatTask>> {
  const { agent, isOwn } = await knownAgent(context, charId)
  const { caller, address, settings } = context
  if (caller.kind === 'anonymous' && contextId === undefined) {
    // A network is shared: only a caller that knows the conversation of a task may be told of it.
    return refuse('unauthenticated', contextNeeded, {
      hint: keyHint(settings),
    })
  }
  return {
    char_id: charId,
    ...(contextId !== undefined && { context_id: contextId }),
    ...(isOwn ? { owner_id: agent.owner_id } : { caller: writerName({ caller, address }) }),
  }
}

type Stands = Pick<StoredRun, 'status' | 'reason' | 'created_at' | 'started_at' | 'finished_at'>

type Narrow = (stands: Stands) => boolean

function narrowing(
  statuses: readonly RunStatus[] | undefined,
  since: string | undefined,
): Narrow | undefined {
  if (statuses === undefined && since === undefined) return undefined
  const among = statuses && new Set(statuses)
  const from = since === undefined ? '' : new Date(since).toISOString()
  return ({ status, created_at, started_at, finished_at }) =>
    (among?.has(status) ?? true) && (finished_at ?? started_at ?? created_at) > from
}

interface Part {
  limit: number
  after: string | undefined
}

interface Found {
  items: ChatShown[]
  more: boolean
  total: number
}

async function plain(context: Context, filter: Filter<ChatTask>, part: Part): Promise<Found> {
  const { limit, after } = part
  const [chats, total] = await Promise.all([
    page(context, filter, after, limit + 1),
    context.store.chats.count(filter),
  ])
  const { items, isWhole } = await shownOf(context, await factsOf(context, chats.slice(0, limit)))
  return { items, more: chats.length > limit || !isWhole, total }
}

/** The state of a task is in its run, so no filter of the store can select by it. */
async function narrowed(
  context: Context,
  filter: Filter<ChatTask>,
  narrow: Narrow,
  { limit, after }: Part,
): Promise<Found> {
  const found: Facts[] = []
  let last: string | undefined
  for (let looked = 0; looked < lookedThrough; looked += atOnce) {
    const chats = await page(context, filter, last, atOnce)
    found.push(...(await factsOf(context, chats)).filter(({ stands }) => narrow(stands)))
    last = chats.at(-1)?.id
    if (chats.length < atOnce) break
  }
  const rest = after === undefined ? found : found.filter(({ chat }) => chat.id < after)
  const { items, isWhole } = await shownOf(context, rest.slice(0, limit))
  return { items, more: rest.length > limit || !isWhole, total: found.length }
}

function page(
  { store }: Context,
  filter: Filter<ChatTask>,
  after: string | undefined,
  limit: number,
): Promise<ChatTask[]> {
  const older = after === undefined ? filter : { ...filter, id: { $lt: after } }
  return store.chats.find(older, { sort: { id: -1 }, limit })
}

/** What is known of a task without its messages, which may be long. */
interface Facts {
  chat: ChatTask
  stands: Stands
  bytes: number
  /** Its run is the only one: no approval came in between. */
  isPlain: boolean
}

async function factsOf({ store, clock }: Context, chats: readonly ChatTask[]): Promise<Facts[]> {
  if (chats.length === 0) return []
  const among = { id: { $in: chats.map(({ id }) => id) } }
  const rows = await store.runs.pick(
    ['id', 'bytes', 'status', 'reason', 'approval_id', 'created_at', 'started_at', 'finished_at'],
    among,
  )
  const byId = new Map(rows.map((row) => [row[0], row]))
  const facts: Facts[] = []
  for (const chat of chats) {
    const row = byId.get(chat.id)
    if (!row) continue
    const [, bytes, status, reason, approvalId, createdAt, startedAt, finishedAt] = row
    // As the run keeps them.
    const stands = {
      status,
      reason,
      created_at: createdAt,
      started_at: startedAt,
      finished_at: finishedAt,
    } as Stands
    const isPlain = approvalId === null && !isResumed(stands)
    if (!isPlain) await turnOf(clock)
    const now = isPlain ? undefined : await standingOf(store, chat.id)
    facts.push({ chat, stands: now?.run ?? stands, bytes: Number(bytes ?? 0), isPlain })
  }
  return facts
}

/**
 * The whole tasks, read in portions that do not block other work, and no more than fit in one page.
 * @returns whether all of them are there
 */
async function shownOf(
  context: Context,
  facts: readonly Facts[],
): Promise<{ items: ChatShown[]; isWhole: boolean }> {
  const { store, clock } = context
  const items: ChatShown[] = []
  let shown = 0
  let bytes = 0
  for (const portion of portionsOf(facts)) {
    if (shown > 0) await turnOf(clock)
    const ids = portion.map(({ chat }) => chat.id)
    const runs = new Map((await store.runs.find({ id: { $in: ids } })).map((run) => [run.id, run]))
    for (const one of portion) {
      if (shown > 0 && bytes + one.bytes > bytesAtMost) return { items, isWhole: false }
      bytes += one.bytes
      shown += 1
      const run = runs.get(one.chat.id)
      if (!run) continue
      const standing = one.isPlain ? { run, approval: undefined } : await standingAfter(store, run)
      items.push(shownTo(context, one.chat, standing))
    }
  }
  return { items, isWhole: true }
}
