import * as z from 'zod'
import type { StreamEvent } from '#src/core/answer.ts'
import type { Ports } from '#src/core/context.ts'
import { secondsAfter } from '#src/core/time.ts'
import { sharedRead } from '#src/core/turns/shared-read.ts'
import { DuplicateKey } from '#src/ports/store.ts'
import type { RunEventRecord } from '../events.ts'
import { textEventType, textName, type ModelText, type RunText } from './text.ts'

/** The type of what a stream shows of the text as it comes. */
export const pieceEventType = 'model.piece'

/** So long the text is shown to a reader who asks for it. */
const askedSeconds = 150
/** A reader asks again after this time. */
const askAgainMs = 60_000

const Text = z.object({ answer: z.int(), step: z.int(), at: z.int(), text: z.string() })

type Needed = Pick<Ports, 'store' | 'clock' | 'waiting'>

/** Follows what the model of one run writes: each character of an answer once, in order. */
export class TextReader {
  readonly #ports: Needed
  readonly #runId: string
  #asksAt = -Infinity
  #answer = 0
  /** How many characters of this answer the reader has. */
  #length = 0

  constructor(ports: Needed, runId: string) {
    this.#ports = ports
    this.#runId = runId
  }

  /** Has the text be shown from now on; for a run that is being worked on. */
  async ask(): Promise<void> {
    const { clock, store } = this.#ports
    const now = clock.monotonic()
    if (now < this.#asksAt) return
    this.#asksAt = now + askAgainMs
    const id = this.#runId
    const until = secondsAfter(clock.now(), askedSeconds)
    if (await store.run_texts.update({ id }, { $set: { until } })) return
    try {
      await store.run_texts.insert({ id, until, answer: 0, step: 0, at: 0, text: '' })
    } catch (cause) {
      // Another reader was faster.
      if (!(cause instanceof DuplicateKey)) throw cause
    }
  }

  /** What is new to the reader in these events of the run; of several answers, the last. */
  inEvents(events: readonly RunEventRecord[]): ModelText[] {
    const texts = events.flatMap(({ type, data }) =>
      type === textEventType ? (Text.safeParse(data).data ?? []) : [],
    )
    const last = texts.at(-1)?.answer
    return texts.filter(({ answer }) => answer === last).flatMap((text) => this.#new(text) ?? [])
  }

  /**
   * What comes after the events, as it is shown, until the run is told of: then it has events, or has ended.
   * @param told resolves when the run is told of
   */
  async *shown(told: Promise<boolean>, signal: AbortSignal): AsyncGenerator<ModelText, void> {
    const { waiting } = this.#ports
    const ofRun = told.then(() => 'run')
    let first: unknown
    while (first !== 'run' && !signal.aborted) {
      await this.ask()
      // Registered before reading, so that nothing is missed in between.
      const done = new AbortController()
      const more = waiting.until(
        textName(this.#runId),
        askAgainMs,
        AbortSignal.any([signal, done.signal]),
      )
      try {
        const text = await this.#read()
        const piece = text && this.#new(text)
        if (piece) yield piece
        first = await Promise.race([ofRun, more])
      } finally {
        done.abort()
      }
    }
  }

  /** Of many readers that are told at once, one reads. */
  #read(): Promise<RunText | undefined> {
    const name = textName(this.#runId)
    return sharedRead(this.#ports, name, () => this.#ports.store.run_texts.get(this.#runId))
  }

  /** The part of a text that the reader has not; undefined if it has all of it, or not what comes before. */
  #new({ answer, step, at, text }: ModelText): ModelText | undefined {
    if (answer < this.#answer || answer === 0) return undefined
    if (answer > this.#answer) {
      this.#answer = answer
      this.#length = at
    }
    const from = this.#length - at
    if (from < 0 || from >= text.length) return undefined
    this.#length = at + text.length
    return { answer, step, at: at + from, text: text.slice(from) }
  }
}

/** A piece as an event of a stream, under the id of the event that its reader resumes after. */
export function pieceEvent(piece: ModelText, id: string, marks: object = {}): StreamEvent {
  return { id, type: pieceEventType, text: JSON.stringify({ ...piece, ...marks }) }
}
