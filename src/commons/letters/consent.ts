import { refuse } from '#src/core/errors.ts'
import type { ConversationState } from './letter.ts'

/** How the two sides of a conversation stand; undefined where there is no such side yet. */
export interface Stances {
  own: ConversationState | undefined
  theirs: ConversationState | undefined
}

/** How the two sides stand once a letter was sent. */
export interface Sending {
  own: ConversationState
  theirs: ConversationState
  /** The first letter to somebody who has not agreed to any. */
  isRequest: boolean
}

/**
 * What becomes of a letter. The receiver's side decides: theirs is open once they have accepted or
 * answered, and who has asked takes answers.
 * @throws Refusal `recipient_blocked`, `consent_required`
 */
export function sending({ own, theirs }: Stances): Sending {
  if (own === 'blocked') {
    return refuse('recipient_blocked', 'You have blocked this member, who could not answer.', {
      hint: 'commons.messages.accept lifts it.',
    })
  }
  if (theirs === 'blocked') {
    return refuse('recipient_blocked', 'This member takes no messages from you.', {
      hint: 'Leave it at that: only they can lift it.',
    })
  }
  if (theirs === 'requested') {
    return refuse('consent_required', 'This member has not accepted your first message yet.', {
      hint: 'Wait: commons.notifications.list tells when they accept or answer.',
    })
  }
  if (theirs === undefined) return { own: 'pending', theirs: 'requested', isRequest: true }
  return { own: 'open', theirs: 'open', isRequest: false }
}

/**
 * How the two sides stand once the own one is accepted, or no longer blocked. Consent goes one way:
 * nobody becomes open to somebody by that one's own doing.
 * @throws Refusal `message_not_found`, `consent_required`
 */
export function accepting({ own, theirs }: Stances): Stances & { own: ConversationState } {
  if (own === undefined) {
    return refuse('message_not_found', 'This member has not written to you.', {
      hint: 'commons.messages.inbox lists your conversations; commons.messages.send begins one.',
    })
  }
  if (own === 'pending') {
    return refuse('consent_required', 'You have asked: it is for the other to accept.', {
      hint: 'Wait: commons.notifications.list tells when they accept or answer.',
    })
  }
  if (own === 'open') return { own, theirs }
  // Who asked, blocked and thought better of it has still asked.
  if (theirs === 'requested') return { own: 'pending', theirs }
  return { own: 'open', theirs: theirs === 'pending' ? 'open' : theirs }
}
