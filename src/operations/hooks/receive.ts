import * as z from 'zod'
import { admitBytesOf, senderOf } from '#src/accounts/room.ts'
import { answer as answerOf } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { isMap } from '#src/core/maps.ts'
import { mustNotBeSuspended } from '#src/core/authorization/suspended.ts'
import { textUpTo } from '#src/core/schema-parts.ts'
import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import { anonymousBytesAtMost } from '#src/core/operation-facts.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { sourceOf } from '#src/core/text/untrusted.ts'
import { noRunForOthers } from '#src/runs/skip-reason.ts'
import { runHeader, runNamedBy } from '#src/events/outbox/own-call.ts'
import { Chain } from '#src/runs/triggers/chain.ts'
import { areBeyondQuota } from '#src/runs/triggers/start.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { hookCallId, remembering, startedBefore } from '#src/runs/triggers/hook-calls.ts'
import {
  mayBeSignature,
  proofOf,
  type Proof,
  type SentHeaders,
} from '#src/runs/triggers/sender-signature.ts'
import { listeningAt, type Listening } from '#src/runs/triggers/webhook.ts'
import { arrivingBytes } from '#src/runs/retention/bytes.ts'
import { signedCall, webhookCall } from '#src/agents/tasks/calls.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'

/** A header by which the sender that a trigger names in config.verify signs. */
const header = z.string().max(4000).optional()

export const receive = operation({
  name: 'hooks.receive',
  summary: 'Call a webhook of an agent: its tasks with that path run with the body.',
  description:
    'The body is any JSON, or text. Where the trigger has a secret, X-Service-Signature is the ' +
    'lower-case hex HMAC-SHA256 of the body, byte for byte, under it; with config.verify github, ' +
    'stripe, slack or standard (Standard Webhooks) it is signed as these do, and a repeat of such a ' +
    'call has the same answer. What Slack asks at first is answered 200 with its challenge.',
  example: { char_id: 'ada', path: 'orders/new', body: { order: 17 } },
  auth: 'none',
  http: {
    method: 'POST',
    path: '/api/hooks/{char_id}/{path}',
    tail: true,
    status: 202,
    mayPreview: true,
    headers: {
      signature: 'X-Service-Signature',
      hub_signature: 'X-Hub-Signature-256',
      stripe_signature: 'Stripe-Signature',
      slack_signature: 'X-Slack-Signature',
      slack_timestamp: 'X-Slack-Request-Timestamp',
      webhook_id: 'webhook-id',
      webhook_timestamp: 'webhook-timestamp',
      webhook_signature: 'webhook-signature',
      run_header: runHeader,
    },
    signatures: [
      'signature',
      'hub_signature',
      'stripe_signature',
      'slack_signature',
      'webhook_signature',
    ],
    raw: true,
  },
  toolsets: ['tasks', 'runs'],
  restOnly: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    path: textUpTo(200).min(1).describe('The path of the trigger; it may hold slashes.'),
    body: z.json().describe('The input of the runs.'),
    signature: z.string().max(200).optional().describe('Hex HMAC-SHA256 of the body.'),
    hub_signature: header,
    stripe_signature: header,
    slack_signature: header,
    slack_timestamp: header,
    webhook_id: header,
    webhook_timestamp: header,
    webhook_signature: header,
    run_header: header.describe('From this service itself: the run that calls.'),
  }),
  document: 'body',
  output: z.object({
    runs: z.array(z.string()).describe('A skipped run says why it was not started.'),
    challenge: z.string().optional().describe('Of Slack, which asks for it when a hook is set up.'),
  }),
  refuses: ['hook_not_found', 'signature_invalid'],

  async takesSignature({ params, signature }, { store }) {
    const { char_id = '', path = '' } = params
    if (!mayBeSignature(signature)) return false
    return (await store.tasks.count({ char_id, awaited_calls: { $all: [signedCall(path)] } })) > 0
  },

  async run({ char_id, path, body, run_header, ...sent }, context) {
    const tasks = await tasksOf(context, [char_id], {
      awaited_calls: { $all: [webhookCall(path)] },
    })
    const listening = listeningAt(tasks, path, context.sealer)
    const [first] = listening
    if (!first) {
      return refuse('hook_not_found', 'No task listens at this address.', {
        hint: `The address ends with the path of a trigger of type webhook: ${call('tasks.list', { char_id })} shows the owner which there are.`,
      })
    }
    const called = proven(listening, sent, context)
    if (called.length === 0) {
      return refuse('signature_invalid', 'The signature is missing, or not that of this body.', {
        hint: 'X-Service-Signature is the lower-case hex HMAC-SHA256 of the body as it is sent; where config.verify names a sender, its own headers count, within five minutes of their time.',
      })
    }
    const ownerId = first.task.owner_id
    mustNotBeSuspended(await context.store.accounts.get(ownerId), context.settings)
    // A signature that no trigger asks for proves nothing.
    const isVouched = called.some(({ proof }) => proof !== undefined)
    const { caller, bytes } = context
    if (!isVouched && caller.kind === 'anonymous' && (bytes?.length ?? 0) > anonymousBytesAtMost) {
      return refuse(
        'payload_too_large',
        'A body may have at most 64 KiB if the trigger has no secret.',
      )
    }
    const challenge = challengeIn(called, body)
    if (challenge !== undefined) return answerOf({ runs: [], challenge }, { preview: true })
    for (let left = tries; ; left--) {
      try {
        return await started(context, { called, ownerId, path, body, run_header })
      } catch (cause) {
        if (!isRace(cause) || left === 0) throw cause
      }
    }
  },
})

