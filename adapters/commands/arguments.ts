import { parseArgs, type ParseArgsConfig } from 'node:util'
import { nearest } from '#src/core/input/nearest.ts'

/** The command-line arguments are invalid; the message says why. */
export class Misused extends Error {
  override readonly name = 'Misused'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** The options and the words between them. @throws Misused */
export function parsed<O extends Options>(words: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options })
  } catch (cause) {
    // Node's message names the option.
    throw new Misused(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** What is said of a command that is not among the known ones. */
export function noCommand(command: string, known: readonly string[]): string {
  const meant = nearest(command, known)
  return `There is no command ${JSON.stringify(command)}${meant ? `; did you mean ${meant}?` : '.'}`
}

/** An option's default and maximum; its minimum is 1. */
export interface Bound {
  standard: number
  most: number
}

/** The number that an option gives, or its default. @throws Misused */
export function numberOf(
  option: string,
  text: string | undefined,
  { standard, most }: Bound,
): number {
  if (text === undefined) return standard
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= most) return number
  throw new Misused(`${option} is a whole number from 1 to ${most}.`)
}
