import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKey } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'
import { Fleet } from '../fleet.ts'
import { verifyFaults, type Scenario, type Terms } from '../scenario.ts'
import { least, most, none, type Figures } from '../verdict.ts'
import { Writers } from '../writers.ts'
import { saidOfStore } from './store.ts'

const diskMb = 64
const kilobyte = 1024
/** What is left when the disk is as good as full. */
const leftKb = 256
const someWrites = 30
const reads = 50

/** A disk of its own, in memory. @throws Error where it cannot be had */
function smallDisk(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'abode-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', folder])
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error('a disk cannot be mounted')
  }
  return {
    folder,
    remove() {
      spawnSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function lacksDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount a small disk'
  try {
    smallDisk().remove()
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** Fills the disk under writes, and makes room again. */
async function full({ isShort }: Terms): Promise<Figures> {
  const disk = smallDisk()
  const fleet = new Fleet(disk.folder, { ABODE_DISK_RESERVE: 'off' })
  const ballast = join(disk.folder, 'ballast')
  try {
    await fleet.start(1)
    const url = fleet.urls()[0] ?? ''
    const key = await newKey(url)
    const writers = new Writers({ urls: () => fleet.urls(), key, count: 8 })
    await writers.acknowledged.reaches(someWrites)
    const { bavail, bsize } = statfsSync(disk.folder)
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftKb * kilobyte), 1))
    await until(() => writers.turnedAway >= (isShort ? 20 : 200), { seconds: 120, pauseMs: 20 })
    const headers = { authorization: `Bearer ${key}` }
    let readsFailed = 0
    for (let read = 0; read < reads; read += 1) {
      const answer = await fetch(`${url}/api/characters/?limit=5`, { headers })
      await answer.arrayBuffer()
      if (answer.status !== 200) readsFailed += 1
    }
    const saysSo = (await saidOfStore(url)) === 'full' ? 1 : 0
    const back_ms = await writers.backAfter(() => rmSync(ballast), someWrites)
    await writers.stop()
    const figures = await writers.figures()
    await fleet.end()
    const verify_faults = await verifyFaults(disk)
    return {
      ...figures,
      reads_failed: readsFailed,
      health_says_so: saysSo,
      back_ms,
      verify_faults,
    }
  } finally {
    rmSync(ballast, { force: true })
    await fleet.end()
    disk.remove()
  }
}

export const diskScenario: Scenario = {
  name: 'full-disk',
  what: 'a disk that is full, and has room again',
  stores: ['sqlite'],
  goals: [
    none('lost'),
    none('doubled'),
    none('stale'),
    none('failed'),
    none('reads_failed'),
    none('without_retry_after'),
    least('turned_away', 1),
    least('health_says_so', 1),
    most('back_ms', 10_000),
    none('verify_faults'),
  ],
  lacks: lacksDisk,
  play: full,
}
