import { randomBytes } from 'node:crypto'
import { refuse } from '#src/core/errors.ts'
import type { Sender } from '#src/ports/sender.ts'

/** A new secret that signs calls, in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** @throws Refusal `invalid_input` for a webhook at which nothing can be sent, at the member `url` */
export function mustBeReachable(
  sender: Pick<Sender, 'objection'>,
  url: string,
  { pointer = '/url', encrypted = false } = {},
): void {
  const reason = sender.objection(url, encrypted)
  if (reason === undefined) return
  const message = `Nothing can be sent to this address: ${reason}`
  const errors = [{ pointer, message, code: 'address_refused' }]
  refuse('invalid_input', message, { errors })
}
