import { chmod } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from '#adapters/store/unusable.ts'

/** All pages in one step: what others write meanwhile would make it begin again. */
const allPages = 2_147_483_647

/**
 * Copies a database, as it is at one moment, into one file for its owner alone, while others use it.
 * @param facts the id of the fact of the store that is given back, and of the one that says it is not whole, with the
 * words for that
 * @returns the form of the database, and the fact
 * @throws StoreUnusable where it is damaged, or no server has begun it
 */
export async function databaseCopied(
  from: string,
  to: string,
  facts: { id: string; partId: string; partWords: string },
): Promise<{ form: number; fact: string }> {
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  await backup(source, to, { rate: allPages })
  await chmod(to, 0o600)
  using copy = new DatabaseSync(to)
  // Without a log it is one file.
  copy.exec('PRAGMA journal_mode=DELETE')
  const [checked] = Object.values(copy.prepare('PRAGMA quick_check(1)').get() ?? {})
  if (checked !== 'ok') {
    throw new StoreUnusable(`The database ${from} is damaged: ${String(checked)}`)
  }
  const form = Number(copy.prepare('PRAGMA user_version').get()?.user_version)
  const sql = "SELECT doc ->> '$.value' AS value FROM meta WHERE id = ?"
  const read = copy.prepare(sql)
  if (read.get(facts.partId)) throw new StoreUnusable(facts.partWords)
  const fact = read.get(facts.id)?.value
  if (typeof fact === 'string') return { form, fact }
  throw new StoreUnusable(`No server has created a store in ${from}.`)
}
