import { spawn, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isPaused } from '#adapters/compose/paused.ts'
import type { Config } from '#adapters/config/read.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import type { Meter } from '#src/ports/meter.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { startLoop } from '#src/work/loop.ts'
import { root } from './build.js'

/** Facts of the store: when the last backup was complete, and when one was begun. */
const [doneId, begunId] = ['backed_up', 'backup_begun']
/** One that was begun and is not complete after so long is begun again, by whichever process. */
const patienceMs = 3_600_000
const hourMs = 3_600_000
const looksEachMs = 30_000
/** Less urgent than what answers and runs. */
const niceness = 10

interface BackupPorts {
  store: Store
  clock: Clock
  log: Log
  meter: Meter
}

/**
 * Backs the store up by itself, where that is set: a process with the role `upkeep` looks whether it is time, and one of
 * all begins it, as a process of its own. @returns what ends it
 */
export function backUpOnTime(ports: BackupPorts, config: Config): () => Promise<void> {
  const { backup, work, dataDir, mongodbUri } = config
  const isHere = work.includes('upkeep') && mongodbUri === undefined
  if (backup.to === undefined || !isHere || isPaused(dataDir)) return async () => undefined
  let child: ChildProcess | undefined
  const end = (): void => void child?.kill()
  process.once('exit', end)
  const tick = async (now: Date): Promise<number> => {
    if (!(await isClaimed(ports.store, now, backup.hours * hourMs))) return 0
    child = begun()
    const { code, out, err } = await endOf(child)
    if (code === 0) {
      await note(ports.store, doneId, ports.clock.now())
      ports.log.info('backed up', factsOf(out))
    } else if (!isEnding) {
      ports.log.error('a backup failed, and is tried again in an hour', { code, reason: err })
    }
    return 0
  }
  let isEnding = false
  const loop = startLoop({ name: 'backup', intervalMs: looksEachMs, tick }, ports)
  return async () => {
    isEnding = true
    process.off('exit', end)
    end()
    await loop.stop()
  }
}

/** The command, which has the place from the settings of this process. */
function begun(): ChildProcess {
  const words = ['backup', '--json']
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const child = spawn(process.execPath, [join(root, 'adapters/abode.js'), ...words], { stdio })
  if (child.pid !== undefined) setPriority(child.pid, niceness)
  return child
}

async function endOf(child: ChildProcess): Promise<{ code: number; out: string; err: string }> {
  const ended = new Promise<number>((done) => {
    child.once('error', () => done(-1))
    child.once('close', (code) => done(code ?? -1))
  })
  const [out, err] = await Promise.all([written(child.stdout), written(child.stderr)])
  return { code: await ended, out, err: err.trim().slice(0, 1000) }
}

async function written(stream: Readable | null): Promise<string> {
  return stream ? text(stream) : ''
}

/** What the command says of a backup that is complete. */
function factsOf(out: string): Record<string, unknown> {
  const { path, files, bytes, removed } = JSON.parse(out) as Record<string, unknown>
  return { path, files, bytes, removed }
}

/** Whether it is time, and this process is the one that begins. */
async function isClaimed({ meta }: Store, now: Date, everyMs: number): Promise<boolean> {
  const [done, last] = await Promise.all([meta.get(doneId), meta.get(begunId)])
  const since = (fact: { value: string } | undefined): number => {
    const ms = fact ? now.getTime() - Date.parse(fact.value) : Infinity
    // The clock was wrong when it was noted.
    return ms < 0 ? Infinity : ms
  }
  if (since(done) < everyMs || since(last) < patienceMs) return false
  const value = now.toISOString()
  if (last) {
    const changed = await meta.update({ id: begunId, value: last.value }, { $set: { value } })
    return changed !== undefined
  }
  return meta.insert({ id: begunId, value }).then(
    () => true,
    (cause: unknown) => {
      if (cause instanceof DuplicateKey) return false
      throw cause
    },
  )
}

async function note({ meta }: Store, id: string, now: Date): Promise<void> {
  const value = now.toISOString()
  if (await meta.update({ id }, { $set: { value } })) return
  // Only who has claimed it comes here.
  await meta.insert({ id, value })
}
