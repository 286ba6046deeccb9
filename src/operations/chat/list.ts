import * as z from 'zod'
import { keyHint } from '#src/core/admission/sign-up.ts'
import { portionsOf } from '#src/core/counts/portions.ts'
import { largeSizes } from '#src/core/large/sizes.ts'
import { inPlaceAtMost } from '#src/core/large/value.ts'
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
import { outlinesOf, type ChatOutline } from '#src/runs/chat/outline.ts'
import { shownTo } from '#src/runs/chat/state.ts'
import type { Stands } from '#src/runs/standings/row.ts'
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
    results: z
      .boolean()
      .default(true)
      .describe(
        'false: without outputs and artifacts, and without long inputs, whose member is missing.',
      ),
  }),
  output: z.object({
    items: z.array(ChatShown),
    next_cursor: z.string().nullable(),
    total: z.int().describe('How many there are on all pages.'),
  }),
  refuses: ['character_not_found', 'cursor_invalid'],
  untrusted: true,
  internal: true,

  async run({ char_id, context_id, statuses, since, limit, cursor, results }, context) {
    const filter = await amongThose(context, char_id, context_id)
    const narrow = narrowing(statuses, since)
    const order: Order = {
      list: `chats ${JSON.stringify([filter, statuses, since])}`,
      by: 'id',
      direction: -1,
    }
    const [, after] = cursor === undefined ? [] : openCursor(order, cursor)
    const { items, more, total } = narrow
      ? await narrowed(context, filter, narrow, { limit, after, results })
      : await plain(context, filter, { limit, after, results })
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
  results: boolean
}

interface Found {
  items: ChatShown[]
  more: boolean
  total: number
}

async function plain(context: Context, filter: Filter<ChatTask>, part: Part): Promise<Found> {
  const { limit, after, results } = part
  const [chats, total] = await Promise.all([
    page(context, filter, after, limit + 1),
    context.store.chats.count(filter),
  ])
  const facts = await factsOf(context, chats.slice(0, limit))
  const { items, isWhole } = await shownOf(context, facts, results)
  return { items, more: chats.length > limit || !isWhole, total }
}

/** The state of a task is in its run, so no filter of the store can select by it. */
async function narrowed(
  context: Context,
  filter: Filter<ChatTask>,
  narrow: Narrow,
  { limit, after, results }: Part,
): Promise<Found> {
  const found: Facts[] = []
  let last: string | undefined
  for (let looked = 0; looked < lookedThrough; looked += atOnce) {
    const chats = await page(context, filter, last, atOnce)
    found.push(...(await factsOf(context, chats)).filter(({ outline }) => narrow(outline.stands)))
    last = chats.at(-1)?.id
    if (chats.length < atOnce) break
  }
  const rest = after === undefined ? found : found.filter(({ chat }) => chat.id < after)
  const { items, isWhole } = await shownOf(context, rest.slice(0, limit), results)
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

/** A task without its messages, which may be long. */
interface Facts {
  chat: ChatTask
  outline: ChatOutline
}

async function factsOf(context: Context, chats: readonly ChatTask[]): Promise<Facts[]> {
  const outlines = await outlinesOf(
    context,
    chats.map(({ id }) => id),
  )
  return chats.flatMap((chat) => {
    const outline = outlines.get(chat.id)
    return outline ? [{ chat, outline }] : []
  })
}

interface Sized extends Facts {
  /** Of all that is shown. */
  bytes: number
  /** Whether what is kept apart of its run is shown. */
  large: boolean
}

/** The first of them that fit in one page, at least one, with what they take: nothing else is read whole. */
async function fitting(
  { store }: Context,
  facts: readonly Facts[],
  results: boolean,
): Promise<Sized[]> {
  const ids = facts.flatMap(({ outline: { large } }) => [...large.run, ...large.approval])
  const sizes = await largeSizes(store, ids)
  const fit: Sized[] = []
  let bytes = 0
  for (const { chat, outline } of facts) {
    const ofRun = sizes(outline.large.run)
    // What only looks like a reference is kept apart too, and is short.
    const large = results || ofRun <= inPlaceAtMost
    const size = outline.bytes + sizes(outline.large.approval) + (large ? ofRun : 0)
    bytes += size
    if (fit.length > 0 && bytes > bytesAtMost) break
    fit.push({ chat, outline, bytes: size, large })
  }
  return fit
}

/**
 * The whole tasks, read in portions that do not block other work, and no more than fit in one page.
 * @returns whether all of them are there
 */
async function shownOf(
  context: Context,
  facts: readonly Facts[],
  results: boolean,
): Promise<{ items: ChatShown[]; isWhole: boolean }> {
  const { clock } = context
  const items: ChatShown[] = []
  const fit = await fitting(context, facts, results)
  for (const portion of portionsOf(fit)) {
    if (items.length > 0) await turnOf(clock)
    const runs = await runsOf(context, portion)
    for (const { chat, outline, large } of portion) {
      const run = runs.get(outline.runId)
      if (!run) continue
      const { approvalId } = outline
      const approval =
        approvalId === null ? undefined : await context.store.approvals.get(approvalId)
      const { input, output, artifacts, ...shown } = shownTo(context, chat, { run, approval })
      items.push({
        ...shown,
        // What was not read is null.
        input: large || input !== null ? input : undefined,
        output: results ? output : null,
        artifacts: results ? artifacts : [],
      })
    }
  }
  return { items, isWhole: fit.length === facts.length }
}

async function runsOf(
  { store: { runs } }: Context,
  portion: readonly Sized[],
): Promise<Map<string, StoredRun>> {
  const found = new Map<string, StoredRun>()
  for (const large of [true, false]) {
    const some = portion.filter((one) => one.large === large)
    if (some.length === 0) continue
    const among = { id: { $in: some.map(({ outline }) => outline.runId) } }
    for (const run of await runs.find(among, { large })) found.set(run.id, run)
  }
  return found
}
