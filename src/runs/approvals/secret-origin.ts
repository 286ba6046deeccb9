import { roleNeeded } from '#src/core/authorization/account-roles.ts'
import { beyondScope } from '#src/core/authorization/beyond-scope.ts'
import { isOwner } from '#src/agents/tasks/policy/owner-only.ts'
import { unpermittedOf, type Unpermitted } from '#src/agents/secrets/permits.ts'
import { asRead } from '#src/agents/secrets/remove.ts'
import { withOrigins } from '#src/agents/secrets/stored-secrets.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Reach } from '#src/agents/access.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { Unavailable, type Store, type Write } from '#src/ports/store.ts'
import type { Parking } from '../ending/park.ts'
import type { StoredRun } from '../run.ts'
import type { StoredApproval } from './approval.ts'
import { approvalParking } from './open.ts'
import { ownersPart } from './person.ts'

/** How many secrets and origins one approval is about; the follow-up run asks for the rest. */
const askedAtMost = 20

/**
 * What holds a run before a secret is sent where its owner has not said that it may go: an approval that
 * only the owner decides. Undefined if there is no such secret.
 */
export async function heldForSecrets(
  ports: Pick<Ports, 'store' | 'sealer' | 'clock' | 'settings'>,
  run: StoredRun,
  task: StoredTask,
): Promise<Parking | undefined> {
  const asked = (await unsaid(ports, task)).slice(0, askedAtMost)
  if (asked.length === 0) return undefined
  const terms = {
    kind: 'secret_origin',
    prompt: questionOf(run, task, asked),
    approvers: [],
    needed: 1,
    requirePerson: false,
    allowEdit: false,
    timeoutSeconds: null,
    fallbackAgentId: null,
    onReject: 'abandon',
    secretOrigins: asked,
  } as const
  return approvalParking(ports, run, task, terms, ports.clock.now())
}

async function unsaid(
  ports: Pick<Ports, 'store' | 'sealer' | 'clock'>,
  task: StoredTask,
): Promise<Unpermitted[]> {
  try {
    return await unpermittedOf(ports, task)
  } catch (cause) {
    if (cause instanceof Unavailable) throw cause
    // A seal that cannot be opened fails the run where its secret is used; nothing is permitted until then.
    return []
  }
}

function questionOf(run: StoredRun, task: StoredTask, asked: readonly Unpermitted[]): string {
  const all = asked.map(({ secret, origin }) =>
    origin === 'local'
      ? `give the secret "${secret}" to a command`
      : `send the secret "${secret}" to ${origin}`,
  )
  return `May the task "${task.name}" of the agent "${run.char_id}" ${all.join(', and ')}? Approved, it may from now on.`
}

/**
 * The voice of the owner on where a secret goes.
 * @throws Refusal `owner_only` for a key that acts as an agent, `insufficient_scope` for a program that may not manage
 *   the account, `role_needed` for a person who is no owner, `forbidden` for another account
 */
export function ownersVoice({ caller }: Reach, approval: StoredApproval): string {
  if (caller.accountId !== approval.owner_id) {
    return refuse('forbidden', 'The secret belongs to another account.')
  }
  if (isOwner(caller)) return caller.accountId
  if (caller.role) throw roleNeeded(caller.role, ownersPart.roles, ownersPart.doing)
  const message = 'Only the owner of the secret decides where it goes.'
  if (caller.connection && caller.charId === undefined) {
    throw beyondScope(caller.connection, 'admin', message)
  }
  return refuse('owner_only', message, {
    hint: "The account's own key may, and an owner who is signed in; a key that acts as an agent may not, even one with rights.",
  })
}

/** The writes that let the secrets of an approval go where it says, and by how many bytes they grow. */
export async function originsAllowed(
  { store }: { store: Pick<Store, 'secrets'> },
  { char_id, secret_origins = [] }: StoredApproval,
): Promise<{ writes: Write[]; bytes: number }> {
  const shelf = await store.secrets.get(char_id)
  if (!shelf) return { writes: [], bytes: 0 }
  const next = withOrigins(shelf, secret_origins)
  const bytes = sizeOf(next) - sizeOf(shelf)
  return { writes: [{ in: 'secrets', update: asRead(shelf), replace: next }], bytes }
}
