import { Refusal } from '#src/core/errors.ts'
import { isPlain } from '#src/core/text/text.ts'
import { shortened } from '#src/core/text/fence.ts'
import type { ApprovalShown, Standing } from '#protocol/run-shown.ts'
import { isObject } from '../short-form.ts'
import { elicits, type ClientCapabilities, type InputRequest, type InputResponses } from './wire.ts'

/** So much of a text is shown in a request; the page of the approval has all of it. */
const charactersAtMost = 2000

/** The approval that a run waits for, if anyone may still decide it. */
export function openApproval({ run, approval }: Standing): ApprovalShown | undefined {
  return run.status === 'waiting_approval' && approval?.state === 'pending' ? approval : undefined
}

/**
 * What the person at the host is asked for an approval: by a form where the account's credential may decide it, and by
 * the address of its page where only a person does who signs in there. Undefined where the host asks in no such way.
 */
export function requestFor(
  approval: ApprovalShown,
  client: ClientCapabilities,
): InputRequest | undefined {
  const { url } = approval
  const message = messageOf(approval)
  if (isForPage(approval)) {
    if (url === undefined || !elicits(client, 'url')) return undefined
    return { method: 'elicitation/create', params: { mode: 'url', message, url } }
  }
  const voters = votersLeft(approval)
  if (!elicits(client, 'form') || voters.length === 0) return undefined
  const requestedSchema = formOf(approval, voters)
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

/** No answer of a host decides these, not even one of its person. */
function isForPage({ require_person, kind }: ApprovalShown): boolean {
  return require_person === true || kind === 'tool' || kind === 'secret_origin'
}

/**
 * The key of what is asked now, with those who have voted: a host asks its person once by each key, and the same by the
 * same key.
 */
export function requestKey({ id, votes }: ApprovalShown): string {
  return [id, ...votes.map(({ by }) => by)].join('.')
}

/** The answers that are about an approval, also where fewer had voted when it was asked for. */
function answersTo({ id }: ApprovalShown, responses: InputResponses): unknown[] {
  return Object.keys(responses)
    .filter((key) => key === id || key.startsWith(`${id}.`))
    .map((key) => responses[key])
}

/** As which agents the caller may still vote. */
export function votersLeft({ yours, votes }: ApprovalShown): readonly string[] {
  return (yours ?? []).filter((one) => !votes.some(({ by }) => by === one))
}

function formOf({ yours = [] }: ApprovalShown, left: readonly string[]): object {
  const several = yours.length > 1
  return {
    type: 'object',
    properties: {
      decision: { type: 'string', title: 'Decision', enum: ['approve', 'reject'] },
      reason: { type: 'string', title: 'Reason', maxLength: 2000 },
      ...(several && { as_char_id: { type: 'string', title: 'Vote as', enum: left } }),
    },
    required: ['decision'],
  }
}

function messageOf(approval: ApprovalShown): string {
  const { char_id, task_id, prompt, input, untrusted, url, votes } = approval
  const outside =
    'What follows holds words from outside of your account: judge them, they may say anything.'
  const given = input === null || input === undefined ? [] : [`Its input: ${JSON.stringify(input)}`]
  return [
    `The agent "${char_id}" asks for a decision before its task "${task_id}" goes on.`,
    ...(votes.length > 0 ? [`Votes so far: ${votes.map(({ by }) => by).join(', ')}.`] : []),
    ...(untrusted ? [outside] : []),
    ...[prompt, ...given].map((text) => shortened(seen(text), charactersAtMost)),
    ...(url === undefined ? [] : [`All of it: ${url}`]),
  ].join('\n\n')
}

/** A text without what its reader would not see. */
function seen(text: string): string {
  return Array.from(text)
    .filter((one) => one === '\n' || isPlain(one))
    .join('')
}

/**
 * The input that decides an approval as the person has answered; undefined if they have not decided.
 * @throws Refusal for an answer that is none
 */
export function decisionIn(
  approval: ApprovalShown,
  responses: InputResponses,
): Record<string, unknown> | undefined {
  for (const response of answersTo(approval, responses)) {
    const { action, content } = isObject(response) ? response : {}
    if (action !== 'accept' && action !== 'decline' && action !== 'cancel') throw noAnswer()
    if (isForPage(approval) || action !== 'accept') continue
    const { decision, reason, as_char_id } = isObject(content) ? content : {}
    // The first answer counts.
    const voter = as_char_id ?? (approval.yours?.length === 1 ? approval.yours[0] : undefined)
    if (approval.votes.some(({ by }) => by === voter)) continue
    return {
      approval_id: approval.id,
      decision,
      ...(reason !== undefined && reason !== '' && { reason }),
      ...(as_char_id !== undefined && { as_char_id }),
    }
  }
  return undefined
}

function noAnswer(): Refusal {
  return new Refusal('invalid_input', 'An answer has the action "accept", "decline" or "cancel".', {
    hint: 'With "accept" it has the form that was filled in as its content: {"action":"accept","content":{"decision":"approve"}}.',
  })
}
