import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { isOfAgent, writerName } from '../access.ts'
import { type PushTarget, type TargetSecrets, targetSeal } from '#src/events/outbox/push-target.ts'
import type { ChatTask } from '../chat.ts'
import { callerName } from '#src/core/admission/caller.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { isPlain } from '#src/core/text/text.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'

/** How many targets a chat task may have. */
export const targetsAtMost = 10
/** How long targets and their secrets are kept after their task: longer than deliveries are retried. */
const keptDays = 10

// A value in a header must not end it or begin another.
const inHeader = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const header = (most: number) =>
  z.string().max(most).regex(inHeader, 'must be printable ASCII, as it is sent in a header')
const schemeForm = /^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]*$/

/** Where notifications of a chat task are to go, as its sender says it. */
export const SentTarget = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(128)
    .refine((id) => isPlain(id) && id.isWellFormed(), 'must be plain text')
    .optional()
    .describe('By default a new one; of one that is there, the configuration is replaced.'),
  url: z.string().min(1).max(2000),
  token: header(1024).optional().describe('Sent back as X-A2A-Notification-Token.'),
  authentication: z
    .strictObject({
      scheme: z.string().max(64).regex(schemeForm, 'must be the name of a scheme, as Bearer is'),
      credentials: header(4096).optional(),
    })
    .optional()
    .describe('What Authorization is sent as.'),
  version: z.enum(['1.0', '0.3']).default('1.0').describe('The version it is spoken to in.'),
})
/** Where notifications of a chat task are to go, as its sender says it. */
export type SentTarget = z.infer<typeof SentTarget>

/** A target as its sender sees it: secrets are never read back. */
export const ShownTarget = z
  .object({
    id: z.string(),
    chat_id: z.string(),
    url: z.string(),
    scheme: z.string().nullable().describe('Of the Authorization that is sent with it.'),
    created_at: z.string(),
  })
  .meta({ id: 'PushTarget' })
/** A target as its sender sees it: secrets are never read back. */
export type ShownTarget = z.infer<typeof ShownTarget>

/** The stored id of a target of a chat task. */
export function targetId(chatId: string, configId: string): string {
  return `${chatId} ${configId}`
}

/**
 * The target that was sent, with its secrets sealed.
 * @param pointer its pointer in the input
 * @throws Refusal `invalid_input` for an address that would never be called
 */
export function targetOf(
  context: Pick<Context, 'caller' | 'address' | 'clock' | 'sealer' | 'sender'>,
  chat: Pick<ChatTask, 'id' | 'char_id' | 'owner_id'>,
  { id: config_id = randomUUID(), url, token, authentication, version }: SentTarget,
  pointer: string,
): PushTarget {
  const { caller, address, clock, sealer, sender } = context
  const { id: chat_id, char_id } = chat
  const objection = objectionTo(url, sender)
  if (objection !== undefined) {
    const message = `Nothing can be sent to this address. ${objection}`
    refuse('invalid_input', message, {
      errors: [{ pointer: `${pointer}/url`, message, code: 'address_refused' }],
    })
  }
  const id = targetId(chat_id, config_id)
  const secrets: TargetSecrets = {
    ...(token !== undefined && { token }),
    ...(authentication?.credentials && { credentials: authentication.credentials }),
  }
  const hasSecrets = Object.keys(secrets).length > 0
  return {
    id,
    chat_id,
    config_id,
    char_id,
    caller: writerName({ caller, address }),
    is_own: isOfAgent(caller, chat),
    payer: caller.subject ?? callerName(caller, address),
    version,
    url,
    scheme: authentication?.scheme ?? null,
    sealed: hasSecrets ? sealer.seal(JSON.stringify(secrets), targetSeal(id)) : null,
    is_gone: false,
    ...(caller.connection && { made_by: caller.connection.id }),
    created_at: timestamp(clock.now()),
  }
}

function objectionTo(url: string, sender: Context['sender']): string | undefined {
  if (!URL.canParse(url)) return 'It is not a valid address.'
  return sender.objection(url)
}

/** Until when the targets of a task that ends now are kept. */
export function expiry(now: Date): Required<Pick<PushTarget, 'expires_at'>> {
  return { expires_at: secondsAfter(now, keptDays * 86_400) }
}

/** A target as its sender sees it. */
export function shownTarget(target: PushTarget): ShownTarget {
  const { config_id: id, chat_id, url, scheme, created_at } = target
  return { id, chat_id, url, scheme, created_at }
}
