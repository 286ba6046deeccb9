import type * as z from 'zod'
import { pageOperations } from '#src/catalog/pages.ts'
import { roleIn, type AccountRole } from '#src/core/authorization/account-roles.ts'
import type { Core } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Auth } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Visitor } from '#src/core/html/view.ts'
import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import type { SessionChange } from '#src/core/admission/session.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'
import type { Renewing } from '#src/agents/connections/renew.ts'
import type { AttemptPorts } from '#src/accounts/people/attempt.ts'
import { namedAtMost } from '#src/accounts/people/holdings.ts'
import type { Person } from '#src/accounts/people/person.ts'
import type { Paths } from './paths.ts'

/** What the pages depend on. */
export interface Terms {
  core: Core
  paths: Paths
  store: Store
  clock: Clock
  /** Who may register. */
  signUp: SignUp
  /** Whether mails are sent here. */
  hasMail: boolean
  /** By what persons sign in. */
  entrance: AttemptPorts
  /** By what agents are connected to servers of others. */
  consents: Renewing
}

/** The answer of an operation, or its refusal. */
export type Told<T> =
  | { value: T; session: SessionChange | undefined; refusal?: undefined }
  | { refusal: Refusal }

/** What an operation answers. */
export type AnswerOf<Op extends { output: z.ZodType }> = z.output<Op['output']>

interface Asked {
  visitor: Visitor
  /** The account that the person acts for, if it is not the one that their session has chosen. */
  accountId?: string | undefined
  idempotencyKey?: string | undefined
  /** The revision that is to be changed: another is refused. */
  expected?: number | undefined
}

/** Calls an operation as the person who is signed in, with the limits and rules of every caller. */
export async function told<I extends z.ZodObject, O extends z.ZodObject, A extends Auth>(
  { core }: Terms,
  asked: Operation<I, O, A>,
  input: z.input<I>,
  { visitor, accountId, idempotencyKey, expected }: Asked,
): Promise<Told<z.output<O>>> {
  // The server's own version of it: who may register, for example, depends on its configuration.
  const { name, internal } = asked
  const operation = internal ? asked : core.catalog.find((op) => op.name === name)
  if (!operation) throw new TypeError(`there is no operation ${name}`)
  const { session, address, userAgent, requestId } = visitor
  const serve = () =>
    core.serve({
      operation,
      input,
      credential: undefined,
      session: session && { ...session, accountId },
      address,
      userAgent,
      requestId,
      idempotencyKey,
      expected,
    })
  // A form that is sent twice at once is told what the first has done, also where that takes several commits.
  const { answer, refusal } = await (idempotencyKey === undefined
    ? serve()
    : inTurn(`form ${session?.token} ${idempotencyKey}`, serve))
  if (refusal) return { refusal }
  // The text is the operation's answer.
  return { value: JSON.parse(answer.text) as z.output<O>, session: answer.session }
}

/** The same, where a page cannot handle a refusal. @throws Refusal */
export async function answered<I extends z.ZodObject, O extends z.ZodObject, A extends Auth>(
  ...asked: Parameters<typeof told<I, O, A>>
): Promise<z.output<O>> {
  const one = await told(...asked)
  if (one.refusal) throw one.refusal
  return one.value
}

/** An account that a person is a member of. */
export interface HeldAccount {
  id: string
  name: string | null
  /** Created with the person. */
  own: boolean
  /** What they are in it. */
  role: AccountRole
}

/** The person who is signed in, and their accounts. */
export interface Me {
  person: Person
  session: { id: string; account_id: string | null }
  /** The account that the person acts for. */
  account_id: string
  /** One page of the accounts. */
  accounts: HeldAccount[]
  next_cursor: string | null
}

/** The account to act for, and the requested page of the accounts. */
interface Looked {
  accountId?: string | undefined
  cursor?: string | undefined
}

/**
 * The person who is signed in; undefined if no one is, or no longer.
 * @throws Refusal `forbidden` for an account that they are no member of; `cursor_invalid`, `unavailable`, …
 */
export async function whoIs(
  terms: Terms,
  visitor: Visitor,
  { accountId, cursor }: Looked = {},
): Promise<Me | undefined> {
  if (!visitor.session) return undefined
  const page = { limit: namedAtMost, ...(cursor !== undefined && { cursor }) }
  const me = await told(terms, pageOperations.me, page, { visitor, accountId })
  if (!me.refusal) return me.value
  if (isSignedOut(me.refusal)) return undefined
  throw me.refusal
}

/** The same for pages that are for everyone, and so for the person of a suspended account too. */
export async function whoVisits(terms: Terms, visitor: Visitor): Promise<Me | undefined> {
  return whoIs(terms, visitor).catch((cause: unknown) => {
    if (cause instanceof Refusal && cause.code === 'account_suspended') return undefined
    throw cause
  })
}

/** The account that the person acts for; it need not be on the shown page of accounts. */
export async function accountOf(
  { store }: Terms,
  { person, account_id: id, accounts }: Me,
): Promise<HeldAccount> {
  const shown = accounts.find((account) => account.id === id)
  if (shown) return shown
  const account = await store.accounts.get(id)
  const role = (await roleIn(store, account, person.id)) ?? 'reader'
  return { id, name: account?.name ?? null, own: account?.kind === 'person', role }
}

/** Whether the reason for the refusal is that no one is signed in any more. */
export function isSignedOut({ code }: Refusal): boolean {
  return code === 'unauthenticated' || code === 'invalid_credential'
}
