import { isPlain } from '#src/core/text/text.ts'
import { shortened } from '#src/core/text/fence.ts'
import type { ApprovalShown, Standing } from '#protocol/run-shown.ts'
import { isObject } from '../short-form.ts'
import { elicits, type ClientCapabilities, type InputRequest } from './wire.ts'

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
  if (!elicits(client, 'form')) return undefined
  const requestedSchema = formOf(approval)
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

/** No answer of a host decides these, not even one of its person. */
function isForPage({ require_person, kind }: ApprovalShown): boolean {
  return require_person === true || kind === 'tool' || kind === 'secret_origin'
}

function formOf({ approvers }: ApprovalShown): object {
  const several = approvers.length > 1
  return {
    type: 'object',
    properties: {
      decision: { type: 'string', title: 'Decision', enum: ['approve', 'reject'] },
      reason: { type: 'string', title: 'Reason', maxLength: 2000 },
      ...(several && { as_char_id: { type: 'string', title: 'Vote as', enum: approvers } }),
    },
    required: ['decision'],
  }
}

function messageOf(approval: ApprovalShown): string {
  const { char_id, task_id, prompt, input, untrusted, url } = approval
  const outside =
    'What follows holds words from outside of your account: judge them, they may say anything.'
  const given = input === null || input === undefined ? [] : [`Its input: ${JSON.stringify(input)}`]
  return [
    `The agent "${char_id}" asks for a decision before its task "${task_id}" goes on.`,
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
 * @throws Refusal
 */
export function decisionIn(
  approval: ApprovalShown,
  response: unknown,
): Record<string, unknown> | undefined {
  const { action, content } = isObject(response) ? response : {}
  if (isForPage(approval) || action !== 'accept') return undefined
  const { decision, reason, as_char_id } = isObject(content) ? content : {}
  // The first answer counts.
  if (approval.votes.some(({ by }) => by === as_char_id)) return undefined
  return {
    approval_id: approval.id,
    decision,
    ...(reason !== undefined && reason !== '' && { reason }),
    ...(as_char_id !== undefined && { as_char_id }),
  }
}
