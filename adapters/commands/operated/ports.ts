import { alsoCommitted } from '#src/also.ts'
import { collections } from '#src/collections.ts'
import { effects } from '#src/effects.ts'
import { limiter, type Limiter } from '#src/core/admission/limits.ts'
import { quotas, type Quotas } from '#src/core/counts/quotas.ts'
import { withEffects, type EffectPorts } from '#src/core/effects.ts'
import { withLargeValues } from '#src/core/large/store.ts'
import { waiting } from '#src/core/listeners.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Models } from '#src/ports/model.ts'
import type { Store } from '#src/ports/store.ts'
import { systemClock } from '#adapters/clock/system.ts'
import type { Config } from '#adapters/config/read.ts'
import { openModels } from '#adapters/model/models.ts'
import { openSender } from '#adapters/sender/fetch.ts'

/** What the domain needs to write as it does in a server, from a command that is none. */
export interface OperatedPorts {
  /** Its commits are counted as those of a server. */
  store: Store
  clock: Clock
  limiter: Limiter
  quotas: Quotas
  models: Pick<Models, 'isConfigured'>
  /** Writes what was counted. */
  settle(): Promise<void>
}

/** @param store of a server that has these settings, which may be running */
export function operatedPorts(store: Store, config: Config): OperatedPorts {
  const clock = systemClock
  const limits = limiter(store, clock)
  const counted = quotas(store, limits, config.quotas, clock)
  // Servers find by themselves what is written here.
  const nothing = (): void => undefined
  const wake = {
    runs: nothing,
    events: nothing,
    deliveries: nothing,
    mails: nothing,
    knowledge: nothing,
    payments: nothing,
  }
  const within: EffectPorts = { quotas: counted, wake, waiting: waiting(clock) }
  const also: Parameters<typeof withEffects>[3] = (writes) => alsoCommitted(writes, clock.now())
  const sender = openSender({ allow: [], userAgent: 'Abode' })
  const acting = withEffects(store, effects, () => within, also)
  return {
    store: withLargeValues(acting, collections, () => ({ clock, quotas: counted })),
    clock,
    limiter: limits,
    quotas: counted,
    models: openModels({ ...config, guarded: sender, operator: sender }),
    async settle() {
      await limits.settle()
      await counted.settle()
      await sender.close()
    },
  }
}
