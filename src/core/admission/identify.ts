import { rolesWith, roleNeeded } from '../authorization/account-roles.ts'
import { beyondScope } from '../authorization/beyond-scope.ts'
import type { Heading } from '../door.ts'
import { anonymous, mayDo, type Caller, type HandleCaller, type KeyCaller } from './caller.ts'
import { namesAgent } from '../commons/writer.ts'
import type { Ports } from '../context.ts'
import { Refusal } from '../errors.ts'
import { beginsSession, scopeOf, takesAgent } from '../operation-facts.ts'
import { type Operation } from '../operation.ts'
import { call } from '../words/reference.ts'
import type { Callers } from './callers.ts'
import { wayToHandle, wayToKey } from './sign-up.ts'

/**
 * The caller of an operation, in the form that the operation expects.
 * @throws Refusal `unauthenticated`, `invalid_credential`, `token_revoked`, `scope_forbidden`, `insufficient_scope`,
 *   `person_needed`, `role_needed`, `account_suspended`, `forbidden` for an account that the person is no member of, and those of the Commons
 */
export async function callerFor(
  ports: Pick<Ports, 'members' | 'settings'>,
  known: Callers,
  heading: Heading,
): Promise<Caller> {
  const { operation: op, address } = heading
  const identified = identifiedBy(known, heading)
  if (op.auth === 'none') {
    if (!identified) return anonymous
    // An open operation needs no credential, so it ignores a wrong one too.
    return identified.then(
      (caller) => (refusedTo(op, caller) ? anonymous : caller),
      (cause: unknown) => {
        if (cause instanceof Refusal && cause.kind === 'unauthenticated') return anonymous
        throw cause
      },
    )
  }
  const { signUp } = ports.settings
  // Whether what it asks for is open to everybody is known only once its input has been read.
  if (!identified && op.keyless) return anonymous
  if (!identified) throw unauthenticated(op, ports.settings)
  const caller = await identified
  const refused = refusedTo(op, caller)
  if (refused) throw refused
  if (op.auth === 'commons') {
    // Its agent is named in the input.
    return takesAgent(op) && namesAgent(caller) ? caller : ports.members.admit(caller, address)
  }
  if (caller.kind === 'handle') {
    throw new Refusal('scope_forbidden', `A Commons handle may not call ${call(op.name)}.`, {
      hint: `It needs an API key. ${wayToKey(signUp)}`,
    })
  }
  checkScope(op, caller)
  return caller
}

/**
 * Checks again who called and has waited since: a credential that ended meanwhile is told nothing that has happened.
 * @throws Refusal as `callerFor`, and for an open operation too where the credential has ended
 */
export async function stillAdmitted(
  ports: Pick<Ports, 'members' | 'settings'>,
  known: Callers,
  heading: Heading,
  { kind, accountId }: Caller,
): Promise<void> {
  if (kind === 'anonymous') return
  const now = await identifiedBy(known, heading)
  // A session that acts for another account by now is not told what has happened in the one before.
  if (now?.accountId !== accountId && kind === 'key') throw noLongerMember()
  await callerFor(ports, known, heading)
}

function noLongerMember(): Refusal {
  return new Refusal('forbidden', 'You act for another account by now.', {
    hint: '<auth.me> says for which one.',
  })
}

/** The refusal of a program that was not allowed this, or of a person whose role does not allow it. */
function refusedTo(op: Operation, caller: KeyCaller | HandleCaller): Refusal | undefined {
  const scope = scopeOf(op)
  if (caller.kind !== 'key' || mayDo(caller, scope)) return undefined
  const { connection, role } = caller
  if (connection) {
    return beyondScope(connection, scope, `${call(op.name)} needs the scope "${scope}".`)
  }
  if (role === undefined || op.ofPerson) return undefined
  return roleNeeded(role, rolesWith(scope), `call ${call(op.name)}`)
}

function checkScope(op: Operation, caller: KeyCaller): void {
  if (op.auth === 'person' && caller.personId === undefined) {
    throw new Refusal('person_needed', `Only a signed-in person may call ${call(op.name)}.`, {
      hint: 'Give the claim link to a person; they sign in there.',
    })
  }
  if (caller.charId !== undefined && op.scope !== 'agent') {
    throw new Refusal(
      'scope_forbidden',
      `A key that acts as one agent may not call ${call(op.name)}.`,
      {
        hint: 'Use an unscoped key of the account.',
      },
    )
  }
}

function identifiedBy(
  known: Callers,
  { operation: op, credential, session, address }: Heading,
): Promise<KeyCaller | HandleCaller> | undefined {
  // A person who signs in again acts for no account yet; their previous session ends.
  if (beginsSession(op)) return session && known.signedIn({ token: session.token })
  if (credential !== undefined) return known.identify(credential, address)
  return session && known.signedIn(session)
}

/** The refusal of a call without the credential that its operation needs. */
export function unauthenticated(
  op: Operation,
  { signUp }: Pick<Ports['settings'], 'signUp'>,
): Refusal {
  if (op.auth === 'person') {
    return new Refusal('unauthenticated', `${call(op.name)} needs a signed-in person.`, {
      hint: '<auth.login> signs in, and the answer sets a cookie.',
    })
  }
  const [message, hint] =
    op.auth === 'commons'
      ? [`${call(op.name)} needs a Commons handle or the key of an agent.`, wayToHandle(signUp)]
      : [`${call(op.name)} needs an API key.`, wayToKey(signUp)]
  // A body is not read before its sender is known, so a key in it is not seen.
  const own = 'One that you have goes into the header Authorization, not into the input.'
  return new Refusal('unauthenticated', message, { hint: `${own} ${hint}` })
}
