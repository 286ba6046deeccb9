import * as z from 'zod'
import { digest } from '#src/core/ids.ts'
import { refuse } from '#src/core/errors.ts'
import { meantWords, nearest } from '#src/core/input/nearest.ts'
import type { Warning } from '#src/core/schema.ts'
import type { Sender } from '#src/ports/sender.ts'
import { sourceTypes } from './item.ts'

/** An address as callers send it. */
export const Address = z.string().min(1).max(2048)

/** A caller's word for how an address is to be read. */
export const SourceType = z.string().min(1).max(64)

/** Why an address is refused. */
export interface AddressFault {
  code: 'address_invalid' | 'address_refused'
  message: string
}

/** The address as it is stored and called, without its fragment; or why it is refused. */
export function judged(
  sender: Pick<Sender, 'objection'>,
  sent: string,
): { url: string; fault?: undefined } | { url?: undefined; fault: AddressFault } {
  const message = sender.objection(sent)
  const parsed = URL.parse(sent)
  if (message === undefined && parsed) {
    parsed.hash = ''
    return { url: parsed.href }
  }
  const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  const code = isWeb ? 'address_refused' : 'address_invalid'
  return { fault: { code, message: message ?? 'This is not an address.' } }
}

/** The address, if it may be called at all. @throws Refusal `invalid_input` */
export function takenAddress(sender: Pick<Sender, 'objection'>, sent: string): string {
  const { url, fault } = judged(sender, sent)
  if (!fault) return url
  return refuse('invalid_input', `url: ${fault.message}`, {
    errors: [{ pointer: '/url', ...fault }],
  })
}

/** Identifies an address among those of all shelves. */
export function addressKey(shelf: string, url: string): string {
  return `${shelf} ${digest(url)}`
}

/** The warnings about a word for how an address is read. */
export function sourceWarnings(type: string | undefined, pointer: string): Warning[] {
  if (type === undefined || sourceTypes.includes(type)) return []
  const suggestion = nearest(type, sourceTypes)
  const meant = suggestion === undefined ? '' : ` ${meantWords(suggestion)}`
  const message = `"${type}" is not known here: it is read like web.${meant}`
  const warning = { code: 'unknown_value', pointer, message }
  return [suggestion === undefined ? warning : { ...warning, suggestion }]
}
