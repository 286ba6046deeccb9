import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Place } from '#tests/support/stores.ts'

/** Something that a server has left, by name. */
export type Remain = readonly [name: string, bytes: Buffer]

/**
 * Everything that a server has left behind: the files of its folder as they are, and every row of its
 * database, which a file may hold in pieces.
 */
export async function remainsOf({ folder, uri }: Place): Promise<Remain[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const inFiles = files
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }): Promise<Remain> => {
      return [name, await readFile(join(parentPath, name))]
    })
  const rows = uri === undefined ? tablesOf(join(folder, 'abode.db')) : await collectionsOf(uri)
  return [...(await Promise.all(inFiles)), ...rows]
}

function tablesOf(path: string): Remain[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return tables.map(({ name }): Remain => {
      const all = database.prepare(`SELECT * FROM "${String(name)}"`)
      // The pages of deleted words have numbers above 2^53.
      all.setReadBigInts(true)
      const rows = all.all()
      const cells = rows.flatMap((row) => Object.values(row).map(textOf))
      return [`the rows of ${String(name)}`, Buffer.from(cells.join('\n'))]
    })
  } finally {
    database.close()
  }
}

function textOf(cell: unknown): string {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell)
}

async function collectionsOf(uri: string): Promise<Remain[]> {
  const { MongoClient } = await import('mongodb')
  const client = new MongoClient(uri)
  try {
    const collections = await client.db().collections()
    return await Promise.all(
      collections.map(async (collection): Promise<Remain> => {
        const rows = await collection.find().toArray()
        return [`the rows of ${collection.collectionName}`, Buffer.from(JSON.stringify(rows))]
      }),
    )
  } finally {
    await client.close()
  }
}
