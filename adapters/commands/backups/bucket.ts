import type * as S3 from '@aws-sdk/client-s3'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Bucket, BucketAccess } from '#adapters/config/backup.ts'
import { BackupUnusable, backupName, manifestIn, manifestName, newestFirst } from './manifest.ts'

/** The service of a bucket refuses something, or does not answer. */
export class BucketUnavailable extends Error {
  override readonly name = 'BucketUnavailable'
}

const connectsWithinMs = 10_000
/** Without a byte. */
const silentAtMostMs = 60_000
/** The smallest part that such services take, but the last. */
const partBytes = 8 * 1024 * 1024

/** Backups in a bucket: each below its name, complete once its list is there, which is written last and removed first. */
export class BackupBucket {
  readonly #sdk: typeof S3
  readonly #client: S3.S3Client
  readonly #at: Bucket

  private constructor(sdk: typeof S3, client: S3.S3Client, at: Bucket) {
    this.#sdk = sdk
    this.#client = client
    this.#at = at
  }

  static async open(at: Bucket, { region, endpoint, keys }: BucketAccess): Promise<BackupBucket> {
    const sdk = await import('@aws-sdk/client-s3')
    const client = new sdk.S3Client({
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(keys && {
        credentials: {
          accessKeyId: keys.id,
          secretAccessKey: keys.secret,
          ...(keys.token !== undefined && { sessionToken: keys.token }),
        },
      }),
      // Other services than Amazon's do not know the checksums that it added.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: connectsWithinMs, socketTimeout: silentAtMostMs },
    })
    return new BackupBucket(sdk, client, at)
  }

  [Symbol.dispose](): void {
    this.#client.destroy()
  }

  /** Sends a complete backup. @param folder its own, whose name it keeps @returns its address */
  async send(folder: string, name: string): Promise<string> {
    const { Upload } = await import('@aws-sdk/lib-storage')
    const { files } = await manifestIn(folder)
    for (const path of [...files.map((file) => file.path), manifestName]) {
      const target = { Bucket: this.#at.bucket, Key: this.#keyOf(name, path) }
      const Body = createReadStream(join(folder, path))
      const upload = new Upload({
        client: this.#client,
        params: { ...target, Body },
        partSize: partBytes,
        queueSize: 1,
      })
      await this.#asked(upload.done()).finally(() => Body.destroy())
    }
    return `s3://${this.#at.bucket}/${this.#at.prefix}${name}`
  }

  /** The names of the complete backups, the newest first. */
  async names(): Promise<string[]> {
    const end = `/${manifestName}`
    const names: string[] = []
    for await (const key of this.#keysBelow('abode-')) {
      const name = key.slice(this.#at.prefix.length).slice(0, -end.length)
      if (key.endsWith(end) && backupName.test(name)) names.push(name)
    }
    return newestFirst(names)
  }

  async remove(name: string): Promise<void> {
    const { DeleteObjectCommand } = this.#sdk
    const keys = await Array.fromAsync(this.#keysBelow(`${name}/`))
    const last = this.#keyOf(name, manifestName)
    for (const Key of keys.toSorted((a) => (a === last ? -1 : 1))) {
      await this.#asked(
        this.#client.send(new DeleteObjectCommand({ Bucket: this.#at.bucket, Key })),
      )
    }
  }

  /** Fetches a backup into an empty folder: its list, and what that names. @throws BackupUnusable */
  async fetch(name: string, into: string): Promise<void> {
    await this.#fetchFile(name, manifestName, into)
    const { files } = await manifestIn(into)
    for (const { path } of files) await this.#fetchFile(name, path, into)
  }

  async #fetchFile(name: string, path: string, into: string): Promise<void> {
    const { GetObjectCommand, NoSuchKey } = this.#sdk
    const command = new GetObjectCommand({
      Bucket: this.#at.bucket,
      Key: this.#keyOf(name, path),
    })
    try {
      const { Body } = await this.#client.send(command)
      const target = join(into, path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await using file = await open(target, 'wx', 0o600)
      // In Node, a body is a stream of Node.
      if (Body instanceof Readable) await pipeline(Body, file.createWriteStream())
    } catch (cause) {
      if (!(cause instanceof NoSuchKey)) throw unavailable(cause)
      throw new BackupUnusable(`${path} is missing in ${name}.`, { cause })
    }
  }

  async *#keysBelow(rest: string): AsyncGenerator<string> {
    const { paginateListObjectsV2 } = this.#sdk
    const below = { Bucket: this.#at.bucket, Prefix: this.#at.prefix + rest }
    try {
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client: this.#client },
        below,
      )) {
        yield* Contents.flatMap(({ Key }) => Key ?? [])
      }
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  #keyOf(name: string, path: string): string {
    return `${this.#at.prefix}${name}/${path}`
  }

  async #asked<T>(asked: Promise<T>): Promise<T> {
    return asked.catch((cause: unknown) => {
      throw unavailable(cause)
    })
  }
}

function unavailable(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof BackupUnusable) return cause
  const isOfDisk = 'syscall' in cause && 'path' in cause
  if (isOfDisk || cause instanceof BucketUnavailable) return cause
  return new BucketUnavailable(`${cause.name}: ${cause.message}`, { cause })
}
