import { GridFSBucket, ObjectId, type Binary, type Db } from 'mongodb'
import { isFileId, type Files } from '#src/ports/files.ts'
import { type Gate, reading } from './gate.ts'

const bucketName = 'files'
/** A photo is stored in one piece or a few. */
const pieceBytes = 2 ** 20
const writing = { wrote: () => true }

interface Piece {
  _id: ObjectId
  files_id: string
  n: number
  data: Binary
}

/**
 * Files stored next to the documents, in a GridFS bucket of the same database, over the same
 * connection.
 */
export function gridFiles(db: Db, gate: Gate): Files {
  const bucket = new GridFSBucket(db, { bucketName, chunkSizeBytes: pieceBytes })
  const heads = db.collection<{ _id: string }>(`${bucketName}.files`)
  const pieces = db.collection<Piece>(`${bucketName}.chunks`)
  const remove = async (ids: readonly string[]): Promise<void> => {
    await heads.deleteMany({ _id: { $in: [...ids] } })
    await pieces.deleteMany({ files_id: { $in: [...ids] } })
  }
  return {
    async put(id, bytes) {
      const key = keyOf(id)
      await gate.pass(() => uploaded(bucket, key, bytes), writing)
    },
    async read(id, range) {
      const key = keyOf(id)
      return gate.pass(() => downloaded(bucket, key, range), reading)
    },
    async delete(ids) {
      for (const id of ids) keyOf(id)
      if (ids.length > 0) await gate.pass(() => remove(ids), writing)
    },
    async keptBefore(time, after, limit) {
      if (limit < 1) return []
      // By their first pieces, so that files whose head was never written are found too.
      const found = await gate.pass(
        () =>
          pieces
            .find({ n: 0, files_id: { $gt: after }, _id: { $lt: madeAt(time) } })
            .project<Pick<Piece, 'files_id'>>({ files_id: 1 })
            .sort({ files_id: 1 })
            .limit(limit)
            .toArray(),
        reading,
      )
      return found.map(({ files_id }) => files_id)
    },
    // The store owns the connection and closes it.
    close: () => Promise.resolve(),
  }
}

/** The lowest key of a piece that was created at that time or later. */
function madeAt(time: Date): ObjectId {
  return ObjectId.createFromTime(Math.floor(time.getTime() / 1000))
}

/** The driver accepts keys of any type, but its type declarations only one. */
function keyOf(id: string): ObjectId {
  if (!isFileId(id)) throw new RangeError('this is not the id of a file')
  return id as unknown as ObjectId
}

async function uploaded(bucket: GridFSBucket, key: ObjectId, bytes: Uint8Array): Promise<void> {
  const stream = bucket.openUploadStreamWithId(key, '')
  try {
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject)
      stream.end(bytes, resolve)
    })
  } catch (cause) {
    // If the server is unavailable, a later sweep removes what is left.
    await stream.abort().catch(() => undefined)
    throw cause
  }
}

async function downloaded(
  bucket: GridFSBucket,
  key: ObjectId,
  range: { start: number; end: number } | undefined,
): Promise<Uint8Array | undefined> {
  const [head] = await bucket.find({ _id: key }).limit(1).toArray()
  if (!head) return undefined
  const start = Math.min(range?.start ?? 0, head.length)
  const end = Math.min(range?.end ?? head.length, head.length)
  if (start >= end) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of bucket.openDownloadStream(key, { start, end })) {
      // The stream yields buffers.
      chunks.push(chunk as Buffer)
    }
  } catch (cause) {
    // It was deleted after its head was read.
    if (await isGone(bucket, key)) return undefined
    throw cause
  }
  return Buffer.concat(chunks)
}

async function isGone(bucket: GridFSBucket, key: ObjectId): Promise<boolean> {
  const [head] = await bucket.find({ _id: key }).limit(1).toArray()
  return !head
}
