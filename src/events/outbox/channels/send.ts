import type { Ports } from '#src/core/context.ts'
import { effectHeaders, type EffectMark } from '#src/ports/sender.ts'
import { MailFailure } from '#src/ports/mail/mailer.ts'
import type { StoredDelivery } from '../delivery.ts'
import { deliverySeal } from '../outbox.ts'
import { serviceCall } from './address.ts'
import type { CarriedKind } from './kinds.ts'
import { verdictOf, type Verdict } from './verdict.ts'

type Sending = Pick<Ports, 'clock' | 'sealer' | 'sender' | 'messengers' | 'mailer' | 'settings'>

/** The longest answer of a service that is read. */
const answerBytes = 64_000

/** A delivery of a message on a channel. */
export type Carried = StoredDelivery & { channel_kind: CarriedKind }

export function isCarried(delivery: StoredDelivery): delivery is Carried {
  return delivery.channel_kind !== undefined
}

/** Sends one part of a message once. @throws OutboundFailure; the reason of the signal once it is aborted */
export async function sendPart(
  ports: Sending,
  delivery: Carried,
  { timeoutMs, signal, mark }: { timeoutMs: number; signal: AbortSignal; mark: EffectMark },
): Promise<Verdict & { status: number | undefined }> {
  const { channel_kind: kind, body, url, id, sealed_secret } = delivery
  if (kind === 'email') return { status: undefined, ...(await mailed(ports, delivery, signal)) }
  const { clock, sealer, settings, sender, messengers } = ports
  const secret = sealed_secret === null ? '' : sealer.open(sealed_secret, deliverySeal(id))
  const call = serviceCall(settings.channelServices, { kind, url, secret })
  const answer = await (call.isService ? messengers : sender).send({
    method: 'POST',
    url: call.url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...effectHeaders(mark),
      // Discord refuses others.
      ...(kind === 'discord' && {
        'user-agent': `DiscordBot (${settings.publicUrl}, ${settings.version})`,
      }),
      ...call.headers,
    },
    body,
    redirects: 0,
    bytesAtMost: answerBytes,
    timeoutMs,
    signal,
  })
  return { status: answer.status, ...verdictOf(kind, answer, clock.now()) }
}

interface MailBody {
  to: string
  subject: string
  text: string
  from_name?: string
  reply_to?: string
  in_reply_to?: string
}

async function mailed(
  { mailer }: Sending,
  { id, body }: Carried,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!mailer) return { error: 'No mail server is set up here.' }
  // It was written by `bodyOfPart`.
  const { from_name, reply_to, in_reply_to, ...mail } = JSON.parse(body) as MailBody
  try {
    await mailer.send(
      { id, ...mail, fromName: from_name, replyTo: reply_to, answers: in_reply_to },
      signal,
    )
    return {}
  } catch (cause) {
    if (!(cause instanceof MailFailure)) throw cause
    return { error: cause.message, isFinal: cause.isFinal }
  }
}
