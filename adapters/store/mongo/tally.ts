import type { Db, Document } from 'mongodb'
import type { StoreSizes, Tallied, Tally } from '../opened.ts'
import { mongoFilter, mongoSort } from './filter.ts'

/** The server counts; it gives up where that takes long. */
const countingMs = 1000

/** Counts documents in groups. */
export async function tallied(db: Db, tally: Tally): Promise<Tallied[]> {
  const { filter, sort, by, least, atMost } = tally
  const order = mongoSort(sort)
  const stages: Document[] = [{ $match: mongoFilter(filter) }]
  if (order) stages.push({ $sort: order })
  const values = by.map((path) => ({ $ifNull: [`$${path}`, null] }))
  stages.push(
    { $limit: atMost },
    { $group: { _id: values, count: { $sum: 1 }, least: { $min: `$${least}` } } },
  )
  const options = { maxTimeMS: countingMs }
  const found = await db.collection(tally.in).aggregate(stages, options).toArray()
  // The stages name what comes.
  return found.map((group) => ({
    by: group['_id'] as Tallied['by'],
    count: Number(group['count']),
    least: (group['least'] ?? null) as Tallied['least'],
  }))
}

/** What the server says of the database. */
export async function sizesOf(db: Db): Promise<StoreSizes> {
  const { storageSize, indexSize } = await db.command({ dbStats: 1 })
  return { data: Number(storageSize) || 0, indexes: Number(indexSize) || 0, log: 0 }
}
