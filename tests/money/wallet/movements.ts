import type { Store } from '#src/ports/store.ts'
import { booked } from '#src/money/wallet/book.ts'
import { bookingOf } from '#src/money/wallet/booking-writes.ts'
import { providerAccount } from '#src/money/wallet/ledger.ts'
import { walletsOf, type Line, type Movement } from '#src/money/wallet/movement.ts'

/** Whole things that happen to money, as payments and orders book them. */
export const provider = providerAccount('test')

const line = (wallet: string, kind: Line['kind'], amount_cents: number): Line => ({
  wallet,
  kind,
  amount_cents,
  description: `A ${kind}`,
})

export function topUp(wallet: string, cents: number, cause: string): Movement {
  return {
    cause,
    currency: 'eur',
    postings: [
      { account: provider, bucket: 'available', amount_cents: -cents },
      { account: wallet, bucket: 'available', amount_cents: cents },
    ],
    lines: [line(wallet, 'top_up', cents)],
  }
}

export function hold(wallet: string, cents: number, cause: string): Movement {
  return {
    cause,
    currency: 'eur',
    postings: [
      { account: wallet, bucket: 'available', amount_cents: -cents },
      { account: wallet, bucket: 'held', amount_cents: cents },
    ],
    lines: [line(wallet, 'hold', -cents)],
  }
}

export function release(wallet: string, cents: number, cause: string): Movement {
  return {
    cause,
    currency: 'eur',
    postings: [
      { account: wallet, bucket: 'held', amount_cents: -cents },
      { account: wallet, bucket: 'available', amount_cents: cents },
    ],
    lines: [line(wallet, 'release', cents)],
  }
}

export function charge(wallet: string, seller: string, cents: number, cause: string): Movement {
  return {
    cause,
    currency: 'eur',
    postings: [
      { account: wallet, bucket: 'held', amount_cents: -cents },
      { account: seller, bucket: 'available', amount_cents: cents },
    ],
    lines: [
      line(wallet, 'release', cents),
      line(wallet, 'charge', -cents),
      line(seller, 'earning', cents),
    ],
  }
}

export interface Named {
  wallet: string
  cents: number
  id: string
}

/** Money that is under way, shown by a line of that id. */
export function underWay({ wallet, cents, id }: Named): Movement {
  return {
    cause: `${id}/under-way`,
    currency: 'eur',
    postings: [
      { account: provider, bucket: 'available', amount_cents: -cents },
      { account: wallet, bucket: 'pending', amount_cents: cents },
    ],
    lines: [{ ...line(wallet, 'top_up', cents), id, status: 'pending' }],
  }
}

export function arrived({ wallet, cents, id }: Named): Movement {
  return {
    cause: `${id}/arrived`,
    currency: 'eur',
    postings: [
      { account: wallet, bucket: 'pending', amount_cents: -cents },
      { account: wallet, bucket: 'available', amount_cents: cents },
    ],
    lines: [],
    settles: [{ id, wallet, amount_cents: cents, from: 'pending', to: 'posted' }],
  }
}

export function lost({ wallet, cents, id }: Named): Movement {
  return {
    cause: `${id}/lost`,
    currency: 'eur',
    postings: [
      { account: wallet, bucket: 'pending', amount_cents: -cents },
      { account: provider, bucket: 'available', amount_cents: cents },
    ],
    lines: [],
    settles: [{ id, wallet, amount_cents: cents, from: 'pending', to: 'failed' }],
  }
}

/** What is held goes back to where it came from, which takes a while. */
export function refundBegun({ wallet, cents, id }: Named): Movement {
  return {
    cause: `${id}/begun`,
    currency: 'eur',
    postings: [
      { account: wallet, bucket: 'held', amount_cents: -cents },
      { account: 'refunds', bucket: 'available', amount_cents: cents },
    ],
    lines: [
      line(wallet, 'release', cents),
      { ...line(wallet, 'refund', -cents), id, status: 'pending' },
    ],
  }
}

export function refundDone({ wallet, cents, id }: Named): Movement {
  return {
    cause: `${id}/done`,
    currency: 'eur',
    postings: [
      { account: 'refunds', bucket: 'available', amount_cents: -cents },
      { account: provider, bucket: 'available', amount_cents: cents },
    ],
    lines: [],
    settles: [{ id, wallet, amount_cents: -cents, from: 'pending', to: 'posted' }],
  }
}

export function refundFailed({ wallet, cents, id }: Named): Movement {
  return {
    cause: `${id}/failed`,
    currency: 'eur',
    postings: [
      { account: 'refunds', bucket: 'available', amount_cents: -cents },
      { account: wallet, bucket: 'available', amount_cents: cents },
    ],
    lines: [line(wallet, 'adjustment', cents)],
    settles: [{ id, wallet, amount_cents: -cents, from: 'pending', to: 'failed' }],
  }
}

/** Books movements as everybody does. */
export function book(store: Store, ...movements: Movement[]): Promise<boolean> {
  const wallets = movements.flatMap((movement) => [...walletsOf(movement)])
  return booked({ store }, wallets, () => bookingOf(store, movements, new Date()))
}
