import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#adapters/store/open.ts'
import { openWorld } from '#tests/support/world.ts'
import { agentWithTasks } from '../documents.ts'
import type { Group } from '../group.ts'
import type { Subject } from '../load.ts'
import { cpuMicros, quiet, residentMiB } from '../measure.ts'
import { startBare, startProduct } from '../servers.ts'

/** One key may have so many streams. */
const streamsAKey = 500
const atOnce = 100
/** Opened before, so that what the first of all need is not counted. */
const warm = 200
const idleSeconds = 20
/** In which a server that takes a stream has said so. */
const patienceMs = 30_000

/** What streams cost that say nothing: their memory, and what the server does for them. */
export const streams: Group = {
  name: 'streams',
  async measure(bench) {
    const folder = join(bench.folder, 'streams')
    const tried = bench.streams
    const heads = await stocked(folder, tried)
    const bare = await startBare('streams')
    const product = await startProduct(folder)
    try {
      bench.say(`opening ${tried} streams`)
      const ours = await held(product, heads)
      const theirs = await held(bare, heads)
      const opened = `${ours.opened} of ${tried} were let in`
      const over = `over ${theirs.memory.toFixed(0)} KiB of bare Koa`
      bench.note('streamMemory', { value: ours.memory, absolute: `${over}; ${opened}` })
      bench.note('streamCpu', { value: ours.cpu, absolute: `over ${theirs.cpu.toFixed(1)} ms` })
    } finally {
      await Promise.all([bare.end(), product.end()])
    }
  },
}

/** Runs that wait for a brain, and the requests that follow each: as many as the keys may open. */
async function stocked(folder: string, tried: number): Promise<string[]> {
  const store = await openStore({ folder })
  try {
    const world = openWorld(store)
    const heads: string[] = []
    for (let n = 0; heads.length < tried; n++) {
      const { key, id } = await world.account()
      // As a person would claim it: such an account may have more streams.
      await store.accounts.update({ id }, { $set: { holder_id: 'the-bench' } })
      const char_id = `follower-${n}`
      await world.ask('characters.create', { character: agentWithTasks(char_id) }, key)
      const run = { char_id, task_id: 'digest' }
      const { id: runId } = await world.ask<{ id: string }>('tasks.run', run, key)
      const lines = [
        `GET /api/runs/${runId}/events HTTP/1.1`,
        'host: 127.0.0.1',
        'accept: text/event-stream',
        `authorization: Bearer ${key}`,
      ]
      const head = `${lines.join('\r\n')}\r\n\r\n`
      heads.push(...Array.from({ length: Math.min(streamsAKey, tried) }, () => head))
    }
    return heads.slice(0, tried)
  } finally {
    await store.close()
  }
}

interface Idle {
  opened: number
  /** KiB of each. */
  memory: number
  /** Milliseconds of CPU time in a second. */
  cpu: number
}

/** Opens streams until one is refused, and leaves them alone for a while. */
async function held(subject: Subject, heads: readonly string[]): Promise<Idle> {
  const sockets: Socket[] = []
  const open = async (some: readonly string[]): Promise<number> => {
    const answers = await Promise.all(some.map((head) => opened(subject, head, sockets)))
    return answers.filter((isOpen) => isOpen).length
  }
  try {
    let count = await open(heads.slice(0, warm))
    await quiet(subject.pid)
    const [before, from] = [residentMiB(subject.pid), count]
    for (let at = warm; at < heads.length; at += atOnce) {
      const more = await open(heads.slice(at, at + atOnce))
      count += more
      if (more < atOnce) break
    }
    await quiet(subject.pid)
    const memory = ((residentMiB(subject.pid) - before) / (count - from)) * 1024
    const begun = cpuMicros(subject.pid)
    await sleep(idleSeconds * 1000)
    const cpu = (cpuMicros(subject.pid) - begun) / 1000 / idleSeconds
    return { opened: count, memory, cpu }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Whether the server takes one more, as the first line of its answer says. */
function opened({ url }: Subject, head: string, sockets: Socket[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  socket.setTimeout(patienceMs, () => resolve(false))
  socket.once('data', (data) => {
    socket.setTimeout(0)
    resolve(data.toString('latin1').startsWith('HTTP/1.1 200'))
  })
  socket.on('error', () => resolve(false))
  socket.write(head)
  return promise
}
