import type { Write } from '#src/ports/store.ts'
import { eventWrite } from '../emit.ts'
import { anyListens, listens } from './account-log.ts'

/** What a write means to those who listen to an account. */
interface Meant {
  type: string
  ownerId: string
  charId: string | null
  data: Record<string, unknown>
}

/**
 * The events that writes of a commit mean to those who listen to their accounts, for the same commit. Other
 * happenings are events of the platform already.
 */
export function alsoLogged(writes: readonly Write[], now: Date): Write[] {
  if (!anyListens()) return []
  return writes.flatMap((write) => {
    const meant = meantBy(write)
    if (!meant || !listens(meant.ownerId, now.getTime())) return []
    return [eventWrite({ ...meant, appId: null }, now)]
  })
}

/** The events that agents or apps are deleted, to those who listen to their accounts. */
export function deletionLogged(
  kind: 'agent' | 'app',
  gone: readonly { id: string; owner_id: string }[],
  now: Date,
): Write[] {
  return gone
    .filter(({ owner_id }) => listens(owner_id, now.getTime()))
    .map(({ id, owner_id: ownerId }) => {
      const data = kind === 'agent' ? { char_id: id } : { app_id: id }
      return eventWrite({ type: `${kind}.deleted`, ownerId, charId: null, appId: null, data }, now)
    })
}

function meantBy(write: Write): Meant | undefined {
  if (write.in === 'notices' && 'insert' in write) {
    const { id, owner_id: ownerId, char_id: charId, type: notice, message, ...rest } = write.insert
    const { task_id, run_id, approval_id } = rest
    const about = { char_id: charId, task_id, run_id, approval_id }
    return {
      type: 'notice.created',
      ownerId,
      charId,
      data: { notice_id: id, notice, message, ...about },
    }
  }
  // Named by their collections, of which this district knows the owners alone.
  if (write.in === 'characters') return ownedBy(write, 'agent', 'char_id')
  return write.in === 'apps' ? ownedBy(write, 'app', 'app_id') : undefined
}

function ownedBy(write: Write, kind: string, member: string): Meant | undefined {
  const isNew = 'insert' in write
  const whole: unknown = isNew ? write.insert : 'replace' in write ? write.replace : undefined
  if (typeof whole !== 'object' || whole === null) return undefined
  if (!('id' in whole && 'owner_id' in whole)) return undefined
  const [id, ownerId] = [String(whole.id), String(whole.owner_id)]
  const data = { [member]: id }
  return { type: `${kind}.${isNew ? 'created' : 'changed'}`, ownerId, charId: null, data }
}
