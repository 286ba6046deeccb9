import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '#adapters/store/open.ts'
import type { KnowledgeItem } from '#src/knowledge/item.ts'
import type { Store } from '#src/ports/store.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'

const base = '/api/characters/ada/knowledge'

/** A process with an agent that learns, and may be started again on what it has learned. */
export class Learner {
  readonly #folder: string
  readonly #env: Record<string, string>
  #server: ServerProcess
  #key = ''

  /** @param origin what it may learn from, though it is on this machine */
  static async start(origin?: string): Promise<Learner> {
    const folder = await mkdtemp(join(tmpdir(), 'abode-knowledge-'))
    const env = { ABODE_RATE_LIMITS: 'off', ...(origin && { ABODE_OUTBOUND_ALLOW: origin }) }
    const learner = new Learner(folder, env, await startServer({ dataDir: folder, env }))
    const { api_key } = await learner.call<{ api_key: string }>('POST', '/api/agent-claim', {})
    learner.#key = api_key
    await learner.call('POST', '/api/characters/', { id: 'ada', name: 'Ada' })
    return learner
  }

  private constructor(folder: string, env: Record<string, string>, server: ServerProcess) {
    this.#folder = folder
    this.#env = env
    this.#server = server
  }

  get url(): string {
    return this.#server.url
  }

  /** Ends the process, and starts another one with more settings. */
  async restart(signal: NodeJS.Signals, more: Record<string, string> = {}): Promise<void> {
    await this.#server.end(signal)
    const env = { ...this.#env, ...more }
    this.#server = await startServer({ dataDir: this.#folder, env })
  }

  async dispose(): Promise<void> {
    await this.#server.dispose()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.#key && { authorization: `Bearer ${this.#key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(answer))
    // The test says what it expects of the answer.
    return answer as T
  }

  learn(url: string): Promise<KnowledgeItem> {
    return this.call('POST', `${base}/learn`, { url })
  }

  follow(url: string, type: string): Promise<KnowledgeItem> {
    return this.call('POST', `${base}/sources`, { url, type })
  }

  note(title: string, content: string): Promise<KnowledgeItem> {
    return this.call('POST', `${base}/texts`, { title, content })
  }

  item(id: string): Promise<KnowledgeItem> {
    return this.call('GET', `${base}/${id}`)
  }

  items(): Promise<{ items: KnowledgeItem[] }> {
    return this.call('GET', `${base}?limit=100`)
  }

  forget({ id }: KnowledgeItem): Promise<unknown> {
    return this.call('DELETE', `${base}/${id}`)
  }

  /** The item once it has been read, or could not be. */
  async read({ id }: KnowledgeItem): Promise<KnowledgeItem> {
    const isRead = async (): Promise<boolean> =>
      !['queued', 'fetching'].includes((await this.item(id)).status)
    await until(isRead, { seconds: 150, pauseMs: 50 })
    return this.item(id)
  }

  /** Titles of what is found, the best first. */
  async titles(q: string): Promise<string[]> {
    const path = `${base}/search?q=${encodeURIComponent(q)}`
    const { items } = await this.call<{ items: { title: string }[] }>('GET', path)
    return items.map(({ title }) => title)
  }

  /** The files that it keeps of what it was sent. */
  async uploads(): Promise<string[]> {
    const files = join(this.#folder, 'files')
    const found = await readdir(files, { recursive: true }).catch(() => [])
    return found.filter((name) => name.includes('kno_'))
  }

  /** Looks into its store, while the process runs. */
  async inStore<T>(look: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ folder: this.#folder })
    try {
      return await look(store)
    } finally {
      await store.close()
    }
  }
}
