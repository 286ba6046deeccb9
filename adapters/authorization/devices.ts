import type Provider from 'oidc-provider'
import { digest } from '#src/core/ids.ts'
import type { Clock } from '#src/ports/clock.ts'

/** How long a device waits before it asks again, in seconds. */
const pollSeconds = 5
/** One that asks so many seconds too early is not told. */
const tolerance = 1
/** Devices whose last question is remembered, in this process. */
const devicesAtMost = 10_000

/** Tells devices how often to ask, and those that ask more often to slow down. Source: RFC 8628, 3.5. */
export function paceDevices(provider: Provider, clock: Pick<Clock, 'now'>): void {
  const asked = new Map<string, number>()
  provider.on('device_authorization.success', (_, answer: object) => {
    Object.assign(answer, { interval: pollSeconds })
  })
  provider.on('grant.error', (ctx, { error }) => {
    if (error !== 'authorization_pending') return
    const device = digest(String(ctx.oidc.params?.['device_code']))
    const now = clock.now().getTime()
    const last = asked.get(device) ?? 0
    // Moved to the end: the first is the one that was silent for longest.
    asked.delete(device)
    asked.set(device, now)
    const [longest] = asked.keys()
    if (asked.size > devicesAtMost && longest !== undefined) asked.delete(longest)
    if (now - last < (pollSeconds - tolerance) * 1000) ctx.body = slowDown
  })
}

const slowDown = {
  error: 'slow_down',
  error_description: `ask every ${pollSeconds} seconds, and 5 seconds more after each of these answers`,
}
