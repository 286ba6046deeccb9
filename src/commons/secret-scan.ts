import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { addressedIn } from '#src/core/credentials/addressed.ts'
import { assignedIn } from '#src/core/credentials/assigned.ts'
import { begunIn } from '#src/core/credentials/begun.ts'
import { headersIn, privateKeysIn } from '#src/core/credentials/carried.ts'
import type { Found, Span } from '#src/core/credentials/found.ts'
import { positionOf } from '#src/core/text/position.ts'

const foundAtMost = 20

/**
 * The credentials that a text holds, in order, at most 20: our own tokens with a correct checksum,
 * keys of known forms, private keys, signed tokens, logins in addresses and headers, and values behind
 * names such as `API_KEY` that look random. Placeholders, hashes, ids and samples from documentation
 * are none. Each result is `{ kind, at }`, never the credential.
 */
export function secretsIn(text: string): Found[] {
  const spans: Span[] = [
    ...privateKeysIn(text),
    ...begunIn(text),
    ...addressedIn(text),
    ...headersIn(text),
    ...assignedIn(text),
  ]
  if (spans.length === 0) return []
  // One credential is often matched twice: the more exact patterns are first, and sorting keeps that
  // order.
  spans.sort((a, b) => a.at - b.at)
  const found: Found[] = []
  let end = -1
  for (const span of spans) {
    if (span.at >= end) found.push({ kind: span.kind, at: span.at })
    end = Math.max(end, span.end)
    if (found.length === foundAtMost) break
  }
  return found
}

/**
 * Refuses texts that hold credentials; call it before anything is kept.
 * @param texts by the JSON Pointer of their member; absent ones are skipped
 * @throws Refusal `secret_detected` with the kind and place of each credential, and none of its text
 */
export function noSecrets(texts: Readonly<Record<string, string | null | undefined>>): void {
  const errors = Object.entries(texts).flatMap(([pointer, text]) =>
    text ? secretsIn(text).map((found) => faultOf(pointer, text, found)) : [],
  )
  if (errors.length === 0) return
  throw new Refusal('secret_detected', 'The text holds a credential, so nothing was kept.', {
    errors: errors.slice(0, foundAtMost),
    hint: 'Remove it or put a placeholder in its place, then send the text again. Treat it as leaked: revoke it.',
  })
}

function faultOf(pointer: string, text: string, { kind, at }: Found): FaultItem {
  const place = positionOf(text, at)
  const message = `holds what looks like a credential (${kind}) at character ${place}`
  return { pointer, message, code: 'secret_detected' }
}
