import type { Operation } from '#src/core/operation.ts'

/** Hosts give up on a call of which they hear nothing for about a minute. */
const tellEveryMs = 5000
/** A run changes a few times while it is waited for; whatever says more is not listened to. */
const tellAtMost = 200

/** What a notification says beside its token. */
export interface ProgressNote {
  /** Seconds since the call began; grows with each note. */
  progress: number
  /** Seconds that the call waits at most. */
  total?: number
  message?: string
}

/**
 * Tells a client that asked for it how a call goes: what the operation says, and while it waits, that
 * it still does.
 */
export class Progress {
  readonly #send: (note: ProgressNote) => Promise<void>
  readonly #total: number | undefined
  readonly #begun = performance.now()
  readonly #timer: ReturnType<typeof setInterval> | undefined
  #last = 0
  #told = 0
  #message: string | undefined

  /** @param seconds how long the call waits at most; 0 where it waits for nothing */
  constructor(seconds: number, send: (note: ProgressNote) => Promise<void>) {
    this.#send = send
    this.#total = seconds > 0 ? seconds : undefined
    if (seconds > 0) this.#timer = setInterval(() => this.#note(), tellEveryMs)
  }

  /** For the operation: what it has to say. */
  readonly tell = (message: string): void => {
    if (message === this.#message) return
    this.#message = message
    this.#note()
  }

  /** After the answer nothing more may be told. */
  end(): void {
    clearInterval(this.#timer)
    this.#told = tellAtMost
  }

  #note(): void {
    if (this.#told >= tellAtMost) return
    this.#told += 1
    const seconds = Math.round(performance.now() - this.#begun) / 1000
    // Each must be more than the one before, also within a millisecond.
    this.#last = seconds > this.#last ? seconds : this.#last + 0.001
    const note: ProgressNote = { progress: Math.round(this.#last * 1000) / 1000 }
    if (this.#total !== undefined) note.total = Math.max(this.#total, note.progress)
    if (this.#message !== undefined) note.message = this.#message
    // A client that has gone is told nothing; its call is cancelled by other means.
    this.#send(note).catch(() => this.end())
  }
}

/** What a call is to be told of by, or undefined: other tokens are no tokens. */
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

/** For how many seconds a call asks to wait; what is no number the operation refuses itself. */
export function waitSecondsOf(operation: Operation, input: object): number {
  if (!mayWait(operation) || !('wait_seconds' in input)) return 0
  const { wait_seconds: seconds } = input
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 3600) : 0
}
