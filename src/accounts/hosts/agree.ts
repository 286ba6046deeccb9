import type { Account } from '../account.ts'
import { recorded } from '../audit/commit.ts'
import { asMember } from '../members/bound.ts'
import { byWhom } from '../members/who.ts'
import { noticeTo } from '../notice.ts'
import { roleIn, roleNeeded } from '#src/core/authorization/account-roles.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { call } from '#src/core/words/reference.ts'
import type { Write } from '#src/ports/store.ts'
import {
  agreed,
  clientDays,
  connectionsAtMost,
  type Agreement,
  type StoredConnection,
} from './connection.ts'

/** Who agrees, and from where. */
export interface Agreeing extends Pick<Context, 'store' | 'clock' | 'address'> {
  sessionId: string
}

/**
 * Connects a program to an account, as its person has agreed: a program that they have connected to the same agent or
 * account keeps its connection, with what is agreed to now.
 * @param grantOf what the authorization server keeps of the grant with this id
 * @throws Refusal `forbidden` if the person is no member of the account or it has no such agent; `role_needed` if they
 * are no owner of it; `quota_exceeded`
 */
export async function agree(
  { store, clock, address, sessionId }: Agreeing,
  agreement: Agreement,
  grantOf: (id: string, before: StoredConnection | undefined) => Promise<string>,
): Promise<StoredConnection> {
  const { personId } = agreement
  return retryUnmet(async () => {
    const now = clock.now()
    const accountId = agreement.accountId ?? newId('acc')
    const made = { ...agreement, accountId }
    const before = await connectionOf(store, made)
    const bound =
      agreement.accountId === null
        ? opened(made, now)
        : await bindings(store, made, before === undefined)
    const id = before?.id ?? newId('con')
    const connection = agreed(id, made, await grantOf(id, before), now, before)
    const writes: Write[] = [
      ...bound,
      before
        ? { in: 'connections', update: { id }, replace: connection }
        : { in: 'connections', insert: connection },
      ...(before ? [] : [connectionMade(connection, await byWhom(store, { personId }), now)]),
    ]
    const actor = { kind: 'person', person_id: personId, session_id: sessionId } as const
    const { char_id } = connection
    const about = { connection_id: id, ...(char_id !== null && { char_id }) }
    const note = { operation: 'connections.create', about, changed: ['scopes'] }
    await recorded({ store, clock }, { accountId, actor, network: address }, note, (chained) =>
      store.commit([...writes, ...chained]),
    )
    await keepClient({ store }, connection, now)
    return connection
  })
}

/** An agreement about an account that is known. */
type Made = Agreement & { accountId: string }

/** The writes of a new account that the person holds. */
function opened({ accountId: id, personId, program }: Made, now: Date): Write[] {
  const account: Account = {
    id,
    kind: 'agent',
    plan: 'free',
    holder_id: personId,
    name: program.name,
    created_at: timestamp(now),
  }
  return [
    { in: 'accounts', insert: account },
    { in: 'usage', insert: { id, agents: 0, apps: 0, bytes: 0 } },
  ]
}

/** The connection that this person has made of this program to this account or agent. */
async function connectionOf(
  { connections }: Pick<Context['store'], 'connections'>,
  { program, accountId, personId, charId }: Made,
): Promise<StoredConnection | undefined> {
  const same = { person_id: personId, client_id: program.client_id, account_id: accountId }
  const options = { sort: { id: -1 }, limit: 1 } as const
  const [found] = await connections.find({ ...same, char_id: charId }, options)
  return found
}

/** Writes that fail unless the person is still an owner of the account, and it still has the agent. */
async function bindings(
  { accounts, memberships, characters, connections }: Context['store'],
  { accountId, personId, charId }: Made,
  isNew: boolean,
): Promise<Write[]> {
  const account = await accounts.get(accountId)
  const role = await roleIn({ memberships }, account, personId)
  if (!account || role === undefined) {
    return refuse('forbidden', 'You are no member of this account now.')
  }
  if (role !== 'owner') throw roleNeeded(role, ['owner'], 'connect programs to it')
  if (isNew && (await connections.count({ account_id: accountId })) >= connectionsAtMost) {
    return refuse('quota_exceeded', `An account has at most ${connectionsAtMost} connections.`, {
      hint: 'End one that is not needed in the settings.',
    })
  }
  const writes: Write[] = [asMember(account, personId, role)]
  if (charId === null) return writes
  const agent = await characters.get(charId)
  if (agent?.owner_id !== accountId) {
    return refuse('forbidden', `The account has no agent "${charId}".`)
  }
  const isThere = { in: 'characters', update: { id: charId, owner_id: accountId } } as const
  return [...writes, { ...isThere, change: { $set: { owner_id: accountId } } }]
}

/** A program that has registered itself is kept for as long as it is connected, which is looked at when this is over. */
async function keepClient(
  { store }: Pick<Context, 'store'>,
  { client_id: id }: StoredConnection,
  now: Date,
): Promise<void> {
  const expires_at = secondsAfter(now, clientDays * 86_400)
  await store.oauth_clients.update({ id }, { $set: { expires_at } })
}

/** The notice of a new connection, so that its owner hears of one that someone else has made. */
function connectionMade(
  { id, name, host, char_id, account_id, scopes }: StoredConnection,
  by: string,
  now: Date,
): Write {
  const who = host === null ? `A program that calls itself "${name}"` : `"${name}" (${host})`
  const whose = char_id === null ? 'the whole account' : `the agent "${char_id}"`
  const message =
    `${who} was connected to ${whose}${by}, and may ${scopes.join(', ')}. ` +
    `If it was not you: a signed-in person ends it in the settings, or by ${call('connections.revoke', { id })}.`
  return noticeTo(account_id, 'connection.created', message, { char_id }, now)
}
