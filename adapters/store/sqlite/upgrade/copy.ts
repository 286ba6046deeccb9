import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from '#adapters/store/unusable.ts'

/**
 * Copies a database as it is before it gets another form, into one file next to it. Called while the caller holds the
 * lock, so that nothing is written after the copy.
 * @returns the path of the copy
 * @throws StoreUnusable where there is no room for it: the database is left as it is
 */
export function copyBefore(path: string, form: number): string {
  const to = `${path}-form${form}`
  const draft = `${to}.draft`
  try {
    rmSync(draft, { force: true })
    // Before there is anything in it: it is for its owner alone.
    closeSync(openSync(draft, 'wx', 0o600))
    using reader = new DatabaseSync(path, { readOnly: true })
    reader.prepare('VACUUM INTO ?').run(draft)
    chmodSync(draft, 0o600)
    synced(draft)
    renameSync(draft, to)
    synced(dirname(to))
    return to
  } catch (cause) {
    rmSync(draft, { force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StoreUnusable(
      `The database ${path} is to be upgraded, and cannot be copied to ${to} first: ${reason}. ` +
        'Make room for a second one there; nothing was changed.',
      { cause },
    )
  }
}

function synced(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
