import * as z from 'zod'
import { isPlain } from '#src/core/text/text.ts'
import { textUpTo } from '#src/core/schema-parts.ts'

/** A name as people read it: 1 to 200 characters, none of them invisible. */
export const PlainName = textUpTo(200)
  .min(1)
  .refine(isPlain, {
    error: 'must hold no control, bidirectional or zero-width characters',
    params: { code: 'not_plain' },
  })

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** An id that callers choose: of an agent or a task, or another name of the caller used in addresses. */
export const CharacterId = z
  .string()
  .regex(idPattern, 'must be 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit')

/** Whether the text can be the id of an agent at all. */
export function isCharacterId(text: string): boolean {
  return idPattern.test(text)
}

/** An id that resembles the name, such as `ada-lovelace-x1y2z3`; the suffix makes it unique. */
export function idFromName(name: string, suffix: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '')
  return `${slug || 'agent'}-${suffix}`
}
