import { spawn } from 'node:child_process'
import type { Log } from '#src/ports/log.ts'

/** What supervises the service on its machine, such as systemd. */
export interface Manager {
  ready(): void
  stopping(): void
  /** From now on it is told again and again that the service lives, while that holds. */
  watch(isWell: () => boolean): void
}

type Environment = Readonly<Record<string, string | undefined>>

const none: Manager = { ready: () => undefined, stopping: () => undefined, watch: () => undefined }

/**
 * Tells systemd how the service is, by its program `systemd-notify`, where it asks for that (`Type=notify`, and
 * `WatchdogSec` for the watch).
 */
export function managerIn(env: Environment, log: Log): Manager {
  if (!env['NOTIFY_SOCKET']) return none
  let isUnusable = false
  const tell = (word: string): void => {
    if (isUnusable) return
    const child = spawn('systemd-notify', [word], { env: { ...env }, stdio: 'ignore' })
    child.once('error', (cause) => {
      isUnusable = true
      log.error('systemd cannot be told how the service is', { cause })
    })
    child.unref()
  }
  const everyMs = watchMsOf(env)
  return {
    ready: () => tell('READY=1'),
    stopping: () => tell('STOPPING=1'),
    watch(isWell) {
      if (everyMs === undefined) return
      setInterval(() => {
        if (isWell()) tell('WATCHDOG=1')
      }, everyMs).unref()
    },
  }
}

/** Twice within the time that systemd gives; undefined where it does not watch this process. */
function watchMsOf({ WATCHDOG_USEC: time, WATCHDOG_PID: pid }: Environment): number | undefined {
  const milliseconds = Number(time) / 1000
  const isOther = pid !== undefined && Number(pid) !== process.pid
  return milliseconds > 0 && !isOther ? Math.ceil(milliseconds / 2) : undefined
}
