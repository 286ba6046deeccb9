import { hidden } from '#src/core/text/text.ts'

/** The shown part of a log entry. */
export interface ShownEntry {
  created_at: string
  action: string
  target_type: string
  target_id: string
  by: string
  /** The handle of a moderator. */
  moderator?: string
  reason: string
}

/** The shown part of a dossier. */
export interface ShownDossier {
  type: string
  facts: Readonly<Record<string, unknown>>
  flags: readonly { reason: string; count: number; weight: number }[]
  log: readonly ShownEntry[]
}

const allHidden = new RegExp(hidden.source, 'gv')

/**
 * Text written by others must not move the cursor, set colours or change the direction of text:
 * invisible characters are escaped, line breaks included.
 */
export function printable(text: string): string {
  return text.replaceAll(allHidden, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

/** One line of JSON that is safe on a terminal. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string): string =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  return JSON.stringify(value).replaceAll(allHidden, escaped)
}

/** A log entry on one line. */
export function entryLine(entry: ShownEntry): string {
  const { created_at, action, target_type, target_id, reason, moderator } = entry
  const by = moderator === undefined ? entry.by : `${entry.by} @${moderator}`
  const target = target_type === 'identity' ? `@${target_id}` : target_id
  return printable(`${created_at}  ${action} ${target} by ${by}: ${reason}`)
}

/** A dossier in lines: facts, the text indented, flags, and past actions. */
export function dossierLines({ type, facts, flags, log }: ShownDossier): string[] {
  const width = Math.max(...Object.keys(facts).map((name) => name.length)) + 2
  const { body, ...short } = facts
  return [
    `${type}:`,
    ...Object.entries(short).map(([name, value]) => `  ${name.padEnd(width)}${oneLine(value)}`),
    ...(typeof body === 'string' ? ['body:', ...indented(body)] : []),
    'flags:',
    ...orNone(flags.map(({ reason, count, weight }) => `  ${count} ${reason}, weight ${weight}`)),
    'log:',
    ...orNone(log.map((entry) => `  ${entryLine(entry)}`)),
  ]
}

function oneLine(value: unknown): string {
  return typeof value === 'string' ? printable(value) : jsonLine(value)
}

function indented(text: string): string[] {
  return text.split(/\r\n|\n/).map((line) => `  | ${printable(line)}`)
}

function orNone(lines: string[]): string[] {
  return lines.length > 0 ? lines : ['  none']
}
