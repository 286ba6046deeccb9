import type { Engine } from '../engine.ts'
import type { Among } from './among.ts'

/*
 * SQLite reads all documents of all members and sorts them. These are two ways that read no more
 * than a page needs: along all documents, newest first, where those of the members are among the
 * newest; else from the newest of each member on.
 */

/** How many index entries can be read in the time of one look-up of a member. */
const entriesAMember = 3
/** How many can be read in the fixed time that the other way takes in addition to its look-ups. */
const entriesAround = 150
/** The first step reads this multiple of the wanted rows. */
const firstStep = 2

/** How often ids are read again if another process has deleted one of them in the meantime. */
const triesAtMost = 5

/** The rows of the newest documents with these columns, newest first. */
export function newestRows(engine: Engine, among: Among, columns: string): unknown[] {
  const sql =
    `SELECT ${columns} FROM ${among.table} ` +
    'WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC'
  for (let tried = 1; ; tried++) {
    const ids = walked(engine, among) ?? merged(engine, among)
    const rows = engine.statement(sql).all(JSON.stringify(ids))
    // A page that is too short would be taken for the last one.
    if (rows.length === ids.length || tried === triesAtMost) return rows
  }
}

/** Walks along all documents; undefined as soon as that turns out to be the slower way. */
function walked(engine: Engine, among: Among): string[] | undefined {
  const { members, limit } = among
  const most = entriesAround + entriesAMember * members.size
  const found: string[] = []
  let looked = 0
  let before = among.before
  for (let step = Math.min(firstStep * limit, most); ;) {
    const rows = entries(engine, among, before, step)
    for (const [id, member] of rows) {
      if (member !== null && members.has(member)) found.push(id)
      if (found.length === limit) return found
    }
    if (rows.length < step) return found
    looked += rows.length
    // At this rate, finding all that is wanted would take too many reads.
    if (looked * limit > most * found.length) return undefined
    step = Math.ceil(((limit - found.length) * looked) / found.length) + limit
    before = rows.at(-1)?.[0]
  }
}

function entries(
  engine: Engine,
  { table, at, walking }: Among,
  before: string | undefined,
  limit: number,
): [id: string, member: string | null][] {
  const older = before === undefined ? '' : ' WHERE id < ?'
  const sql = `SELECT id, ${at} FROM ${table} INDEXED BY ${walking}${older} ORDER BY id DESC LIMIT ? + 0`
  const values = before === undefined ? [limit] : [before, limit]
  // The columns were named here; the index is over texts.
  return engine.statement(sql).all(...values) as unknown as [string, string | null][]
}

/**
 * Merges the members' newest documents: a page holds none older than the newest of each of `limit`
 * members.
 */
function merged(engine: Engine, among: Among): string[] {
  const { table, at, seeking, members, before, limit } = among
  const bound = before === undefined ? [] : [before]
  const older = before === undefined ? '' : ' AND id < ?'
  const from = `FROM ${table} INDEXED BY ${seeking} WHERE ${at} = member.value${older}`
  const heads = engine
    .statement(
      `SELECT member.value, (SELECT max(id) ${from}) AS newest FROM json_each(?) AS member ` +
        'ORDER BY newest DESC LIMIT ? + 0',
    )
    .all(...bound, JSON.stringify([...members]), limit)
  // The columns were named here.
  const known = (heads as unknown as [string, string | null][]).filter(([, id]) => id !== null)
  // If some members have no documents, everything of the others may be wanted.
  const oldest = known.length < limit ? '' : (known.at(-1)?.[1] ?? '')
  const rows = engine
    .statement(
      `SELECT one.id FROM json_each(?) AS member JOIN ${table} AS one ON one.rowid IN ` +
        `(SELECT rowid ${from} AND id >= ? ORDER BY id DESC LIMIT ? + 0) ` +
        'ORDER BY one.id DESC LIMIT ? + 0',
    )
    .all(JSON.stringify(known.map(([member]) => member)), ...bound, oldest, limit, limit)
  return (rows as unknown as [string][]).map(([id]) => id)
}
