import {
  ModelFailure,
  type Conversation,
  type ModelFault,
  type ToolAnswer,
  type Turn,
  type TurnTerms,
} from '#src/ports/model.ts'
import { nextSeq } from '#src/runs/events.ts'
import { RunFailure } from '#src/runs/failure.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { charactersAtMost } from '#src/runs/template.ts'
import { textEventType } from '#src/runs/text/text.ts'
import { modelName, shownModel } from '#src/runs/spend/cost.ts'
import { budgetReason, budgetUsedUp, usedUpWords } from '#src/runs/spend/hold.ts'
import { recordCall } from '#src/runs/spend/record.ts'
import { centsOfNanos } from '#src/core/spend/prices.ts'
import type { Choice } from './choose-model.ts'
import type { Desk } from './desk.ts'
import { Pieces } from './pieces.ts'

/** How long a provider that says nothing of it is left alone before it is asked again. */
const pauseMs = 2000
const pauseAtMostMs = 60_000

const codes: Readonly<Record<ModelFault, string>> = {
  unauthorized: 'provider_unauthorized',
  rate_limited: 'provider_rate_limited',
  unavailable: 'provider_unavailable',
  rejected: 'provider_error',
  unreadable: 'provider_error',
}

type Told = Pick<TurnTerms, 'answers' | 'said'>

/** The turns of one run: timed, counted, and once in a run asked again where the provider only stumbled. */
export class Turns {
  readonly #desk: Desk
  readonly #conversation: Conversation
  readonly #choice: Choice
  readonly #model: string
  #step = 0
  #hasRetried = false
  /** Characters of all turns together: each is kept, in the events and in the output. */
  #written = 0

  constructor(desk: Desk, conversation: Conversation, choice: Choice) {
    this.#desk = desk
    this.#conversation = conversation
    this.#choice = choice
    this.#model = modelName(choice)
  }

  /** Which turn it is, from 1. */
  get step(): number {
    return this.#step
  }

  /** Of all turns together, and of what the run used before. */
  get usage(): StoredRun['usage'] {
    return { ...this.#desk.work.run.usage }
  }

  /** The next turn. @param said what the model is told besides @throws RunFailure, or anything once the work is interrupted */
  async next(answers: readonly ToolAnswer[], said?: string): Promise<Turn> {
    this.#step += 1
    const asked = { answers, said }
    const turn = await this.#once(asked).catch((cause: unknown) => this.#again(cause, asked))
    const { finish, usage } = turn
    const { work, note } = this.#desk
    const model = shownModel(this.#choice, this.#desk.scrub)
    const nanos = await recordCall(work.ports, work.run, { choice: this.#choice, model, usage })
    const cost = nanos === undefined ? {} : { cost_cents: centsOfNanos(nanos) }
    const told = { step: this.#step, model: this.#model, finish, usage: { ...usage, ...cost } }
    await note('model.turn', told)
    return turn
  }

  /** Looks whether a budget is used up by now. @throws RunFailure `budget_exceeded` */
  async mustHaveMoney(): Promise<void> {
    // It was looked before the first turn.
    if (this.#step === 0) return
    const { ports, run } = this.#desk.work
    const usedUp = await budgetUsedUp(ports, run)
    if (usedUp) this.fail(budgetReason, usedUpWords(usedUp))
  }

  /** @throws RunFailure `code` with what was used until then */
  fail(
    code: string,
    message: string,
    options: ErrorOptions & { status?: 'timed_out' } = {},
  ): never {
    throw new RunFailure(code, message, { ...options, usage: this.usage })
  }

  async #again(cause: unknown, told: Told): Promise<Turn> {
    if (!(cause instanceof ModelFailure)) throw cause
    if (!cause.isTransient || this.#hasRetried) return this.#failed(cause)
    this.#hasRetried = true
    const { work, note } = this.#desk
    const pause = Math.min(cause.retryAfterMs ?? pauseMs, pauseAtMostMs)
    const data = { step: this.#step, code: codes[cause.fault], message: cause.message }
    await note('model.retried', { ...data, after_ms: pause })
    await work.ports.clock.sleep(pause, work.signal)
    return this.#once(told).catch((second: unknown) =>
      second instanceof ModelFailure ? this.#failed(second) : Promise.reject(second),
    )
  }

  #failed(cause: ModelFailure): never {
    const { ports, run } = this.#desk.work
    // A fault in our reading of a provider would look the same, so the log tells the operator.
    if (cause.fault === 'unreadable') {
      ports.log.warn('an answer of a model could not be read', {
        run_id: run.id,
        model: this.#model,
      })
    }
    return this.fail(codes[cause.fault], cause.message, { cause })
  }

  #count(text: string): void {
    this.#written += text.length
    if (this.#written <= charactersAtMost) return
    const message = `The model wrote more than ${charactersAtMost} characters in this run.`
    this.fail('output_too_long', message)
  }

  async #once(told: Told): Promise<Turn> {
    const { work, note, scrub } = this.#desk
    const { clock } = work.ports
    const mark = { key: `${work.run.id}.turn.${this.#step}`, attempt: work.run.attempt }
    const limit = new AbortController()
    const seconds = work.task.step_timeout_seconds
    const cancel = clock.after(seconds * 1000, () => limit.abort(tooLate))
    const signal = AbortSignal.any([work.signal, limit.signal])
    const pieces = new Pieces({
      clock,
      scrub,
      answer: nextSeq(clock.now()),
      step: this.#step,
      keep: (piece) => note(textEventType, { ...piece }),
      show: (piece) => work.show(piece),
    })
    try {
      const onText = async (text: string): Promise<void> => {
        this.#count(text)
        await pieces.add(text)
      }
      const turn = await this.#conversation.turn({ ...told, signal, mark, onText })
      await pieces.end()
      return turn
    } catch (cause) {
      work.signal.throwIfAborted()
      if (!limit.signal.aborted) throw cause
      const message = `The model did not finish a step within ${seconds} seconds.`
      return this.fail('step_timeout', message, { cause, status: 'timed_out' })
    } finally {
      cancel()
      pieces.stop()
    }
  }
}

const tooLate = Symbol('the time of the step is up')
