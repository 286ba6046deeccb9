import { parseArgs, type ParseArgsConfig } from 'node:util'
import { nearest } from '#src/core/input/nearest.ts'

/** The command-line arguments are invalid; the message says why. */
export class Misused extends Error {
  override readonly name = 'Misused'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** The options and the words between them. @throws Misused in one line */
export function parsed<O extends Options>(words: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options })
  } catch (cause) {
    // Node's message names the option and adds advice on further lines.
    const lines = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    const said = lines.map((line) => line.trim()).join(' ')
    const [, unknown] = /^Unknown option '(-[^'=]*)/.exec(said) ?? []
    if (unknown === undefined) throw new Misused(said, { cause })
    const known = Object.keys(options).map((name) => `--${name}`)
    throw new Misused(noneOf('option', unknown, known), { cause })
  }
}

/** What is said of a command or an option that is not among the known ones. */
export function noneOf(kind: 'command' | 'option', word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  const shown = JSON.stringify(word.slice(0, 60))
  return `There is no ${kind} ${shown}${meant ? `; did you mean ${meant}?` : '.'}`
}

/** An option's default and maximum; its minimum is 1. */
export interface Bound<S = number> {
  standard: S
  most: number
}

/** The number that an option gives, or its default. @throws Misused */
export function numberOf<S>(
  option: string,
  text: string | undefined,
  { standard, most }: Bound<S>,
): number | S {
  if (text === undefined) return standard
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= most) return number
  throw new Misused(`${option} is a whole number from 1 to ${most}.`)
}
