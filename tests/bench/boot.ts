import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, residentMiB } from './measure.ts'
import { startProduct } from './servers.ts'

/** By then everything is loaded that the first requests would wait for. */
const idleMs = 1500

/** How the product starts on an empty folder: medians. */
export interface Boot {
  /** Seconds to the first answer, when nothing of the code was compiled before. */
  first: number
  /** The same with what earlier starts have compiled. */
  later: number
  /** Resident memory in MiB, when nothing was asked of it but that answer. */
  idle: number
}

export async function boot(times: number): Promise<Boot> {
  const cache = await mkdtemp(join(tmpdir(), 'abode-bench-cache-'))
  try {
    const first: number[] = []
    const later: number[] = []
    const idle: number[] = []
    for (let n = 0; n < times; n++) {
      first.push((await start(join(cache, String(n)))).seconds)
    }
    for (let n = 0; n < times; n++) {
      const { seconds, memory } = await start(join(cache, '0'))
      later.push(seconds)
      idle.push(memory)
    }
    return { first: median(first), later: median(later), idle: median(idle) }
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
}

async function start(compileCache: string): Promise<{ seconds: number; memory: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-bench-'))
  // The first call loads what this process needs for it, which is no part of the server's start.
  await fetch('data:,').then((response) => response.text())
  const begun = performance.now()
  const server = await startProduct(folder, { NODE_COMPILE_CACHE: compileCache })
  try {
    const response = await fetch(`${server.url}/health`)
    await response.text()
    const seconds = (performance.now() - begun) / 1000
    if (!response.ok) throw new Error(`/health was answered ${response.status}`)
    await sleep(idleMs)
    return { seconds, memory: residentMiB(server.pid) }
  } finally {
    await server.end()
    await rm(folder, { recursive: true, force: true })
  }
}
