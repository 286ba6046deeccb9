import type { Ports } from '#src/core/context.ts'
import { Refusal, refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { PaymentsFailed, type CheckoutLine } from '#src/ports/payments.ts'
import type { Checkout, StoredCheckout } from './checkout.ts'

/** How long a page waits for its payer: a person may have to be found first. Providers allow a day. */
const openSeconds = 23 * 3600
/**
 * The first look-up comes soon, so that a payer who paid at once is not kept waiting by a lost event.
 */
export const firstLookSeconds = 10

/** What is to be paid, and by whom. */
export interface Payable extends Pick<
  StoredCheckout,
  'kind' | 'account_id' | 'order_id' | 'by_key'
> {
  line: CheckoutLine
}

/**
 * Opens a hosted page at the provider. The caller inserts the result in `checkouts`: a page whose
 * address was never given out is never paid, and expires.
 * @throws Refusal `provider_unavailable`
 */
export async function openedCheckout(
  ports: Pick<Ports, 'payments' | 'settings' | 'clock' | 'log'>,
  { line, ...payable }: Payable,
): Promise<StoredCheckout> {
  const { payments, settings, clock } = ports
  const { account_id } = payable
  const now = clock.now()
  const id = newId('chk')
  const opened = await reached(ports, async () => {
    const customer = account_id === null ? null : await payments.customer(account_id)
    return payments.openCheckout({
      id,
      line,
      customer,
      account_id,
      done_url: `${settings.publicUrl}/pay/done`,
      cancel_url: `${settings.publicUrl}/pay/cancelled`,
      expires_at: new Date(now.getTime() + openSeconds * 1000),
    })
  })
  const { amount_cents, currency } = 'price' in line ? line.price : line
  return {
    id,
    url: opened.url,
    status: 'open',
    expires_at: opened.expires_at,
    ...payable,
    price_id: 'price' in line ? line.price.id : null,
    amount_cents,
    currency,
    session: opened.session,
    payment: null,
    transaction: null,
    created_at: timestamp(now),
    due_at: secondsAfter(now, firstLookSeconds),
    looks: 0,
  }
}

/** A checkout as its payer sees it. */
export function publicCheckout({ id, url, status, expires_at }: StoredCheckout): Checkout {
  return { id, url, status, expires_at }
}

/**
 * The answer of the provider.
 * @throws Refusal `provider_unavailable` where it does not
 */
export async function reached<T>({ log }: Pick<Ports, 'log'>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof PaymentsFailed)) throw cause
    log.warn('the payment provider did not carry out a request', { cause })
    if (cause.outcome === 'refused') return refusedBy(cause)
    throw new Refusal('provider_unavailable', 'The payment provider cannot be reached.', {
      hint: 'Nothing was charged and nothing was kept: try again later.',
      retryAfterSeconds: 30,
      cause,
    })
  }
}

/** Such as an amount below its minimum. */
function refusedBy(cause: PaymentsFailed): never {
  return refuse('provider_unavailable', 'The payment provider refused the request.', {
    hint: 'Nothing was charged and nothing was kept. Repeating the same request does not help: the operator finds the reason in the log.',
    cause,
  })
}
