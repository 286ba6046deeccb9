import type { Core } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole } from '#src/core/roles.ts'
import type { Exchange } from './exchange.ts'
import type { ApprovalShown, RunShown, Standing } from './tasks.ts'

/** Runs that go on with each other after approvals; more are not followed. */
const followUpsAtMost = 50

/** Runs as their caller sees them: through the operations on runs, with the caller's credential. */
export class Runs {
  readonly #get: Operation | undefined
  readonly #cancel: Operation | undefined
  readonly #events: Operation | undefined
  readonly #approval: Operation | undefined
  readonly #decide: Operation | undefined

  constructor({ catalog }: Pick<Core, 'catalog'>) {
    this.#get = withRole(catalog, 'read_run')
    this.#cancel = withRole(catalog, 'cancel_run')
    this.#events = withRole(catalog, 'follow_run')
    this.#approval = withRole(catalog, 'read_approval')
    this.#decide = withRole(catalog, 'decide_approval')
  }

  /**
   * The run as it stands, or the one that goes on after its approval; undefined when the caller may
   * not see it any more.
   * @throws Refusal when it cannot be looked at now
   */
  async look(runId: string, exchange: Exchange): Promise<Standing | undefined> {
    let standing = await this.#lookOnce(runId, exchange)
    for (let i = 0; i < followUpsAtMost && standing; i++) {
      const { run, approval } = standing
      if (run.reason !== 'resumed' || !approval?.follow_up_run_id) return standing
      standing = (await this.#lookOnce(approval.follow_up_run_id, exchange)) ?? standing
    }
    return standing
  }

  async #lookOnce(runId: string, exchange: Exchange): Promise<Standing | undefined> {
    if (!this.#get) return undefined
    const { answer, refusal } = await exchange.serve(this.#get, { run_id: runId })
    if (answer) return this.standing(runIn(answer.text), exchange)
    if (refusal.kind === 'not_found' || refusal.kind === 'forbidden') return undefined
    throw refusal
  }

  /** A run with the approval that it waits for, or that it was paused for. */
  async standing(run: RunShown, exchange: Exchange): Promise<Standing> {
    const { approval_id, status, reason } = run
    const isPaused = status === 'waiting_approval' || reason === 'resumed'
    const decide = this.#decide
    if (approval_id === null || !isPaused || !this.#approval) return { run, decide }
    const { answer } = await exchange.serve(this.#approval, { approval_id })
    return { run, approval: answer && approvalIn(answer.text), decide }
  }

  /**
   * Decides an approval.
   * @throws Refusal
   */
  async decide(input: object, exchange: Exchange, idempotencyKey: string): Promise<void> {
    if (!this.#decide) return
    const { refusal } = await exchange.serve(this.#decide, input, { idempotencyKey })
    if (refusal) throw refusal
  }

  /**
   * Cancels it and gives how it stands then; undefined when it had ended before.
   * @throws Refusal
   */
  async cancel(runId: string, exchange: Exchange): Promise<Standing | undefined> {
    if (!this.#cancel) return undefined
    const { answer, refusal } = await exchange.serve(this.#cancel, { run_id: runId })
    if (answer) return { run: runIn(answer.text) }
    if (refusal.code === 'run_ended') return undefined
    throw refusal
  }

  /**
   * The run at each change of how it stands, and after an approval the one that goes on, until it
   * ends or the signal is aborted.
   * @throws Refusal when it cannot be followed
   */
  async *follow(runId: string, exchange: Exchange, signal: AbortSignal): AsyncGenerator<Standing> {
    let followed: string | undefined = runId
    let known = ''
    while (followed !== undefined) {
      const id: string = followed
      followed = undefined
      for await (const standing of this.#followOne(id, exchange, signal)) {
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
    exchange: Exchange,
    signal: AbortSignal,
  ): AsyncGenerator<Standing> {
    if (!this.#events) return
    const following = { follow: true, signal }
    const outcome = await exchange.serve(this.#events, { run_id: runId }, following)
    if (outcome.refusal) throw outcome.refusal
    for await (const _ of outcome.answer.events ?? []) {
      if (signal.aborted) return
      const standing = await this.look(runId, exchange)
      if (!standing) return
      yield standing
    }
  }
}

/**
 * The run that an operation has answered, so that its task follows the run; undefined where it
 * answers something else. Some answer a run only where they accept work for later.
 */
export function runAnswered({ output, http }: Operation, text: string): RunShown | undefined {
  if (output.meta()?.id === 'Run') return runIn(text)
  return http.mayAccept && text.startsWith('{"id":"run_') ? runIn(text) : undefined
}

/** @throws Refusal when what an operation answered is no run, which is a fault of ours */
function runIn(text: string): RunShown {
  // The operation's output has told what this is.
  const run = JSON.parse(text) as Partial<RunShown>
  if (typeof run.id === 'string' && typeof run.status === 'string') return run as RunShown
  throw new Refusal('internal_error', 'The server failed at this request.')
}

function approvalIn(text: string): ApprovalShown {
  // What reads an approval answers one.
  return JSON.parse(text) as ApprovalShown
}
