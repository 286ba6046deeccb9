import type { Outcome } from '#src/core/door.ts'
import type { Understood } from '#src/core/input/understood.ts'
import type { Operation } from '#src/core/operation.ts'
import type { DoorAnswer, DoorRequest, SharedText } from '#protocol/door.ts'
import type { CallMeta, Exchange } from './exchange.ts'
import type { Frame, Frames } from './frames.ts'
import { everything } from './admission.ts'
import { mayWait } from './progress.ts'
import { isOfLegacyTasks } from './tasks/legacy.ts'
import { type Tasks } from './tasks/tasks.ts'
import { capabilitiesIn, takesTasks } from './tasks/wire.ts'
import type { Furnishing } from './server.ts'
import { shownText, textOf, understoodMetaKey } from './results.ts'
import { isEmpty, isObject, plainMessage, type Era } from './short-form.ts'
import { selectionKey, type ToolTable } from './tools.ts'

/** A request whose answer is known except for the payload. */
export type ShortRequest = { era: Era; id: string } & (
  | { kind: 'list' }
  | {
      kind: 'call'
      operation: Operation
      input: unknown
      asText: boolean
      understood?: readonly Understood[]
      meta: CallMeta | undefined
    }
)

const listsAtMost = 32

/**
 * Answers plain `tools/call` and `tools/list` without building a server for them. It never refuses:
 * everything unusual, and every refusal of form, is left to the SDK.
 */
export class ShortPath {
  readonly #tools: ToolTable
  readonly #frames: Frames
  readonly #tasks: Tasks | undefined
  readonly #lists = new Map<string, SharedText>()

  constructor({ tools, tasks }: Pick<Furnishing, 'tools' | 'tasks'>, frames: Frames) {
    this.#tools = tools
    this.#tasks = tasks
    this.#frames = frames
  }

  /** What the request asks, or undefined when the SDK must handle it. */
  recognise(request: DoorRequest, selection = everything): ShortRequest | undefined {
    const message = plainMessage(request)
    if (!message) return undefined
    const { era, method, params, meta } = message
    const { name, arguments: input, ...rest } = params
    if (!isEmpty(rest)) return undefined
    const id = JSON.stringify(message.id)
    if (method === 'tools/list') {
      return name === undefined && input === undefined ? { kind: 'list', era, id } : undefined
    }
    if (typeof name !== 'string' || (input !== undefined && !isObject(input))) return undefined
    if (era === 'modern' && request.headers['mcp-name'] !== name) return undefined
    const called = this.#tools.called(name, input ?? {}, selection)
    if (!called?.operation) return undefined
    const { operation } = called
    // Legacy answers are streams, which the SDK keeps alive while a call waits.
    const isLeft = mayWait(operation) && (era === 'legacy' || meta?.['progressToken'] !== undefined)
    if (isLeft || this.#mayBeTask(era, operation, meta)) return undefined
    return { kind: 'call', era, id, meta, ...called }
  }

  /** Whether the client may be answered by a task, which is looked at where the operation makes any. */
  #mayBeTask(era: Era, operation: Operation, meta: CallMeta | undefined): boolean {
    if (era !== 'modern' || !this.#tasks?.mayBegin(operation)) return false
    return takesTasks(capabilitiesIn(meta))
  }

  /** Answers it. Once the operation was called, its outcome is the answer. */
  async answer(short: ShortRequest, exchange: Exchange): Promise<DoorAnswer> {
    const frames = this.#frames[short.era]
    if (short.kind === 'list') {
      return listed(frames.list, short.id, this.#list(exchange, short.era))
    }
    const { signal } = exchange.request
    const { operation, input, meta, understood } = short
    const outcome = await exchange.serve(operation, input, meta, signal, { understood })
    const text = textOf(outcome, exchange)
    const shown = shownText(operation, outcome, text)
    const success = short.asText ? frames.text : frames.success
    const answer = filled(outcome.refusal ? frames.refusal : success, short.id, text, shown)
    return outcome.refusal ? answer : withMeta(answer, outcome)
  }

  #list({ selection, request }: Exchange, era: Era): SharedText {
    const key = `${selectionKey(selection)} ${era === 'legacy' && isOfLegacyTasks(request)}`
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    // An address may ask for any of hundreds of combinations; few are ever used.
    if (this.#lists.size >= listsAtMost) this.#lists.clear()
    const list = this.#tools.list(selection)
    const made = { text: JSON.stringify(this.#tasks?.inList(list, request, era) ?? list) }
    this.#lists.set(key, made)
    return made
  }
}

/** No JSON text has this character. */
const gap = '\0'

/** A list is long, and the same in every answer but for the id. */
function listed(frame: Frame, id: string, shared: SharedText): DoorAnswer {
  const [before = '', after = ''] = frame.fill(id, gap).split(gap)
  const body = before + shared.text + after
  const parts = { before, shared, after }
  return { status: frame.status, headers: { ...frame.headers }, body, parts }
}

/** A frame has no place for how the input was understood, which is rare: it is put in afterwards. */
function withMeta(answer: DoorAnswer, { understood }: Outcome): DoorAnswer {
  const { body } = answer
  if (!understood || typeof body !== 'string') return answer
  // One message, alone or as the data of an event.
  const [from, to] = [body.indexOf('{'), body.lastIndexOf('}') + 1]
  const message = JSON.parse(body.slice(from, to)) as { result: { _meta?: object } }
  message.result._meta = { ...message.result._meta, [understoodMetaKey]: understood }
  return { ...answer, body: body.slice(0, from) + JSON.stringify(message) + body.slice(to) }
}

function filled(frame: Frame, id: string, text: string, shown = text): DoorAnswer {
  return { status: frame.status, headers: { ...frame.headers }, body: frame.fill(id, text, shown) }
}
