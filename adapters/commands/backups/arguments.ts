import { backupPlace, type BackupPlace } from '#adapters/config/backup.ts'
import { Wrong } from '#adapters/config/values.ts'
import { numberOf, parsed, Misused } from '../arguments.ts'
import { calledAs } from '../called.ts'

/** How many backups stay; if it is not said, as the settings say. */
const kept = { standard: undefined, most: 10_000 }

export const backupUsage = `${calledAs('backup')} [--to PLACE] [--keep N] [--json]

Backs the embedded store of DATA_DIR up while servers use it: the database as it is at one moment, and
its files, together at PLACE: a folder, which is made where it is missing, or s3://BUCKET/PREFIX. The N
newest backups stay there. Without --to and --keep it is done as ABODE_BACKUP and ABODE_BACKUP_KEEP say.
The master key is not in it: keep a copy of that in another place.
A database of MongoDB is backed up with its own tools, such as mongodump.
`

export const restoreUsage = `${calledAs('restore')} --from BACKUP [--to FOLDER] [--json]
${calledAs('restore')} --go-on [--to FOLDER] [--json]

Puts a backup, or the newest one at a place of backups, into a data folder without a store: DATA_DIR,
or FOLDER. Every file is compared with what was backed up first. A server on it answers, but fires
nothing and runs nothing, until --go-on and another start: what it would do may have been done already.
The master key is that of the backup, in master.key there or in ABODE_MASTER_KEY.
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

export interface BackupAsked {
  /** If absent, where the server backs up to. */
  to: BackupPlace | undefined
  /** If absent, as many as the server keeps. */
  keep: number | undefined
  isJson: boolean
}

export interface RestoreAsked {
  from: BackupPlace | undefined
  to: string | undefined
  goesOn: boolean
  isJson: boolean
}

/** @returns undefined where only help is asked for. @throws Misused */
export function backupAsked(words: readonly string[]): BackupAsked | undefined {
  const { values, positionals } = parsed(words, { to: text, keep: text, json: flag, help: flag })
  if (values.help || positionals.join(' ') === 'help') return undefined
  if (positionals.length > 0) throw new Misused('Say where to: --to PLACE.')
  return {
    to: placeOf('--to', values.to),
    keep: numberOf('--keep', values.keep, kept),
    isJson: values.json === true,
  }
}

/** @returns undefined where only help is asked for. @throws Misused */
export function restoreAsked(words: readonly string[]): RestoreAsked | undefined {
  const options = { from: text, to: text, 'go-on': flag, json: flag, help: flag }
  const { values, positionals } = parsed(words, options)
  if (values.help || positionals.join(' ') === 'help') return undefined
  const from = placeOf('--from', values.from)
  const goesOn = values['go-on'] === true
  if (positionals.length > 0 || goesOn === (from !== undefined)) {
    throw new Misused('Say either which backup, --from BACKUP, or --go-on.')
  }
  return { from, to: nameOf('--to', values.to), goesOn, isJson: values.json === true }
}

function placeOf(option: string, value: string | undefined): BackupPlace | undefined {
  if (value === undefined) return undefined
  try {
    return backupPlace(value)
  } catch (cause) {
    if (cause instanceof Wrong) throw new Misused(`${option} ${cause.message}.`)
    throw cause
  }
}

function nameOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (value !== '' && !value.includes('://')) return value
  throw new Misused(`${option} is a folder of this machine.`)
}
