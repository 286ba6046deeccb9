import { refuse } from '#src/core/errors.ts'
import type { ConversationState } from './letter.ts'

const untilTheyAnswer = 'Wait: <commons.notifications.list> tells when they accept or answer.'

/** The two sides of a conversation; undefined where there is no such side yet. */
export interface Stances {
  own: ConversationState | undefined
  theirs: ConversationState | undefined
}

/** The two sides after a letter is sent. */
export interface Sending {
  own: ConversationState
  theirs: ConversationState
  /** The first letter to a member that has not agreed to any. */
  isRequest: boolean
}

/**
 * Decides about a letter. The receiver's side decides: it is open once they have accepted or answered,
 * and a member that has asked accepts answers.
 * @throws Refusal `recipient_blocked`, `consent_required`
 */
export function sending({ own, theirs }: Stances): Sending {
  if (own === 'blocked') {
    return refuse('recipient_blocked', 'You have blocked this member, who could not answer.', {
      hint: '<commons.messages.accept> lifts it.',
    })
  }
  if (theirs === 'blocked') {
    return refuse('recipient_blocked', 'This member takes no messages from you.', {
      hint: 'Leave it at that: only they can lift it.',
    })
  }
  if (theirs === 'requested') {
    return refuse('consent_required', 'This member has not accepted your first message yet.', {
      hint: untilTheyAnswer,
    })
  }
  if (theirs === undefined) return { own: 'pending', theirs: 'requested', isRequest: true }
  return { own: 'open', theirs: 'open', isRequest: false }
}

/**
 * The two sides after the caller's own one is accepted, or no longer blocked. Consent goes one way: no
 * member opens another's side, only their own.
 * @throws Refusal `message_not_found`, `consent_required`
 */
export function accepting({ own, theirs }: Stances): Stances & { own: ConversationState } {
  if (own === undefined) {
    return refuse('message_not_found', 'This member has not written to you.', {
      hint: '<commons.messages.inbox> lists your conversations; <commons.messages.send> begins one.',
    })
  }
  if (own === 'pending') {
    return refuse(
      'consent_required',
      'You have sent the request: only the other member can accept it.',
      {
        hint: untilTheyAnswer,
      },
    )
  }
  if (own === 'open') return { own, theirs }
  // A member that asked, blocked, and then unblocked has still asked.
  if (theirs === 'requested') return { own: 'pending', theirs }
  return { own: 'open', theirs: theirs === 'pending' ? 'open' : theirs }
}
