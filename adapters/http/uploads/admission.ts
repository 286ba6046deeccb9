import type { Context } from 'koa'
import type { Core } from '#src/core/call.ts'
import { Refusal } from '#src/core/errors.ts'
import { bodyBytesAtMost, type Operation } from '#src/core/operation.ts'
import type { SentSession } from '#src/core/admission/session.ts'
import { tooLarge } from '../body.ts'
import { formBytesAtMost, isForm } from './form.ts'
import type { Room } from './room.ts'

/**
 * Whether the body of a call is read: `unread` where its caller is nobody who may bring a file, so
 * that the core refuses it without anything of it in memory; otherwise how to give back the room that
 * was taken for it.
 */
export type Admitted = 'unread' | (() => void)

/** Text, what it is parsed to, and the bytes in it are in memory together. */
const timesForJson = 3
const nothingTaken = (): void => undefined

/**
 * Looks at a call that may bring files before its body is read.
 * @throws Refusal `payload_too_large`, `unavailable` where there is no room now
 */
export async function admitUpload(
  ctx: Context,
  { core, op, room }: { core: Core; op: Operation; room: Room },
  sent: string | SentSession | undefined,
): Promise<Admitted> {
  const form = op.files && isForm(ctx) ? op.files : undefined
  const limit = form ? formBytesAtMost(form) : (op.bodyBytes ?? bodyBytesAtMost)
  const { 'content-length': length, 'transfer-encoding': chunks } = ctx.req.headers
  const announced = chunks === undefined ? Number(length ?? 0) : limit
  if (announced > limit) throw tooLarge(limit)
  if (!form && announced <= bodyBytesAtMost) return nothingTaken
  if (op.auth !== 'none' && !(await isKnown(core, op, sent))) return 'unread'
  return room.take(form ? announced : announced * timesForJson) ?? noRoom()
}

async function isKnown(
  core: Core,
  op: Operation,
  sent: string | SentSession | undefined,
): Promise<boolean> {
  if (sent === undefined) return false
  try {
    const { kind } = await core.identify(sent)
    return op.auth === 'commons' || kind === 'key'
  } catch (cause) {
    // The core says the same, and in the words of the operation.
    if (cause instanceof Refusal && isOfCaller(cause)) return false
    throw cause
  }
}

function isOfCaller({ kind }: Refusal): boolean {
  return kind === 'unauthenticated' || kind === 'forbidden'
}

function noRoom(): never {
  throw new Refusal('unavailable', 'Too much is being uploaded at this moment.', {
    retryAfterSeconds: 5,
    hint: 'Nothing was read: send it again.',
  })
}
