import { sealer } from '#src/core/seal.ts'
import type { Store } from '#src/ports/store.ts'
import {
  checkId,
  checkOf,
  givenKey,
  MasterKeyUnusable,
  newMasterKey,
  replaceKeyFile,
} from '#adapters/compose/master-key.ts'
import { sealedPlaces } from './places.ts'
import { dropRecord, keepRecord, newKeyIn, recordIn, recordOf } from './record.ts'
import { resealPlace } from './reseal.ts'

/** The keys given to a rotation, and the folder of the key file. */
export interface Given {
  /** From the server's settings; else the key is the one in the file. */
  configured: Buffer | undefined
  /** From the settings of this command. */
  wanted: Buffer | undefined
  folder: string
}

/** The keys of a rotation that has begun. */
export interface Rotating {
  old: Buffer
  fresh: Buffer
  /** The store accepts the new key already: only the final steps are left. */
  isSwapped: boolean
  /** This call has begun the rotation. */
  isNew: boolean
}

/**
 * Begins a rotation, or resumes an interrupted one. From here on no server can start on the store,
 * until `completeRotation` has ended the rotation.
 * @throws MasterKeyUnusable when the keys are not those of the store, or of the rotation
 */
export async function beginRotation(store: Store, given: Given): Promise<Rotating> {
  const { configured, wanted, folder } = given
  const key = await givenKey(configured, folder)
  const kept = (await store.meta.get(checkId))?.value
  const record = await recordIn(store)
  if (!record) {
    if (checkOf(key) !== kept) throw notItsKey(given)
    const fresh = wanted ?? (configured ? missing() : newMasterKey())
    if (fresh.equals(key)) throw new MasterKeyUnusable('The new master key is the old one.')
    await keepRecord(store, recordOf(key, fresh))
    return { old: key, fresh, isSwapped: false, isNew: true }
  }
  const isSwapped = kept === record.check
  // The new key is in its place already, so the last step is done.
  if (isSwapped && checkOf(key) === kept) return { old: key, fresh: key, isSwapped, isNew: false }
  const fresh = newKeyIn(record, key)
  if (!fresh) throw notItsKey(given)
  if (wanted && !wanted.equals(fresh)) {
    throw new MasterKeyUnusable(
      'A rotation to another new key has begun already: leave ABODE_NEW_MASTER_KEY out, or give that one.',
    )
  }
  return { old: key, fresh, isSwapped, isNew: false }
}

/** Undoes the start of a rotation, if nothing else was done yet. */
export async function cancelRotation(store: Store): Promise<void> {
  await dropRecord(store)
}

/**
 * Completes a rotation. At every moment the record gives the new key to anyone who has the old one, so
 * the record is removed last, when the new key is where the next start looks for it.
 */
export async function completeRotation(
  store: Store,
  { old, fresh, isSwapped }: Rotating,
  { configured, folder }: Given,
  say: (line: string) => void,
): Promise<void> {
  if (!isSwapped) {
    const sealers = { old: sealer(old), fresh: sealer(fresh) }
    for (const place of sealedPlaces) {
      const { count, broken } = await resealPlace(store, place, sealers)
      say(`${place.collection}: ${count} sealed under the new key.`)
      for (const id of broken) say(`${place.collection}/${id}: no key opens it; left as it is.`)
    }
    const change = { $set: { value: checkOf(fresh) } }
    await store.meta.update({ id: checkId, value: checkOf(old) }, change)
    say('The store takes the new key.')
  }
  if (!configured) {
    await replaceKeyFile(folder, fresh)
    say('The file of the key holds the new key.')
  }
  await dropRecord(store)
}

function missing(): never {
  throw new MasterKeyUnusable(
    'Set ABODE_NEW_MASTER_KEY to the new key: 32 bytes, as 64 hexadecimal digits or as base64.',
  )
}

function notItsKey({ configured }: Given): MasterKeyUnusable {
  const source = configured ? 'ABODE_MASTER_KEY' : 'The key in the file master.key'
  return new MasterKeyUnusable(
    `${source} is not the master key that this store has: give the old key, and the new one as ABODE_NEW_MASTER_KEY.`,
  )
}
