import { setTimeout as sleep } from 'node:timers/promises'
import type { KnowledgeItem } from '#src/knowledge/item.ts'
import type { Subject } from '../load.ts'

/** What is measured is the time from one tick to the next. */
const betweenTicksMs = 10
const betweenLooksMs = 20
const patienceMs = 300_000

/** How long the event loop was held, in milliseconds. */
export interface Held {
  /** By the clock. */
  longest: number
  /** The most that the thread computed in one hold; 0 where none was above 10 ms. */
  computed: number
}

/** Calls a server with one key, and learns from its metrics how long its event loop was held. */
export class Client {
  readonly #url: string
  readonly #key: string

  constructor({ url }: Subject, key: string) {
    this.#url = url
    this.#key = key
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const isForm = body instanceof FormData
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status} ${text}`)
    // As its documents say.
    return JSON.parse(text) as T
  }

  /**
   * The longest that the server's event loop was held since this was asked last, as the server itself
   * measures it: seen from outside, it could not be told from a client that waits for a core.
   */
  async held(): Promise<Held> {
    const page = await (await fetch(`${this.#url}/metrics`)).text()
    const milliseconds = (name: string): number => {
      const [, seconds] = new RegExp(`^${name} (\\S+)$`, 'm').exec(page) ?? []
      if (seconds === undefined) throw new Error(`the metrics do not tell ${name}`)
      return Number(seconds) * 1000
    }
    const tick = milliseconds('nodejs_eventloop_lag_max_seconds')
    const longest = Math.max(0, tick - betweenTicksMs)
    return { longest, computed: milliseconds('abode_loop_longest_hold_cpu_seconds') }
  }

  agent(id: string): Promise<object> {
    return this.call('POST', '/api/characters/', { id, name: 'A pupil' })
  }

  /** Waits until nothing of what the agent was given is left to be read; gives the pieces it made. */
  async hasRead(agent: string, items: number): Promise<number> {
    for (const begun = performance.now(); performance.now() - begun < patienceMs;) {
      const counts = await Promise.all(
        ['queued', 'fetching'].map((status) => this.#some(agent, status)),
      )
      if (counts.every((count) => count === 0)) return this.#pieces(agent, items)
      await sleep(betweenLooksMs)
    }
    throw new Error('what was to be learned was not read in time')
  }

  async #some(agent: string, status: string): Promise<number> {
    const path = `/api/characters/${agent}/knowledge?limit=1&status=${status}`
    return (await this.call<{ items: object[] }>('GET', path)).items.length
  }

  async #pieces(agent: string, expected: number): Promise<number> {
    let [pieces, found, cursor] = [0, 0, '']
    for (;;) {
      const path = `/api/characters/${agent}/knowledge?limit=100&status=indexed${cursor}`
      const page = await this.call<{ items: KnowledgeItem[]; next_cursor: string | null }>(
        'GET',
        path,
      )
      for (const { chunks } of page.items) pieces += chunks
      found += page.items.length
      if (page.next_cursor === null) break
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
    }
    if (found !== expected) throw new Error(`${found} of ${expected} items could be read`)
    return pieces
  }
}
