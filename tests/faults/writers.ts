import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '#tests/bench/measure.ts'
import { Tally } from '#tests/support/kills/tally.ts'
import type { Figures } from './verdict.ts'

const againAfterMs = 20
const patienceMs = 20_000
const pageSize = 100

/** Where writers call, and how. */
export interface WritersTerms {
  /** Those that may be called now. */
  urls: () => readonly string[]
  key: string
  count: number
  /** Between two writes of one writer, in milliseconds. */
  pauseMs?: number
}

interface Kept {
  id: string
  mark?: string
}

/**
 * Honest callers that make agents, each by an idempotency key and again until it is acknowledged, and read what
 * was acknowledged at another process. They remember all of it, so that afterwards nothing can be lost unseen.
 */
export class Writers {
  readonly acknowledged = new Tally()
  readonly #terms: WritersTerms
  readonly #made = new Map<string, string>()
  readonly #took: number[] = []
  /** How long each attempt took that was answered with an unavailability. */
  readonly #turnedAwayMs: number[] = []
  readonly #work: Promise<unknown>
  readonly #prefix: string
  #isOver = false
  #lastAt = performance.now()
  #stallMs = 0
  #stale = 0
  #failed = 0
  #hasNoRetryAfter = 0
  #cut = 0
  #longestAttemptMs = 0

  constructor(terms: WritersTerms, prefix = 'w') {
    this.#terms = terms
    this.#prefix = prefix
    this.#work = Promise.all(Array.from({ length: terms.count }, (_, i) => this.#write(i)))
  }

  /** How many attempts were answered with an unavailability so far. */
  get turnedAway(): number {
    return this.#turnedAwayMs.length
  }

  /**
   * Ends what keeps them from writing, and waits until they write on: for so many writes.
   * @returns how long it took until the first was acknowledged, in milliseconds
   */
  async backAfter(mend: () => void, writes: number): Promise<number> {
    const before = this.acknowledged.count
    mend()
    const mended = performance.now()
    await this.acknowledged.reaches(before + 1)
    const backMs = performance.now() - mended
    await this.acknowledged.reaches(before + writes)
    return backMs
  }

  /** Ends them when what they have begun is acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  /** What was noticed, and what of it is still there; call it after `stop`. */
  async figures(): Promise<Figures> {
    const kept = await allOf(this.#terms)
    const found = new Map<string, string[]>()
    for (const { id, mark } of kept) {
      if (mark?.startsWith(this.#prefix)) found.set(mark, [...(found.get(mark) ?? []), id])
    }
    return {
      acknowledged: this.#made.size,
      lost: [...this.#made].filter(([mark, id]) => !found.get(mark)?.includes(id)).length,
      doubled: [...found.values()].filter((ids) => ids.length > 1).length,
      stale: this.#stale,
      failed: this.#failed,
      honest_p99_ms: percentile(this.#took, 0.99),
      longest_stall_ms: this.#stallMs,
      turned_away: this.#turnedAwayMs.length,
      turned_away_longest_ms: Math.max(0, ...this.#turnedAwayMs),
      without_retry_after: this.#hasNoRetryAfter,
      cut: this.#cut,
      longest_attempt_ms: this.#longestAttemptMs,
    }
  }

  async #write(writer: number): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const mark = `${this.#prefix}-${writer}-${n}`
      const begun = performance.now()
      const id = await this.#acknowledgedId(mark)
      const now = performance.now()
      this.#took.push(now - begun)
      this.#stallMs = Math.max(this.#stallMs, now - this.#lastAt)
      this.#lastAt = now
      this.#made.set(mark, id)
      this.acknowledged.add()
      await this.#readBack(id)
      await pause(this.#terms.pauseMs ?? Math.random() * 40)
    }
  }

  async #acknowledgedId(mark: string): Promise<string> {
    for (;;) {
      const url = this.#someUrl()
      const begun = performance.now()
      const answer = url && (await this.#post(url, mark).catch(() => undefined))
      if (url && !answer) this.#cut += 1
      this.#longestAttemptMs = Math.max(this.#longestAttemptMs, performance.now() - begun)
      if (answer && answer.status < 300) return ((await answer.json()) as Kept).id
      if (answer) {
        if (answer.status === 503) this.#noteRefusal(answer, performance.now() - begun)
        // What is neither an acknowledgement nor "later" is no right answer to a right request.
        else if (answer.status !== 429) this.#failed += 1
        await answer.arrayBuffer().catch(() => undefined)
      }
      await pause(againAfterMs)
    }
  }

  #noteRefusal(answer: Response, tookMs: number): void {
    this.#turnedAwayMs.push(tookMs)
    if (!answer.headers.has('retry-after')) this.#hasNoRetryAfter += 1
  }

  #post(url: string, mark: string): Promise<Response> {
    return fetch(`${url}/api/characters/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#terms.key}`,
        'content-type': 'application/json',
        'idempotency-key': mark,
      },
      body: JSON.stringify({ name: 'Ada', mark }),
      signal: AbortSignal.timeout(patienceMs),
    })
  }

  async #readBack(id: string): Promise<void> {
    const url = this.#someUrl()
    const headers = { authorization: `Bearer ${this.#terms.key}` }
    const answer =
      url && (await fetch(`${url}/api/characters/${id}`, { headers }).catch(() => undefined))
    if (!answer) return
    if (answer.status === 404) this.#stale += 1
    await answer.arrayBuffer().catch(() => undefined)
  }

  #someUrl(): string | undefined {
    const urls = this.#terms.urls()
    return urls[Math.floor(Math.random() * urls.length)]
  }
}

/** Every agent of an account, page by page. */
async function allOf({ urls, key }: WritersTerms): Promise<Kept[]> {
  return pages<Kept>(urls()[0] ?? '', key, '/api/characters/')
}

/** All items of a list. @throws Error where a page is not given */
export async function pages<T>(url: string, key: string, path: string): Promise<T[]> {
  const items: T[] = []
  for (let cursor = ''; ;) {
    const answer = await fetch(`${url}${path}?limit=${pageSize}${cursor && `&cursor=${cursor}`}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    // Pages of every list are so.
    const page = (await answer.json()) as { items: T[]; next_cursor: string | null }
    items.push(...page.items)
    if (!page.next_cursor) return items
    cursor = page.next_cursor
  }
}
