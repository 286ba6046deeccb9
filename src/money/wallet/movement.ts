import { platformAccount, providerAccount, refundsAccount, type Posting } from './ledger.ts'
import { countedCents, type Transaction } from './transaction.ts'
import { isWallet } from './wallet.ts'

/** A line of a wallet that a movement adds. */
export interface Line extends Pick<Transaction, 'kind' | 'amount_cents' | 'description'> {
  wallet: string
  /** By default posted. */
  status?: Transaction['status']
  char_id?: string | null
  task_id?: string | null
  run_id?: string | null
  reference?: string | null
  /** The id of the line, if something else refers to it. */
  id?: string
}

/** An existing line whose status changes. */
export interface Settled extends Pick<Transaction, 'id' | 'amount_cents'> {
  wallet: string
  from: Transaction['status']
  to: Transaction['status']
}

/** A movement of money, with one cause. */
export interface Movement {
  /** Entered once, no matter who brings it and how often. */
  cause: string
  currency: string
  postings: readonly Posting[]
  /** What the wallets show of it, in this order. */
  lines: readonly Line[]
  /** Earlier lines that it posts, or ends as failed. */
  settles?: readonly Settled[]
}

/**
 * Checks that the books still balance: the postings sum to zero, and the lines of each wallet match
 * the change of its available money.
 * @throws RangeError if they do not, or an amount is not a whole number of cents
 */
export function checkMovement(movement: Movement): void {
  const { cause, postings, lines, settles = [] } = movement
  const wrong = (what: string): never => {
    throw new RangeError(`${cause}: ${what}`)
  }
  const areWhole = [...postings, ...lines, ...settles].every(({ amount_cents }) =>
    Number.isSafeInteger(amount_cents),
  )
  if (!areWhole) wrong('an amount is not a whole number of cents')
  // Sums of many safe integers need not be safe themselves.
  if (sumOf(postings) !== 0n) wrong('the postings do not sum to zero')
  const strange = postings.find(({ account }) => !isAccount(account))
  if (strange) wrong(`there is no account ${strange.account}`)
  for (const wallet of walletsOf(movement)) {
    if (!isWallet(wallet)) wrong(`there is no wallet ${wallet}`)
    const own = postings.filter((one) => one.account === wallet && one.bucket === 'available')
    const shown = [
      ...lines.map(({ status = 'posted', ...line }) => ({
        wallet: line.wallet,
        amount_cents: countedCents({ ...line, status }),
      })),
      ...settles.map((line) => ({ wallet: line.wallet, amount_cents: settledCents(line) })),
    ]
    const isShown = sumOf(shown.filter((one) => one.wallet === wallet)) === sumOf(own)
    if (!isShown) wrong(`the lines of ${wallet} do not show what its postings do`)
  }
}

/** The wallets that a movement changes, or adds lines to. */
export function walletsOf({ postings, lines, settles = [] }: Movement): Set<string> {
  const posted = postings.map(({ account }) => account).filter(isWallet)
  const shown = [...lines, ...settles].map(({ wallet }) => wallet)
  return new Set([...posted, ...shown])
}

function settledCents({ amount_cents, from, to }: Settled): number {
  return countedCents({ amount_cents, status: to }) - countedCents({ amount_cents, status: from })
}

function sumOf(amounts: readonly { amount_cents: number }[]): bigint {
  return amounts.reduce((sum, { amount_cents }) => sum + BigInt(amount_cents), 0n)
}

/** Accounts that are not wallets have no document: their balance is the sum of their postings. */
function isAccount(account: string): boolean {
  if (account === refundsAccount || account === platformAccount) return true
  return isWallet(account) || account.startsWith(providerAccount(''))
}
