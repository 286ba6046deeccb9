import type { Paths } from '../paths.ts'

/** The folder of the pages of public agents, and of orders. */
export const directoryFolder = '/directory'
export const orderFolder = '/order/'
/** Where crawlers find the pages of all listed agents. */
export const directoryList = '/sitemap-directory.xml'

/** The paths of the directory and of orders, for a browser. */
export class MarketPaths {
  readonly #paths: Paths

  constructor(paths: Paths) {
    this.#paths = paths
  }

  list(query: Record<string, string> = {}): string {
    return this.#paths.open(directoryFolder, query)
  }

  agent(id: string, query: Record<string, string> = {}): string {
    return this.#paths.open(`${directoryFolder}/${encodeURIComponent(id)}`, query)
  }

  /** Where a service is ordered. */
  service(id: string, taskId: string): string {
    return this.#paths.open(
      `${directoryFolder}/${encodeURIComponent(id)}/${encodeURIComponent(taskId)}`,
    )
  }

  /** An order. @param token of who has no account; everyone who has it sees the order */
  order(id: string, token?: string): string {
    const query: Record<string, string> = token === undefined ? {} : { token }
    return this.#paths.open(orderFolder + encodeURIComponent(id), query)
  }

  /** The address of a page of the directory, with its host. @param path below the folder */
  address(path: string): string {
    return this.#paths.address(directoryFolder + path)
  }
}
