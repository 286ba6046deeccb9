import type { Equivalents } from '../equivalents.ts'

export const payments: readonly Equivalents[] = [
  {
    file: 'src/money/orders/state.ts',
    why: 'A caller without an account has undefined, not null, and never equals a missing buyer.',
    changes: [
      {
        line: 'const isBuyer = order.buyer_id !== null && order.buyer_id === context.caller.accountId',
        was: 'order.buyer_id !== null',
        becomes: 'true',
      },
    ],
  },
  {
    file: 'src/money/orders/state.ts',
    why: 'No order has either id.',
    changes: [
      {
        line: "const order = await store.orders.get(order_id ?? '')",
        was: "''",
        becomes: '"Stryker was here!"',
      },
    ],
  },
  {
    file: 'src/money/payments/credit.ts',
    why: 'Nothing else that is booked has the id of a wallet.',
    changes: [
      {
        line: "if (write.in !== 'wallets') continue",
        was: "write.in !== 'wallets'",
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/money/payments/credit.ts',
    why: 'A booking sets what a wallet has available.',
    changes: [
      {
        line: 'return write.change.$set?.available_cents ?? null',
        was: 'write.change.$set?.available_cents',
        becomes: 'write.change.$set.available_cents',
      },
    ],
  },
  {
    file: 'src/money/wallet/book.ts',
    why: 'It spares a commit that would change nothing.',
    changes: [
      {
        line: 'if (writes.length > 0) await store.commit(writes)',
        was: 'writes.length > 0',
        becomes: 'true',
      },
      {
        line: 'if (writes.length > 0) await store.commit(writes)',
        was: 'writes.length > 0',
        becomes: 'writes.length >= 0',
      },
    ],
  },
  {
    file: 'src/money/wallet/booking-writes.ts',
    why: 'A wallet that is not there is an empty one, whether it is known as undefined or not at all.',
    changes: [
      {
        line: 'for (const [id, wallet] of before) if (wallet) held.set(id, wallet)',
        was: 'wallet',
        becomes: 'true',
      },
    ],
  },
  {
    file: 'src/money/wallet/booking-writes.ts',
    why: 'Every wallet of a movement and of its lines is there once it is entered.',
    changes: [
      {
        line: 'if (wallet) writes.push(bound(known, wallet))',
        was: 'wallet',
        becomes: 'true',
      },
      {
        line: 'const balance = left.get(line.wallet) ?? wallets.get(line.wallet)?.available_cents ?? 0',
        was: 'wallets.get(line.wallet)?.available_cents',
        becomes: 'wallets.get(line.wallet).available_cents',
      },
    ],
  },
  {
    file: 'src/money/wallet/lines.ts',
    why: 'A page that others follow has a last line, and no line is ever deleted.',
    changes: [
      {
        line: "const { id = '' } = shown.at(-1) ?? {}",
        was: "''",
        becomes: '"Stryker was here!"',
      },
      {
        line: 'return { rows: shown, next: sealCursor(order, [found?.[0] ?? 0, id]) }',
        was: 'found?.[0]',
        becomes: 'found[0]',
      },
    ],
  },
  {
    file: 'src/money/wallet/lines.ts',
    why: 'It is only which index is used.',
    changes: [
      {
        line: 'if (kind !== undefined && char_id !== undefined) return { char_kind: charKind(char_id, kind) }',
        was: 'kind !== undefined && char_id !== undefined',
        becomes: 'false',
      },
    ],
  },
]
