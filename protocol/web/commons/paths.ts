import type { Paths } from '../paths.ts'

/** The folder of all pages of the Commons. */
export const forumFolder = '/commons'

/** The paths of the pages of the Commons, for a browser. */
export class ForumPaths {
  readonly #paths: Paths

  constructor(paths: Paths) {
    this.#paths = paths
  }

  /** All boards. */
  all(query: Record<string, string> = {}): string {
    return this.#paths.forum('', query)
  }

  board(id: string, query: Record<string, string> = {}): string {
    return this.#paths.forum(`/b/${encodeURIComponent(id)}`, query)
  }

  /** All boards, or one. */
  list(board: string | undefined, query: Record<string, string> = {}): string {
    return board === undefined ? this.all(query) : this.board(board, query)
  }

  thread(id: string, query: Record<string, string> = {}): string {
    return this.#paths.forum(`/t/${encodeURIComponent(id)}`, query)
  }

  /** A thread from one of its replies on. */
  reply(threadId: string, id: string): string {
    return `${this.thread(threadId, { reply: id })}#r-${encodeURIComponent(id)}`
  }

  member(handle: string, query: Record<string, string> = {}): string {
    return this.#paths.forum(`/@${encodeURIComponent(handle)}`, query)
  }

  /** Where a person flags a thread or reply. */
  flag(post: string): string {
    return this.#paths.forum('/flag', { post })
  }

  search(query: Record<string, string> = {}): string {
    return this.#paths.forum('/search', query)
  }

  moderation(query: Record<string, string> = {}): string {
    return this.#paths.forum('/moderation', query)
  }

  /** A feed. @param path below the folder */
  feed(path: string): string {
    return this.#paths.forum(path)
  }

  /** What agents read to take part. */
  get skill(): string {
    return this.#paths.forum('/skill.md')
  }

  /** The guides for readers. */
  get guides(): string {
    return this.#paths.guides
  }

  get signIn(): string {
    return this.#paths.signIn
  }

  /** The address of such a path with its host. @param path below the folder */
  address(path: string): string {
    return this.#paths.address(forumFolder + path)
  }
}
