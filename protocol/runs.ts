import type { Call, Core, Outcome } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole } from '#src/core/roles.ts'
import { failedHere } from '#src/core/admission/faults.ts'
import { pieceIn, pieceType, type Piece } from './piece.ts'
import type { ApprovalShown, RunShown, Standing } from './run-shown.ts'

/** Calls operations as the sender of a request. */
export interface Serving {
  serve(
    operation: Operation,
    input: unknown,
    more?: Pick<Call, 'idempotencyKey' | 'follow' | 'signal' | 'counted'>,
  ): Promise<Outcome>
}

/** The state of a run, without its input and output. */
export interface RunOutline extends RunShown {
  /** The run that was asked for, if this one continues it. */
  of: string
  /** The approximate size of the whole run. */
  bytes: number
  /** When the approval that it waits for was requested. */
  asked_at: string | null
}

/** Runs that continue each other after approvals; longer chains are not followed. */
const followUpsAtMost = 50

/** How a run is followed. */
interface Following {
  signal: AbortSignal
  /** Also the text of its model as it comes. */
  pieces?: boolean
}

/** Runs as their caller sees them: through the operations on runs, with the caller's credential. */
export class Runs {
  readonly #get: Operation | undefined
  readonly #cancel: Operation | undefined
  readonly #events: Operation | undefined
  readonly #approval: Operation | undefined
  readonly #decide: Operation | undefined
  readonly #lease: Operation | undefined

  readonly #standings: Operation | undefined

  constructor({ catalog }: Pick<Core, 'catalog'>, standings?: Operation) {
    this.#standings = standings
    this.#get = withRole(catalog, 'read_run')
    this.#cancel = withRole(catalog, 'cancel_run')
    this.#events = withRole(catalog, 'follow_run')
    this.#approval = withRole(catalog, 'read_approval')
    this.#decide = withRole(catalog, 'decide_approval')
    this.#lease = withRole(catalog, 'lease_run')
  }

