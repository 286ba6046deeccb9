import { isObject } from '../short-form.ts'

/** What a task is known by: what goes on, and what its caller asked for. */
export type TaskName = RunTaskName | ItemTaskName

/** A run. */
export interface RunTaskName {
  runId: string
  /** `view` and `fields` of the call that started the run. */
  shown?: Members
  /** The page of its events that the call waited for, where it did not start the run. */
  events?: Members
}

/** Items of the knowledge of agents that are read. */
export interface ItemTaskName {
  itemIds: readonly string[]
  /** When the call had them read; a reading that ended after that is the one that it waits for. */
  since?: string
  /** How its answer has them: one alone, a list, or a list of what was at each address. */
  as: ItemForm
}

const itemForms = ['item', 'items', 'urls'] as const
/** How an answer has items. */
export type ItemForm = (typeof itemForms)[number]

type Members = Readonly<Record<string, unknown>>

/** A header repeats the id in each request. */
const charactersAtMost = 1024
/** The same where the id names as many items as one call may have read. */
const itemCharactersAtMost = 3072

/** The id of a run as a task: what is shown of it follows, unless that is all, or too long for a header. */
export function runTaskId(runId: string, input: unknown): string {
  const { view, fields } = isObject(input) ? input : {}
  if (view === undefined && fields === undefined) return runId
  return runIdOf({ runId, shown: { view, fields } }) ?? runId
}

/** The id of a wait for the end of a run; undefined where it is too long for a header. */
export function waitTaskId(runId: string, { limit, cursor }: Members): string | undefined {
  return runIdOf({ runId, events: { limit, cursor } })
}

function runIdOf({ runId, ...asked }: RunTaskName): string | undefined {
  return idOf(runId, asked, charactersAtMost)
}

/** The id of items that are read, as a task; undefined where they have no ids that this server gives. */
export function itemTaskId({ itemIds, as, since }: ItemTaskName): string | undefined {
  const [first, ...rest] = itemIds
  if (first === undefined || !itemIds.every((id) => itemPattern.test(id))) return undefined
  const others = rest.length === 0 ? undefined : packed(rest)
  return idOf(first, { read: { as, since, others } }, itemCharactersAtMost)
}

function idOf(lead: string, asked: object, most: number): string | undefined {
  const id = `${lead}.${Buffer.from(JSON.stringify(asked)).toString('base64url')}`
  return id.length > most ? undefined : id
}

/** What a task id names; undefined for what is none, or was never given to anyone. */
export function taskNamed(taskId: string): TaskName | undefined {
  if (taskId.length > itemCharactersAtMost) return undefined
  const [lead = '', encoded] = taskId.split('.')
  if (itemPattern.test(lead)) return itemsNamed(taskId, lead, encoded)
  if (!lead.startsWith('run_') || lead.length > 128) return undefined
  if (encoded === undefined) return { runId: lead }
  const name = { runId: lead, ...askedIn(membersIn(encoded)) }
  return runIdOf(name) === taskId ? name : undefined
}

function askedIn({ shown, events }: Members): Omit<RunTaskName, 'runId'> {
  if (isObject(events)) {
    const { limit, cursor } = events
    return { events: { limit, cursor } }
  }
  const { view, fields } = isObject(shown) ? shown : {}
  return { shown: { view, fields } }
}

/** One of our own ids. */
const itemPattern = /^kno_[0-9a-f]{32}$/
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function itemsNamed(taskId: string, first: string, encoded?: string): ItemTaskName | undefined {
  if (encoded === undefined) return { itemIds: [first], as: 'item' }
  const { read } = membersIn(encoded)
  const { as, since, others } = isObject(read) ? read : {}
  const form = itemForms.find((one) => one === as)
  if (!form || typeof since !== 'string' || !timePattern.test(since)) return undefined
  const rest = typeof others === 'string' ? unpacked(others) : []
  const name = { itemIds: [first, ...rest], as: form, since }
  return name.itemIds.length <= itemsAtMost && itemTaskId(name) === taskId ? name : undefined
}

/** Items that one call may have read. */
const itemsAtMost = 100
const bytesAnId = 16

/** Ids without what is the same in all of them. */
function packed(ids: readonly string[]): string {
  return Buffer.from(ids.map((id) => id.slice('kno_'.length)).join(''), 'hex').toString('base64url')
}

function unpacked(text: string): string[] {
  const bytes = Buffer.from(text, 'base64url')
  return Array.from({ length: Math.floor(bytes.length / bytesAnId) }, (_, at) => {
    return `kno_${bytes.toString('hex', at * bytesAnId, (at + 1) * bytesAnId)}`
  })
}

function membersIn(encoded: string): Members {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
