import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Loss } from '#src/ports/store.ts'

/** Where it stands what was found missing, until a person has removed it. */
export function lossFileOf(path: string): string {
  return `${path}-missing`
}

/**
 * Compares what the database holds with what was durable before, inside the transaction that opens it:
 * what is missing is written down, so that later starts say so too, and is counted as if it were there,
 * so that it is found once.
 * @param noted what the note said before the database was looked at
 * @returns how many commits are missing
 */
export function missingCommits(database: DatabaseSync, noted: number | undefined): number {
  database.exec('INSERT INTO commits SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM commits)')
  const there = Number(database.prepare('SELECT count FROM commits').get()?.count)
  if (noted === undefined || noted <= there) return 0
  database.prepare('UPDATE commits SET count = ?').run(noted)
  return noted - there
}

/** Writes down that so many are missing, beside what was found before. */
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

/** What was found missing, and not yet seen to. */
export function readLoss(path: string): Loss | undefined {
  const file = lossFileOf(path)
  if (!existsSync(file)) return undefined
  const told = { commits: 0, noticed_at: '' }
  try {
    const { commits, noticed_at } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Loss>
    if (Number.isSafeInteger(commits)) told.commits = commits ?? 0
    if (typeof noticed_at === 'string') told.noticed_at = noticed_at
  } catch {
    // That it is there says enough.
  }
  return { ...told, file }
}
