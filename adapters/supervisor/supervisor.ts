import type { Socket } from 'node:net'
import type { Log } from '#src/ports/log.ts'
import type { Child } from './child.ts'
import { Distribution } from './distribution.ts'
import { Gathering, type Sum } from './figures.ts'
import { nameOf, type Order, type Part, type Report } from './messages.ts'
import { Post, type PostReports } from './post.ts'

/** How long connections may wait for a process once the server is to stop. */
const settlesWithinMs = 500

/** How one of the processes is. */
export interface Standing {
  /** Such as `api 1`. */
  name: string
  /** How often it was started again. */
  restarts: number
  /** Whether it answers, or does the background work. */
  isReady: boolean
}

/** What a supervisor is given. */
export interface Supervised<Figures> {
  parts: readonly Part[]
  log: Log
  sum: Sum<Figures>
  /** What it counts itself. */
  own: (processes: readonly Standing[]) => Figures
  start(part: Part, heard: (child: Child, report: Report) => void): Child
  /** A process that is needed cannot be had. */
  failed(why: string, code: number | null): void
}

/** Keeps processes alive, gives them connections, and adds up what they count. */
export class Supervisor<Figures> {
  readonly #given: Supervised<Figures>
  readonly #posts: readonly Post[]
  readonly #children = new Set<Child>()
  readonly #restarts: Map<string, number>
  readonly #distribution = new Distribution<Child>()
  readonly #gathering: Gathering<Child, Figures>
  #isStopping = false
  readonly #allReady = Promise.withResolvers<void>()

  constructor(given: Supervised<Figures>) {
    this.#given = given
    this.#restarts = new Map(given.parts.map((part) => [nameOf(part), 0]))
    this.#gathering = new Gathering(given.sum, () => given.own(this.#standings()))
    this.#posts = given.parts.map((part) => this.#postOf(part))
  }

  /** Starts all processes; resolves when all are ready. */
  begin(): Promise<void> {
    for (const post of this.#posts) post.begin()
    return this.#allReady.promise
  }

  /** Whether all processes live and their event loops turn; once it is to stop, none is looked at any more. */
  get isWell(): boolean {
    return this.#isStopping || this.#posts.every((post) => post.isAnswering)
  }

  accept(socket: Socket): void {
    this.#distribution.accept(socket)
  }

  /** Tells all of them that they are to stop soon; none is started again from now on. */
  drain(): void {
    this.#isStopping = true
    for (const post of this.#posts) post.close()
    for (const child of this.#children) child.send({ kind: 'drain' })
  }

  /** Lets all of them end in order, and tells the last one that it is. @returns whether they did */
  async stop(signal: string): Promise<boolean> {
    this.#isStopping = true
    for (const post of this.#posts) post.close()
    await this.#distribution.settle(settlesWithinMs)
    const left = new Set(this.#children)
    const tellLast = (): void => {
      const [last, ...others] = left
      if (others.length === 0) last?.send({ kind: 'alone' })
    }
    const ends = [...left].map(async (child) => {
      child.send({ kind: 'stop', signal })
      const end = await child.ended
      left.delete(child)
      tellLast()
      return end
    })
    tellLast()
    return (await Promise.all(ends)).every(({ code }) => code === 0)
  }

  /** Ends all of them at once. */
  kill(): void {
    for (const post of this.#posts) post.close()
    for (const child of this.#children) child.kill()
  }

  #standings(): Standing[] {
    return this.#given.parts.map((part, at) => {
      const name = nameOf(part)
      const isReady = this.#posts[at]?.isReady ?? false
      return { name, restarts: this.#restarts.get(name) ?? 0, isReady }
    })
  }

  #postOf(part: Part): Post {
    const post: Post = new Post(
      () => this.#started(part, (child, report) => this.#heard(post, part, child, report)),
      this.#reportsOf(nameOf(part)),
    )
    return post
  }

  #reportsOf(name: string): PostReports {
    const { log } = this.#given
    return {
      frozen: () => log.error('a process is frozen, and is ended', { child: name }),
      failed: (why, code) => this.#given.failed(`The process ${name} ${why}.`, code),
      replaced: (end, pause_ms) => {
        this.#restarts.set(name, (this.#restarts.get(name) ?? 0) + 1)
        const facts = { child: name, ...end, pause_ms }
        log.warn('a process has ended, and is started again', facts)
      },
    }
  }

  #started(part: Part, heard: (child: Child, report: Report) => void): Child {
    const child = this.#given.start(part, heard)
    this.#children.add(child)
    // Once its post has noticed too.
    void child.ended.then(() => this.#left(child)).then(() => this.#tellMissing())
    return child
  }

  #left(child: Child): void {
    this.#children.delete(child)
    this.#distribution.ended(child, child.send)
    this.#gathering.leave(child)
  }

  #heard(post: Post, part: Part, child: Child, report: Report): void {
    post.heard()
    this.#distribution.heard(child, report)
    if (report.kind === 'leaving') {
      this.#distribution.leave(child)
      child.send({ kind: 'left' })
    }
    // The processes are of this program, which has the type.
    if (report.kind === 'figures') this.#gathering.told(report.id, report.figures as Figures)
    if (report.kind === 'page') void this.#page(child, report.id)
    if (report.kind === 'ready') this.#ready(post, part, child)
  }

  #ready(post: Post, part: Part, child: Child): void {
    post.ready()
    this.#gathering.enter(child, child.send)
    if (part.role === 'api') this.#distribution.enter(child, child.send)
    this.#tellMissing()
    if (this.#posts.every((one) => one.isReady)) this.#allReady.resolve()
  }

  #tellMissing(): void {
    const names = this.#standings().flatMap(({ name, isReady }) => (isReady ? [] : [name]))
    for (const child of this.#children) child.send({ kind: 'missing', names })
  }

  async #page(child: Child, id: number): Promise<void> {
    const order = await this.#gathering.page(id).catch((cause: unknown): Order => {
      this.#given.log.error('the figures could not be added up', { cause })
      return { kind: 'page', id, text: '' }
    })
    child.send(order)
  }
}
