import type { Write } from '#src/ports/store.ts'
import { call } from '#src/core/words/reference.ts'
import type { ApiKey } from './account.ts'
import { noticeTo } from './notice.ts'

type Named = Pick<ApiKey, 'id' | 'name' | 'account_id' | 'scope_char_id'>

/** What to do about a key of a thief. */
const otherwise = (key_id: string): string =>
  `If it was not you: ${call('api_keys.revoke', { key_id })}.`

/** The notice of a new key, so that its owner hears of one that a thief has made. @param by as `byWhom` says it */
export function keyCreated(
  { id, name, account_id, scope_char_id }: Named,
  now: Date,
  by = '',
): Write {
  const whose = scope_char_id === null ? 'for the whole account' : `that acts as "${scope_char_id}"`
  const message = `The key "${name}" (${id}) ${whose} was made${by}. ${otherwise(id)}`
  return noticeTo(account_id, 'key.created', message, { char_id: scope_char_id }, now)
}

/** The notice of a key that was used from a network that is new to it. */
export function keyElsewhere(
  { id, name, account_id, scope_char_id }: Named,
  network: string,
  now: Date,
): Write {
  const message = `The key "${name}" (${id}) was used from a new network, ${network}. ${otherwise(id)}`
  return noticeTo(account_id, 'key.new_network', message, { char_id: scope_char_id }, now)
}
