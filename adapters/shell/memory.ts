import { readdir, readFile } from 'node:fs/promises'

/** How often the memory of the commands is measured. */
const lookEveryMs = 200
/** Files read at a time. */
const readAtOnce = 32

interface Process {
  id: number
  parent: number
  bytes: number
}

interface Watched {
  root: number
  most: number
  tooMuch: () => void
}

/**
 * Watches the total memory of processes and everything they have started. The kernel's own limits apply
 * only to each process alone.
 */
export class MemoryWatch {
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  /** Calls back once when they hold more than that; returns the function that stops watching. */
  watch(root: number, most: number, tooMuch: () => void): () => void {
    const one = { root, most, tooMuch }
    this.#watched.add(one)
    this.#timer ??= setInterval(() => void this.#look(), lookEveryMs)
    return () => {
      this.#watched.delete(one)
      if (this.#watched.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const processes = await allProcesses()
      for (const { root, most, tooMuch } of this.#watched) {
        if (heldBy(root, processes) > most) tooMuch()
      }
    } finally {
      this.#isLooking = false
    }
  }
}

async function allProcesses(): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => [])
  const ids = names.filter((name) => /^\d+$/.test(name))
  const found: Process[] = []
  for (let i = 0; i < ids.length; i += readAtOnce) {
    const some = await Promise.all(ids.slice(i, i + readAtOnce).map(processOf))
    found.push(...some.filter((one) => one !== undefined))
  }
  return found
}

async function processOf(id: string): Promise<Process | undefined> {
  // It may be gone by now.
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
  const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1]
  if (parent === undefined) return undefined
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)]
  const held = kilobytes.reduce((sum, [, amount]) => sum + Number(amount), 0)
  return { id: Number(id), parent: Number(parent), bytes: held * 1024 }
}

function heldBy(root: number, processes: readonly Process[]): number {
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const own = processes.filter(({ id }) => id === root)
  let held = 0
  for (let next = own.pop(); next; next = own.pop()) {
    held += next.bytes
    own.push(...(children.get(next.id) ?? []))
  }
  return held
}
