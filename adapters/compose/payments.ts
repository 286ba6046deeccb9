import type { Ports } from '#src/core/context.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { PaymentEvent, Payments } from '#src/ports/payments.ts'
import type { Store } from '#src/ports/store.ts'
import { handled } from '#src/money/payments/handle.ts'
import { admitted } from './admitted.ts'
import type { Config } from '#adapters/config/read.ts'
import { screenPage } from '#adapters/http/html/screen-page.ts'
import type { Intake } from '#adapters/http/intake/intake.ts'
import type { Page } from '#adapters/http/page.ts'
import { endedScreenAt } from '#adapters/payments/ended.ts'
import { openStripe } from '#adapters/payments/stripe/provider.ts'
import { testScreenAt } from '#adapters/payments/test/pages/screens.ts'
import { notice } from '#adapters/payments/test/pages/words.ts'
import { testPrices } from '#adapters/payments/test/prices.ts'
import { openTestPayments } from '#adapters/payments/test/provider.ts'

interface Around {
  store: Store
  clock: Clock
  publicUrl: () => string
  /** Receives what the test provider would send by webhook. */
  tell: (event: PaymentEvent) => Promise<void>
}

/** Without a provider's key, the built-in provider takes payments, and charges no one. */
export function openPayments({ stripe, prices = testPrices }: Config, around: Around): Payments {
  const { secretKey, webhookSecret, apiBase } = stripe
  if (secretKey !== undefined && webhookSecret !== undefined) {
    return openStripe({ secretKey, webhookSecret, apiBase, clock: around.clock })
  }
  return openTestPayments({ ...around, prices, currency: prices[0]?.currency ?? 'usd' })
}

/** Events of the test provider are handled at once; those that fail are retried later by the loop. */
export function toldTo(ports: () => Ports): (event: PaymentEvent) => Promise<void> {
  return async (event) => {
    try {
      await handled(ports(), event)
    } catch (cause) {
      ports().log.warn('an event of the test provider was not handled', {
        about: event.about,
        cause,
      })
      throw cause
    }
  }
}

/** The payment pages: those shown after a payment, and those of the test provider. */
export function paymentPages(ports: Ports, intake: Intake): (path: string) => Page | undefined {
  const { store, clock, payments, settings } = ports
  const terms = { store, clock, tell: toldTo(() => ports) }
  const page = {
    count: (address: string) => admitted(ports, { subject: undefined, address }),
    publicUrl: () => settings.publicUrl,
    intake,
  }
  return (path) => {
    if (!path.startsWith('/pay/')) return undefined
    const ended = endedScreenAt(path, payments.isTest ? notice : undefined)
    const isOurs = payments.name === 'test'
    const screen = ended ?? (isOurs ? testScreenAt(terms, path) : undefined)
    return screen && screenPage(screen, page)
  }
}
