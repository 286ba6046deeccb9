import { always, maybe } from './kinds.ts'
import { webAddress } from './network.ts'
import { folder, headerText, wholeNumber, wrong, type Read } from './values.ts'

/** Where backups are kept: a folder of this machine, or a bucket, below a prefix of its names. */
export type BackupPlace = { folder: string } | Bucket

export interface Bucket {
  bucket: string
  /** Empty, or with its last slash. */
  prefix: string
}

/** How a bucket is reached. */
export interface BucketAccess {
  region: string
  /** Of a service that is not Amazon's. */
  endpoint: string | undefined
  /** If absent, what the machine has: a role, or a profile. */
  keys: { id: string; secret: string; token: string | undefined } | undefined
}

const rule = 'must be the path of a folder, or s3://BUCKET or s3://BUCKET/PREFIX'
const bucketName = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]{0,500}))?$/

/** The place that a text names. */
export const backupPlace: Read<BackupPlace> = (text) => {
  const [, bucket, path = ''] = bucketName.exec(text) ?? []
  if (bucket !== undefined) {
    const prefix = path.replace(/\/+$/, '')
    return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
  }
  return text === '' || text.includes('://') ? wrong(rule, text) : { folder: folder(text) }
}

/** The settings of backups that a server takes by itself, and of where they are kept. */
export const backups = {
  ABODE_BACKUP: maybe(backupPlace, {
    default: 'none',
    unit: 'folder, or `s3://BUCKET/PREFIX`',
    meaning: 'Where the store is backed up to.',
  }),
  ABODE_BACKUP_HOURS: always(wholeNumber(1, 8760), {
    default: '24',
    unit: 'hours',
    meaning: 'How often.',
  }),
  ABODE_BACKUP_KEEP: always(wholeNumber(1, 10_000), {
    default: '7',
    unit: 'backups',
    meaning: 'How many stay there.',
  }),
  AWS_ENDPOINT_URL_S3: maybe(webAddress, {
    default: "Amazon's",
    unit: 'URL',
    meaning: 'The service with the bucket, if it is not Amazon.',
  }),
  AWS_REGION: always(headerText, {
    default: 'us-east-1',
    unit: 'text',
    meaning: 'Its region.',
  }),
  AWS_ACCESS_KEY_ID: maybe(headerText, {
    default: "the machine's",
    unit: 'text',
    meaning: 'Who writes there.',
  }),
  AWS_SECRET_ACCESS_KEY: maybe(headerText, {
    default: "the machine's",
    unit: 'text',
    meaning: 'The secret of that key.',
    isSecret: true,
  }),
  AWS_SESSION_TOKEN: maybe(headerText, {
    default: 'none',
    unit: 'text',
    meaning: 'The token of a key that ends.',
    isSecret: true,
  }),
}

/** A key of a bucket's service, where there is one. */
export function keysOf(
  id: string | undefined,
  secret: string | undefined,
  token: string | undefined,
): BucketAccess['keys'] {
  return id === undefined || secret === undefined ? undefined : { id, secret, token }
}