  /**
   * The present state of the run, or of the one that continues it after an approval; undefined when the
   * caller may not see it any more.
   * @throws Refusal when it cannot be read now
   */
  async look(runId: string, exchange: Serving): Promise<Standing | undefined> {
    const first = await this.#lookOnce(runId, exchange)
    let standing = first
    for (let i = 0; i < followUpsAtMost && standing; i++) {
      const { run, approval } = standing
      if (run.reason !== 'resumed' || !approval?.follow_up_run_id) break
      standing = (await this.#lookOnce(approval.follow_up_run_id, exchange)) ?? standing
    }
    return standing && { ...standing, begun_at: first?.run.created_at }
  }

  /**
   * The states of these runs, by id, at most 100 of them; only those that the caller may see.
   * @throws Refusal when they cannot be read now
   */
  async outlines(
    ids: readonly string[],
    exchange: Serving,
  ): Promise<ReadonlyMap<string, RunOutline>> {
    if (!this.#standings || ids.length === 0) return new Map()
    // The list that they are for has already been counted.
    const more = { counted: true }
    const { answer, refusal } = await exchange.serve(this.#standings, { run_ids: ids }, more)
    if (answer) return new Map(outlinesIn(answer.text).map((one) => [one.of, one]))
    if (unseen.has(refusal.kind)) return new Map()
    throw refusal
  }

  async #lookOnce(runId: string, exchange: Serving): Promise<Standing | undefined> {
    if (!this.#get) return undefined
    const { answer, refusal } = await exchange.serve(this.#get, { run_id: runId })
    if (answer) return { ...(await this.standing(runIn(answer.text), exchange)), answer }
    if (refusal.kind === 'not_found' || refusal.kind === 'forbidden') return undefined
    throw refusal
  }

  /** A run with the approval that it waits for, or that paused it. */
  async standing(run: RunShown, exchange: Serving): Promise<Standing> {
    const { approval_id, status, reason } = run
    const isPaused = status === 'waiting_approval' || reason === 'resumed'
    const [decide, lease] = [this.#decide, this.#lease]
    if (approval_id === null || !isPaused || !this.#approval) return { run, decide, lease }
    const { answer } = await exchange.serve(this.#approval, { approval_id })
    return { run, approval: answer && approvalIn(answer.text), decide }
  }

  /** Decides an approval; says why not, if it is refused. */
  async decide(
    input: object,
    exchange: Serving,
    idempotencyKey?: string,
  ): Promise<{ refusal?: Refusal | undefined }> {
    if (!this.#decide) return {}
    return exchange.serve(
      this.#decide,
      input,
      idempotencyKey === undefined ? {} : { idempotencyKey },
    )
  }

  /**
   * Cancels a run and returns its state; undefined when it had ended before.
   * @throws Refusal
   */
  async cancel(runId: string, exchange: Serving): Promise<Standing | undefined> {
    if (!this.#cancel) return undefined
    const { answer, refusal } = await exchange.serve(this.#cancel, { run_id: runId })
    if (answer) return { run: runIn(answer.text) }
    if (refusal.code === 'run_ended') return undefined
    throw refusal
  }

  /**
   * The run at each change of its state, and after an approval the one that continues it, until it ends
   * or the signal is aborted; with `pieces` also the text of its model as it comes.
   * @throws Refusal when it cannot be followed
   */
  async *follow(
    runId: string,
    exchange: Serving,
    { signal, pieces }: Following,
  ): AsyncGenerator<Standing | Piece> {
    let followed: string | undefined = runId
    let known = ''
    while (followed !== undefined) {
      const id: string = followed
      followed = undefined
      for await (const standing of this.#followOne(id, exchange, { signal, pieces })) {
        if ('text' in standing) {
          yield standing
          continue
        }
        const { run } = standing
        const now = `${run.id} ${run.status} ${run.reason}`
        if (now !== known) yield standing
        known = now
        if (run.id === id) continue
        followed = run.id
        break
      }
    }
  }

  async *#followOne(
    runId: string,
    exchange: Serving,
    { signal, pieces }: Following,
  ): AsyncGenerator<Standing | Piece> {
    if (!this.#events) return
    const following = { follow: true, signal }
    const input = { run_id: runId, ...(pieces && { pieces }) }
    const outcome = await exchange.serve(this.#events, input, following)
    if (outcome.refusal) throw outcome.refusal
    for await (const { type, text } of outcome.answer.events ?? []) {
      if (signal.aborted) return
      if (type === pieceType) {
        yield pieceIn(text)
        continue
      }
      const standing = await this.look(runId, exchange)
      if (!standing) return
      yield standing
    }
  }
}

/** The codes for which a caller learns nothing of a run. */
const unseen: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'unauthenticated'])

function outlinesIn(text: string): RunOutline[] {
  // The operation behind `standings` has this answer.
  return (JSON.parse(text) as { items: RunOutline[] }).items
}

/**
 * The run in an operation's answer, so that its task follows the run; undefined if the answer is not a
 * run, or too little of one. Some operations answer with a run only if they accept work for later.
 */
export function runAnswered({ output, http }: Operation, text: string): RunShown | undefined {
  const isRun = output.meta()?.id === 'Run' || http.mayAccept
  return isRun && text.includes('"id":"run_') ? seenRun(text) : undefined
}

/** @throws Refusal when an operation's answer is not a run, which is a bug */
function runIn(text: string): RunShown {
  const run = seenRun(text)
  if (run) return run
  throw new Refusal('internal_error', failedHere)
}

/** The run in a text; undefined where its caller asked for members that do not say which it is, or how it stands. */
function seenRun(text: string): RunShown | undefined {
  // Described by the operation's output.
  const run = JSON.parse(text) as Partial<RunShown>
  return typeof run.id === 'string' && typeof run.status === 'string'
    ? (run as RunShown)
    : undefined
}

function approvalIn(text: string): ApprovalShown {
  // The operation that reads an approval has this answer.
  return JSON.parse(text) as ApprovalShown
}
