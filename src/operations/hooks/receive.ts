import * as z from 'zod'
import { admitBytesOf, senderOf } from '#src/accounts/room.ts'
import { textUpTo } from '#src/core/schema-parts.ts'
import { refuse } from '#src/core/errors.ts'
import { anonymousBytesAtMost } from '#src/core/operation-facts.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { sourceOf } from '#src/core/text/untrusted.ts'
import { noRunForOthers } from '#src/runs/skip-reason.ts'
import { startedRuns } from '#src/runs/triggers/start.ts'
import { isSignature, isSignedBy, listeningAt } from '#src/runs/triggers/webhook.ts'
import { acceptedBytes } from '#src/runs/retention/bytes.ts'
import { signedCall, webhookCall } from '#src/agents/tasks/calls.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

export const receive = operation({
  name: 'hooks.receive',
  summary: 'Call a webhook of an agent: its tasks with that path run with the body.',
  description:
    'The body is any JSON, or text. Where the trigger has a secret, X-Service-Signature is the ' +
    'lower-case hex HMAC-SHA256 of the body, byte for byte, under it.',
  example: { char_id: 'ada', path: 'orders/new', body: { order: 17 } },
  auth: 'none',
  http: {
    method: 'POST',
    path: '/api/hooks/{char_id}/{path}',
    tail: true,
    status: 202,
    headers: { signature: 'X-Service-Signature' },
    raw: true,
  },
  toolsets: ['tasks', 'runs'],
  restOnly: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    path: textUpTo(200).min(1).describe('The path of the trigger; it may hold slashes.'),
    body: z.json().describe('The input of the runs.'),
    signature: z.string().max(200).optional().describe('Hex HMAC-SHA256 of the body.'),
  }),
  document: 'body',
  output: z.object({
    runs: z.array(z.string()).describe('A skipped run says why it was not started.'),
  }),
  refuses: ['hook_not_found', 'signature_invalid'],

  async takesSignature({ params, signature }, { store }) {
    const { char_id = '', path = '' } = params
    if (!isSignature(signature)) return false
    return (await store.tasks.count({ char_id, awaited_calls: { $all: [signedCall(path)] } })) > 0
  },

  async run({ char_id, path, body, signature }, context) {
    const { sealer, clock, caller, bytes, commit } = context
    const tasks = await tasksOf(context, [char_id], {
      awaited_calls: { $all: [webhookCall(path)] },
    })
    const listening = listeningAt(tasks, path, sealer)
    const [first] = listening
    if (!first) return refuse('hook_not_found', 'No task listens at this address.')
    const called = listening.filter(
      ({ secrets }) =>
        secrets === null ||
        (context.bytes !== undefined && isSignedBy(secrets, context.bytes, signature)),
    )
    if (called.length === 0) {
      return refuse('signature_invalid', 'The signature is missing, or not that of this body.', {
        hint: 'X-Service-Signature is the lower-case hex HMAC-SHA256 of the body as it is sent.',
      })
    }
    const ownerId = first.task.owner_id
    // A signature that no trigger asks for proves nothing.
    const isVouched = called.some(({ secrets }) => secrets !== null)
    if (!isVouched && caller.kind === 'anonymous' && (bytes?.length ?? 0) > anonymousBytesAtMost) {
      return refuse(
        'payload_too_large',
        'A body may have at most 64 KiB if the trigger has no secret.',
      )
    }
    // A caller that signs with the secret is trusted by the agent's account; any other caller is a
    // stranger to it.
    const isTrusted = called.every(({ secrets }) => secrets !== null)
    const sender = isTrusted ? undefined : senderOf(context, ownerId)
    // Also where it is signed: who signs passes on what others wrote.
    const source = sourceOf(caller, 'webhook', ownerId)
    const kept = called.length * acceptedBytes({ input: body, variables: null })
    await admitBytesOf(context, ownerId, { sender, bytes: kept })
    const now = clock.now()
    const trigger = { type: 'webhook', at: timestamp(now), caller: { path } }
    const started = await startedRuns(
      context,
      called.map(({ task }) => task),
      { trigger, input: body, sender, source },
      now,
    )
    // Nothing is kept of a call that starts nothing because the quota is used up.
    if (sender !== undefined && started.isBeyondQuota) return noRunForOthers()
    return commit({ runs: started.ids }, started.writes)
  },
})
