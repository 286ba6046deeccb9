import { emptyDatabase, inDatabase, prefixOf, runVariable } from './databases.ts'

/** Which of this worker's databases are in use. */
const taken = new Set<number>()

export interface TakenDatabase {
  uri: string
  /** Lets the next who asks have it. */
  giveBack(): void
}

/**
 * An empty database of this worker's. To make the collections and indexes of a store takes MongoDB
 * longer than most tests take, so each database is made once and emptied for the next use, also by the
 * next test file: a worker runs one file at a time.
 */
export async function takeDatabase(server: string): Promise<TakenDatabase> {
  let number = 0
  while (taken.has(number)) number += 1
  taken.add(number)
  const { VITEST_POOL_ID: worker, [runVariable]: run } = process.env
  if (!worker || !run) throw new Error('only a run of the tests shares databases')
  const uri = inDatabase(server, `${prefixOf(run)}${worker}_${number}`)
  await emptyDatabase(uri)
  return { uri, giveBack: () => void taken.delete(number) }
}
