import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { root } from '#adapters/process/build.js'
import { loaded } from '#adapters/process/start.ts'

/** A start, and a stop, that take longer have failed. */
const patienceMs = 120_000

/** What a server loads when it is first asked for, and strangers may ask. */
const loadedLater = ['/.well-known/oauth-authorization-server']

/**
 * Runs the server on an empty folder until it has loaded everything, so that Node keeps the compiled code
 * next to the build.
 * @returns what went wrong, if it did: the next start compiles by itself
 */
export async function compileAhead(): Promise<string | undefined> {
  const data = await mkdtemp(join(tmpdir(), 'abode-build-'))
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [join(root, 'adapters/abode.js')], {
    env: { PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: data, ABODE_LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  })
  try {
    const ended = once(child, 'exit')
    const url = await Promise.race([urlOfLoaded(child.stdout), ended.then(() => undefined)])
    if (url === undefined) return `the server ended with ${String(child.exitCode)}`
    for (const path of loadedLater) await (await fetch(url + path)).bytes()
    child.kill('SIGTERM')
    await ended
    return child.exitCode === 0 ? undefined : `the server stopped with ${String(child.exitCode)}`
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Where it listens, once it says that everything is loaded. */
async function urlOfLoaded(output: Readable): Promise<string | undefined> {
  let url: string | undefined
  for await (const line of createInterface({ input: output })) {
    url ??= /"url":"(http[^"]+)"/.exec(line)?.[1]
    if (line.includes(loaded)) break
  }
  output.resume()
  return url
}
