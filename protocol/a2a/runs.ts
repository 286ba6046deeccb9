import type { Core } from '#src/core/call.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Exchange } from './exchange.ts'
import type { RunShown } from './tasks.ts'

/** Runs as their caller sees them: through the operations on runs, with the caller's credential. */
export class Runs {
  readonly #get: Operation | undefined
  readonly #cancel: Operation | undefined
  readonly #events: Operation | undefined

  constructor({ catalog }: Pick<Core, 'catalog'>) {
    const named = (name: string): Operation | undefined => catalog.find((op) => op.name === name)
    this.#get = named('runs.get')
    this.#cancel = named('runs.cancel')
    this.#events = named('runs.events')
  }

  /**
   * The run as it stands, or undefined when the caller may not see it any more.
   * @throws Refusal when it cannot be looked at now
   */
  async look(runId: string, exchange: Exchange): Promise<RunShown | undefined> {
    if (!this.#get) return undefined
    const { answer, refusal } = await exchange.serve(this.#get, { run_id: runId })
    if (answer) return runIn(answer.text)
    if (refusal.kind === 'not_found' || refusal.kind === 'forbidden') return undefined
    throw refusal
  }

  /**
   * Cancels it and gives how it stands then; undefined when it had ended before.
   * @throws Refusal
   */
  async cancel(runId: string, exchange: Exchange): Promise<RunShown | undefined> {
    if (!this.#cancel) return undefined
    const { answer, refusal } = await exchange.serve(this.#cancel, { run_id: runId })
    if (answer) return runIn(answer.text)
    if (refusal.code === 'run_ended') return undefined
    throw refusal
  }

  /**
   * The run at each change of how it stands, until it ends or the signal is aborted.
   * @throws Refusal when it cannot be followed
   */
  async *follow(runId: string, exchange: Exchange, signal: AbortSignal): AsyncGenerator<RunShown> {
    if (!this.#events) return
    const following = { follow: true, signal }
    const outcome = await exchange.serve(this.#events, { run_id: runId }, following)
    if (outcome.refusal) throw outcome.refusal
    let known = ''
    for await (const _ of outcome.answer.events ?? []) {
      if (signal.aborted) return
      const run = await this.look(runId, exchange)
      if (!run) return
      const now = `${run.status} ${run.reason}`
      if (now !== known) yield run
      known = now
    }
  }
}

/** Whether an operation answers a run, so that its task follows the run. */
export function answersRun({ output }: Operation): boolean {
  return output.meta()?.id === 'Run'
}

/** @throws Refusal when what an operation answered is no run, which is a fault of ours */
export function runIn(text: string): RunShown {
  // `answersRun` has told by the operation's output what this is.
  const run = JSON.parse(text) as Partial<RunShown>
  if (typeof run.id === 'string' && typeof run.status === 'string') return run as RunShown
  throw new Refusal('internal_error', 'The server failed at this request.')
}