const tries = 3

/** Whether a repeat of the call was faster, or another run of the chain. */
function isRace(cause: unknown): boolean {
  if (cause instanceof DuplicateKey) return cause.in === 'hook_calls'
  return cause instanceof Unmet && cause.in === 'runs'
}

/** A task whose trigger the caller may use; with what it has proved, where the trigger asks for that. */
interface Called {
  task: StoredTask
  proof: Proof | undefined
  verify: string
}

function proven(
  listening: readonly Listening[],
  sent: SentHeaders,
  { bytes, clock }: Pick<Context, 'bytes' | 'clock'>,
): Called[] {
  const now = clock.now()
  return listening.flatMap(({ task, locks }): Called[] => {
    if (locks === null) return [{ task, proof: undefined, verify: '' }]
    for (const lock of bytes === undefined ? [] : locks) {
      const proof = proofOf(lock, bytes ?? new Uint8Array(), sent, now)
      if (proof) return [{ task, proof, verify: lock.verify }]
    }
    return []
  })
}

/** What Slack sends once, signed, before it sends anything else. */
function challengeIn(called: readonly Called[], body: unknown): string | undefined {
  if (!isMap(body) || body['type'] !== 'url_verification') return undefined
  const { challenge } = body
  const isSlack = called.some(({ verify }) => verify === 'slack')
  return isSlack && typeof challenge === 'string' ? challenge : undefined
}

interface Calling {
  called: readonly Called[]
  ownerId: string
  path: string
  body: unknown
  run_header: string | undefined
}

/** Starts the tasks that the call has not started before. */
async function started(context: Context, calling: Calling) {
  const { called, ownerId, path, body } = calling
  const { clock, caller, commit, store } = context
  const ids = called.map(({ task, proof, verify }) =>
    proof?.once === undefined ? undefined : hookCallId(task.id, verify, proof.once),
  )
  const before = await startedBefore(
    store,
    ids.filter((id) => id !== undefined),
  )
  const known = ids.map((id) => (id === undefined ? undefined : before.get(id)))
  const fresh = called.filter((_, i) => known[i] === undefined)
  if (fresh.length === 0) return { runs: known.filter((id) => id !== undefined) }
  // A caller that signs with the secret is trusted by the agent's account; any other caller is a
  // stranger to it.
  const isTrusted = called.every(({ proof }) => proof !== undefined)
  const sender = isTrusted ? undefined : senderOf(context, ownerId)
  // Also where it is signed: who signs passes on what others wrote.
  const source = sourceOf(caller, 'webhook', ownerId)
  const kept = fresh.length * arrivingBytes({ input: body, variables: null })
  await admitBytesOf(context, ownerId, { sender, bytes: kept })
  const now = clock.now()
  const cause = await runThatCalls(context, calling.run_header)
  const chain = await Chain.of(context, { type: 'webhook', cause, sender, source })
  const origin = cause?.owner_id === ownerId ? { run_id: cause.id } : {}
  const trigger = { type: 'webhook', at: timestamp(now), caller: { path, ...origin } }
  const made: StoredRun[] = []
  for (const { task } of fresh) {
    made.push(await chain.run(task, 'webhook', { trigger, input: body }, now))
  }
  // Nothing is kept of a call that starts nothing because the quota is used up.
  if (sender !== undefined && areBeyondQuota(made)) return noRunForOthers()
  const runs = known.map((id) => id ?? made[0]?.id ?? '')
  let next = 0
  const memory: Write[] = []
  for (const [i, id] of ids.entries()) {
    if (known[i] !== undefined) continue
    const run_id = made[next++]?.id ?? ''
    runs[i] = run_id
    if (id !== undefined) memory.push(remembering({ id, owner_id: ownerId, run_id }, now))
  }
  const inserts = made.map((insert): Write => ({ in: 'runs', insert }))
  return commit({ runs }, [...inserts, ...chain.writes(), ...memory])
}

/** The run of this service that calls, whose chain goes on: else a loop over its own hooks would have no end. */
async function runThatCalls(context: Context, header: string | undefined) {
  const id = runNamedBy(context, header)
  return id === undefined ? null : ((await context.store.runs.get(id)) ?? null)
}
