import { createECDH } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

/** Turns the text of a setting into its value. @throws Wrong */
export type Read<T> = (text: string) => T

/** One thing that is wrong with a text: what is expected, and the part that breaks the rule, if any. */
export interface Mistake {
  rule: string
  part?: string
}

/** A text that is not a valid value, with everything that is wrong with it. */
export class Wrong extends Error {
  override readonly name = 'Wrong'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ rule }) => rule).join('; '))
    this.mistakes = mistakes
  }
}

export function wrong(rule: string, part: string): never {
  throw new Wrong([{ rule, part }])
}

export function wholeNumber(least: number, most: number): Read<number> {
  return (text) => {
    const value = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : -1
    if (value >= least && value <= most) return value
    return wrong(`must be a whole number from ${least} to ${most}`, text)
  }
}

/** How many; auto is as many as the machine can run at once. */
export function countOrAuto(most: number): Read<number> {
  return (text) => {
    if (text === 'auto') return Math.min(availableParallelism(), most)
    const value = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= most) return value
    return wrong(`must be auto or a whole number from 1 to ${most}`, text)
  }
}

/** A number of bytes; off means none. */
export const bytesOrOff: Read<number> = (text) =>
  text === 'off' ? 0 : wholeNumber(1, 2 ** 50)(text)

export function oneOf<const T extends string>(words: readonly T[]): Read<T> {
  return (text) => words.find((word) => word === text) ?? wrong(mustBeOneOf(words), text)
}

export function mustBeOneOf(words: readonly string[]): string {
  return `must be one of ${words.join(', ')}`
}

export const onOrOff: Read<boolean> = (text) => oneOf(['off', 'on'])(text) === 'on'

/** Items between commas, with every mistake of every item; empty for an empty text. */
export function listOf<T>(item: Read<T>): Read<T[]> {
  return (text) => {
    const values: T[] = []
    const mistakes: Mistake[] = []
    for (const part of text === '' ? [] : text.split(',')) {
      try {
        values.push(item(part))
      } catch (error) {
        if (!(error instanceof Wrong)) throw error
        mistakes.push(...error.mistakes)
      }
    }
    if (mistakes.length > 0) throw new Wrong(mistakes)
    return values
  }
}

/** A list that names nothing twice. */
export function distinct<T>(list: Read<T[]>, nameOf: (item: T) => string): Read<T[]> {
  return (text) => {
    const items = list(text)
    const names = items.map(nameOf)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    return twice === undefined ? items : wrong('must name each only once', twice)
  }
}

/** `name=value`, where the name is known; a text that is not a pair is answered with the rule. */
export function pairOf<N extends string, T>(
  names: readonly N[],
  value: Read<T>,
  rule: string,
): Read<[N, T]> {
  return (text) => {
    const at = text.indexOf('=')
    if (at < 0) return wrong(rule, text)
    const name = oneOf(names)(text.slice(0, at))
    try {
      return [name, value(text.slice(at + 1))]
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      throw new Wrong(error.mistakes.map((one) => ({ rule: `${name} ${one.rule}`, part: text })))
    }
  }
}

/** A text that a header can carry unchanged. */
export const headerText: Read<string> = (text) =>
  /^[!-~]+$/.test(text) ? text : wrong('must be printable ASCII without spaces', text)

export const folder: Read<string> = (text) =>
  text.includes('\0') ? wrong('must be the path of a folder', text) : resolve(text)

/** The absolute path of a program; undefined for `off`. */
export const programOrOff: Read<string | undefined> = (text) => {
  if (text === 'off') return undefined
  return /^\/[^\0]+$/.test(text)
    ? text
    : wrong('must be off or the absolute path of a program', text)
}

export const json: Read<unknown> = (text) => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Reported below, without the text that the parser quotes.
  }
  return wrong('must be a JSON object or array', text)
}

const keyBytes = 32

/** 32 bytes as 64 hexadecimal digits, or as base64 in either alphabet. */
export const masterKey: Read<Buffer> = (text) => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  const key = Buffer.from(text, 'base64')
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text) && key.length === keyBytes) return key
  return wrong('must be 32 bytes, as 64 hexadecimal digits or as base64', text)
}

export interface ModelName {
  provider: string
  model: string
}

/** `provider/model`; the name of the model may itself contain slashes. */
export function modelOf(providers: readonly string[]): Read<ModelName> {
  return (text) => {
    const at = text.indexOf('/')
    const [provider, model] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
    if (providers.includes(provider) && /^[!-~]+$/.test(model)) return { provider, model }
    return wrong(`must be provider/model with one of ${providers.join(', ')} as provider`, text)
  }
}

/** A private key of P-256 in base64url, as programs for web push make them. */
export const vapidKey: Read<string> = (text) => {
  const bytes = Buffer.from(text, 'base64url')
  const isOne = /^[A-Za-z0-9_-]{43}$/.test(text) && isKeyOfCurve(bytes)
  return isOne ? text : wrong('must be a private key of P-256: 32 bytes as base64url', text)
}

function isKeyOfCurve(bytes: Buffer): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(bytes)
    return true
  } catch {
    return false
  }
}
