import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Loss } from '#src/ports/store.ts'

/** The file that records missing commits, until a person removes it. */
export function lossFileOf(path: string): string {
  return `${path}-missing`
}

/**
 * Compares the commits in the database with those that were durable before, inside the transaction that
 * opens it. Missing commits are recorded, so that later starts report them too, and are counted as
 * present, so that they are found only once.
 * @param noted the number in the note before the database was opened
 * @returns how many commits are missing
 */
export function missingCommits(database: DatabaseSync, noted: number | undefined): number {
  database.exec('INSERT INTO commits SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM commits)')
  const there = Number(database.prepare('SELECT count FROM commits').get()?.count)
  if (noted === undefined || noted <= there) return 0
  database.prepare('UPDATE commits SET count = ?').run(noted)
  return noted - there
}

/** Records missing commits, in addition to those found before. */
export function keepLoss(path: string, commits: number, now: Date): void {
  const before = readLoss(path)
  const loss = { commits: commits + (before?.commits ?? 0), noticed_at: now.toISOString() }
  const file = openSync(lossFileOf(path), 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(loss)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The recorded loss that no person has handled yet. */
export function readLoss(path: string): Loss | undefined {
  const file = lossFileOf(path)
  if (!existsSync(file)) return undefined
  const told = { commits: 0, noticed_at: '' }
  try {
    const { commits, noticed_at } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Loss>
    if (Number.isSafeInteger(commits)) told.commits = commits ?? 0
    if (typeof noticed_at === 'string') told.noticed_at = noticed_at
  } catch {
    // The existence of the file says enough.
  }
  return { ...told, file }
}
