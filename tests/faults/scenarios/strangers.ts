import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { attacks } from '#tests/attack/attacks.ts'
import { callHonestly, type Noticed } from '#tests/attack/honest.ts'
import { openPlace, play } from '#tests/attack/play.ts'
import type { Scenario } from '../scenario.ts'
import { most, none, type Figures, type Goal } from '../verdict.ts'

/** What an honest caller at the same address notices, in figures. */
function noticedFigures({ health, read, run, create, failed }: Noticed): Figures {
  const calls = [health, read, run, create]
  return {
    honest_calls: calls.reduce((sum, one) => sum + one.calls, 0),
    honest_failed: failed,
    health_p99_ms: health.p99,
    read_p99_ms: read.p99,
    write_p99_ms: create.p99,
    longest_stall_ms: Math.max(...calls.map((one) => one.longest)),
  }
}

const honest = (p99Ms: number): Goal[] => [
  none('honest_failed'),
  none('ended'),
  most('health_p99_ms', p99Ms),
  most('read_p99_ms', p99Ms),
]

/** An attack of `npm run attack`, with an honest caller next to it. */
function attacked(name: string, attackName: string, p99Ms: number): Scenario {
  const attack = attacks.find((one) => one.name === attackName)
  if (!attack) throw new Error(`there is no attack "${attackName}"`)
  return {
    name,
    what: attack.what,
    stores: ['sqlite'],
    goals: [...honest(p99Ms), most('peak_mb', 600)],
    async play({ isShort }) {
      await using place = await openPlace()
      const stood = await play(attack, isShort ? 5 : 60, place)
      return {
        ...noticedFigures(stood.noticed),
        loop_held_ms: stood.stallMs,
        peak_mb: stood.peakMb,
        ended: stood.isAlive ? 0 : 1,
      }
    },
  }
}

/** Sends a byte of something that never ends each second, and gives how long the server held it. */
async function heldFor(port: number, start: string, mostMs: number): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  const begun = performance.now()
  socket.write(start)
  const drip = setInterval(() => socket.write('x'), 1000)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const over = new AbortController()
  await Promise.race([closed, pause(mostMs, undefined, over)])
  over.abort()
  clearInterval(drip)
  socket.destroy()
  return performance.now() - begun
}

const head = 'HTTP/1.1\r\nHost: localhost\r\n'
/** Requests without an end: in their headers, in their body. */
const endless = {
  headers: `GET /health ${head}X-Slow: `,
  bodies: `POST /api/agent-claim ${head}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n"`,
}

/** Connections on which headers and bodies come a byte a second, next to an honest caller. */
const drips: Scenario = {
  name: 'slow-writers',
  what: '300 connections on which headers and bodies come a byte a second',
  stores: ['sqlite'],
  goals: [...honest(1000), most('headers_closed_ms', 20_000), most('bodies_closed_ms', 65_000)],
  async play({ isShort }) {
    await using place = await openPlace()
    const player = place.players.shift()
    if (!player) throw new Error('the place has no players')
    const { port } = player.target
    const stop = new AbortController()
    const noticing = callHonestly(player.honest, stop.signal)
    const many = (start: string, mostMs: number): Promise<number[]> =>
      Promise.all(Array.from({ length: 150 }, () => heldFor(port, start, mostMs)))
    const [headers, bodies] = await Promise.all([
      many(endless.headers, 40_000),
      many(endless.bodies, isShort ? 10_000 : 90_000),
    ])
    stop.abort()
    return {
      ...noticedFigures(await noticing),
      headers_closed_ms: Math.max(...headers),
      bodies_closed_ms: Math.max(...bodies),
      ended: place.server.child.exitCode === null ? 0 : 1,
    }
  },
}

/** More connections than the server had files open before. */
const slack = 20
const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Opens connections that say nothing, all within ten seconds. */
async function connected(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let n = 0; n < count; n += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.resume()
    sockets.push(socket)
    if (n % 20 === 19) await pause(90)
  }
  return sockets
}

const connects: Scenario = {
  name: 'connects',
  what: '2,000 connections within ten seconds, which stay and say nothing',
  stores: ['sqlite'],
  goals: [...honest(1000), most('files_back_ms', 70_000)],
  lacks: () => (process.platform === 'linux' ? undefined : 'open files are counted in /proc'),
  async play({ isShort }) {
    await using place = await openPlace()
    const player = place.players.shift()
    if (!player) throw new Error('the place has no players')
    const { server } = place
    const pid = server.child.pid ?? 0
    const stop = new AbortController()
    const noticing = callHonestly(player.honest, stop.signal)
    await pause(1000)
    const before = filesOf(pid)
    const sockets = await connected(player.target.port, isShort ? 500 : 2000)
    const most = filesOf(pid)
    const begun = performance.now()
    while (filesOf(pid) > before + slack && performance.now() - begun < 120_000) await pause(200)
    const backMs = performance.now() - begun
    stop.abort()
    for (const socket of sockets) socket.destroy()
    return {
      ...noticedFigures(await noticing),
      files_before: before,
      files_most: most,
      files_back_ms: backMs,
      ended: server.child.exitCode === null ? 0 : 1,
    }
  },
}

export const strangerScenarios: readonly Scenario[] = [
  attacked('slow-readers', 'unread', 1000),
  drips,
  connects,
  attacked('flood', 'flood', 300),
  attacked('flood-streams', 'streams', 1000),
]
