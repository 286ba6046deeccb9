import { sealer } from '#src/core/seal.ts'
import type { Store } from '#src/ports/store.ts'
import { checkOf, rotationId } from '#adapters/compose/master-key.ts'

/** Says that a rotation has begun, and holds its new key, which only the old one opens. */
export interface RotationRecord {
  /** The new key as hexadecimal digits, sealed under the old one. */
  sealed: string
  /** The check of the new key. */
  check: string
}

const binding = { id: rotationId, purpose: rotationId }

export function recordOf(old: Buffer, fresh: Buffer): RotationRecord {
  const sealed = sealer(old).seal(fresh.toString('hex'), binding)
  return { sealed, check: checkOf(fresh) }
}

/** The new key of a rotation; undefined if `old` is not the key that the rotation began with. */
export function newKeyIn({ sealed }: RotationRecord, old: Buffer): Buffer | undefined {
  try {
    return Buffer.from(sealer(old).open(sealed, binding), 'hex')
  } catch {
    return undefined
  }
}

export async function recordIn({ meta }: Store): Promise<RotationRecord | undefined> {
  const kept = await meta.get(rotationId)
  // What `keepRecord` has written.
  return kept && (JSON.parse(kept.value) as RotationRecord)
}

/** @throws DuplicateKey if a rotation has begun already */
export async function keepRecord({ meta }: Store, record: RotationRecord): Promise<void> {
  await meta.insert({ id: rotationId, value: JSON.stringify(record) })
}

export async function dropRecord({ meta }: Store): Promise<void> {
  await meta.delete({ id: rotationId })
}
