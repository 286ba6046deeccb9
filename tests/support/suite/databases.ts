import { randomBytes } from 'node:crypto'
import { dropDatabasesOf, runVariable } from '../mongodb/databases.ts'

/** Before all test files: names the databases that they share. */
export function setup(): void {
  process.env[runVariable] = randomBytes(4).toString('hex')
}

/** After all of them: removes those databases. */
export async function teardown(): Promise<void> {
  const { MONGODB_URI: server, [runVariable]: run } = process.env
  if (server && run) await dropDatabasesOf(server, run)
}
