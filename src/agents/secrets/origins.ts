import * as z from 'zod'
import { fixedOrigin } from '../tasks/policy/targets.ts'

/** The origin of commands on this server or in a container: a command decides itself where it sends what it is given. */
export const localOrigin = 'local'
/** How many origins a secret may have. */
export const originsAtMost = 20
/** A host has at most 253 characters. */
const charactersAtMost = 300

const written = /^https?:\/\/[^/?#@\\{}*\s]+\/?$/i
const onThisMachine = /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d+)?$/

/** What a text that is no origin is told. */
export const originWords =
  'must be https://host or https://host:port with nothing after it, or "local"'

/** An origin in one form for each place, or `local`; undefined if the text is neither. */
export function readOrigin(text: string): string | undefined {
  if (text === localOrigin) return text
  if (text.length > charactersAtMost || !written.test(text)) return undefined
  return fixedOrigin(text)
}

/** Whether anybody on the way could read what is sent there. */
export function isPlain(origin: string): boolean {
  return origin.startsWith('http:') && !onThisMachine.test(origin)
}

/** Where a secret may be sent, as an owner writes it. */
export const Origins = z
  .array(
    z.string().refine((text) => readOrigin(text) !== undefined, {
      error: originWords,
      params: { code: 'invalid_origin' },
    }),
  )
  .max(originsAtMost)
  .nullable()
