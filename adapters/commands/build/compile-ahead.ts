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
    const isUp = await Promise.race([saysLoaded(child.stdout), ended.then(() => false)])
    if (!isUp) return `the server ended with ${String(child.exitCode)}`
    child.kill('SIGTERM')
    await ended
    return child.exitCode === 0 ? undefined : `the server stopped with ${String(child.exitCode)}`
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function saysLoaded(output: Readable): Promise<boolean> {
  for await (const line of createInterface({ input: output })) {
    if (line.includes(loaded)) break
  }
  output.resume()
  return true
}
