import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '#adapters/process/build.js'

/** A start, and a stop, that take longer have failed. */
const patienceMs = 30_000
/** By then everything is loaded that the first requests would wait for. */
const idleMs = 1000

/**
 * Runs the server on an empty folder until it has loaded everything, so that Node keeps the compiled code
 * next to the build.
 * @returns what went wrong, if it did: the next start compiles by itself
 */
export async function compileAhead(): Promise<string | undefined> {
  const data = await mkdtemp(join(tmpdir(), 'abode-build-'))
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [join(root, 'adapters/abode.js')], {
    env: { PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: data, ABODE_LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  })
  try {
    const ended = once(child, 'exit')
    const listening = once(createInterface({ input: child.stdout }), 'line')
    const isUp = await Promise.race([listening.then(() => true), ended.then(() => false)])
    if (!isUp) return `the server ended with ${String(child.exitCode)}`
    await new Promise((resolve) => setTimeout(resolve, idleMs))
    child.kill('SIGTERM')
    await ended
    return child.exitCode === 0 ? undefined : `the server stopped with ${String(child.exitCode)}`
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}
