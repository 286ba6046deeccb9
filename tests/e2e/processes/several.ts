import { childrenOf, type Child } from '#tests/support/kills/children.ts'
import { program, runToEnd, type Ended, type ServerProcess } from '#tests/support/process.ts'

/** How long to wait for a process that ends or starts. */
export const pause = { pauseMs: 20, seconds: 120 }

/** The setting of two processes that answer. */
export const two = { ABODE_PROCESSES: '2' }

/** Runs a server of several processes to its end. */
export const serve = (folder: string, env: Record<string, string>): Promise<Ended> =>
  runToEnd(program, [], { DATA_DIR: folder, PORT: '0', ...two, ...env })

/** A request on a connection of its own. */
export const ask = ({ url }: ServerProcess, path: string, key?: string): Promise<Response> =>
  fetch(url + path, {
    headers: { connection: 'close', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    signal: AbortSignal.timeout(120_000),
  })

/** A key, got on a connection that no later request uses: it may end with its process. */
export async function keyOf({ url }: ServerProcess): Promise<string> {
  const init = { method: 'POST', headers: { connection: 'close' } }
  // The answer is that of the operation.
  return ((await (await fetch(`${url}/api/agent-claim`, init)).json()) as { api_key: string })
    .api_key
}

export const isHealthy = async (server: ServerProcess): Promise<boolean> =>
  (await ask(server, '/health')).status === 200

/** The names of the processes, such as `api 1`. */
export const names = ({ child }: ServerProcess): string[] =>
  childrenOf(child.pid)
    .map(({ name }) => name)
    .sort()

/** @throws Error where there is no process of that name */
export function one(server: ServerProcess, name: string): Child {
  const found = childrenOf(server.child.pid).find((child) => child.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}
