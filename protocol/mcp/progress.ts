import type { Operation } from '#src/core/operation.ts'
import { untrustedMetaKey } from './results.ts'

/** Hosts give up on a call that is silent for about a minute. */
const tellEveryMs = 5000
/** Further messages are dropped: of a model's text four come in a second, and a call waits for a minute. */
const tellAtMost = 500

/** The members of a progress notification in addition to its token. */
export interface ProgressNote {
  /** Seconds since the call began; grows with each note. */
  progress: number
  /** Seconds that the call waits at most. */
  total?: number
  message?: string
  /** With a message of words of others: whose they are. */
  _meta?: Record<string, unknown>
}

/** The member of a note's `_meta` that says that the message is text of a model, and of which run. */
const textMetaKey = 'abode/text'

/**
 * Reports the progress of a call to a client that asked for it: what the operation says, and regularly,
 * while it waits, that it is still waiting.
 */
export class Progress {
  readonly #send: (note: ProgressNote) => Promise<void>
  readonly #total: number | undefined
  readonly #begun = performance.now()
  readonly #timer: ReturnType<typeof setInterval> | undefined
  #last = 0
  #told = 0
  #message: string | undefined

  /** @param seconds how long the call waits at most; 0 if it does not wait */
  constructor(seconds: number, send: (note: ProgressNote) => Promise<void>) {
    this.#send = send
    this.#total = seconds > 0 ? seconds : undefined
    if (seconds > 0) this.#timer = setInterval(() => this.#note(), tellEveryMs)
  }

  /** For the operation: sends a message, words of others with the facts about them. */
  readonly tell = (message: string, about?: Record<string, unknown>): void => {
    if (about) return this.#note({ message, _meta: metaOf(about) })
    if (message === this.#message) return
    this.#message = message
    this.#note()
  }

  /** After the answer nothing more may be sent. */
  end(): void {
    clearInterval(this.#timer)
    this.#told = tellAtMost
  }

  #note(words: Pick<ProgressNote, 'message' | '_meta'> = {}): void {
    if (this.#told >= tellAtMost) return
    this.#told += 1
    const seconds = Math.round(performance.now() - this.#begun) / 1000
    // Each must be greater than the one before, even within a millisecond.
    this.#last = seconds > this.#last ? seconds : this.#last + 0.001
    const note: ProgressNote = { progress: Math.round(this.#last * 1000) / 1000 }
    if (this.#total !== undefined) note.total = Math.max(this.#total, note.progress)
    if (this.#message !== undefined) note.message = this.#message
    Object.assign(note, words)
    // A client that has gone gets nothing; its call is cancelled by other means.
    this.#send(note).catch(() => this.end())
  }
}

function metaOf({
  untrusted,
  source: _source,
  ...about
}: Record<string, unknown>): ProgressNote['_meta'] {
  const marks = untrusted === true && { [untrustedMetaKey]: true }
  return { [textMetaKey]: about, ...marks }
}

/** The progress token of a call, or undefined: values of other types are ignored. */
export function progressTokenOf(
  meta: Readonly<Record<string, unknown>> | undefined,
): string | number | undefined {
  const token = meta?.['progressToken']
  return typeof token === 'string' || Number.isInteger(token)
    ? (token as string | number)
    : undefined
}

/** Whether the operation can wait for something to happen. */
export function mayWait(operation: Operation): boolean {
  return 'wait_seconds' in operation.input.shape
}

/** How many seconds a call asks to wait; the operation itself refuses a value that is not a number. */
export function waitSecondsOf(operation: Operation, input: unknown): number {
  if (!mayWait(operation) || typeof input !== 'object' || input === null) return 0
  if (!('wait_seconds' in input)) return 0
  const { wait_seconds: seconds } = input
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 3600) : 0
}
