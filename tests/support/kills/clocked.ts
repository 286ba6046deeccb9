import { loadQuickly } from '#adapters/process/modules.ts'
import type { Clock } from '#src/ports/clock.ts'

/*
 * The server without its doors, at a time that its parent gives: a process to be started by
 * `startClocked`. Each word of the parent is the time in milliseconds.
 */

loadQuickly()
const [{ systemClock }, { compose }, { readConfig }] = await Promise.all([
  import('#adapters/clock/system.ts'),
  import('#adapters/compose/compose.ts'),
  import('#adapters/config/read.ts'),
])

let now = Number(process.env.TEST_NOW)
const wakes = new Set<() => void>()

const clock: Clock = {
  ...systemClock,
  now: () => new Date(now),
  everySecond(wake) {
    const seconds = setInterval(wake, 1000).unref()
    wakes.add(wake)
    return () => {
      clearInterval(seconds)
      wakes.delete(wake)
    }
  },
}

process.on('message', (time) => {
  now = Number(time)
  for (const wake of wakes) wake()
})
process.on('disconnect', () => process.exit(0))

const { TEST_NOW: _, ...env } = process.env
await compose(readConfig(env), { clock })
process.send?.('ready')
