/** A mail to one address. */
export interface OutgoingMail {
  /** The same for each try, so that a receiver can tell a repeat. */
  id: string
  to: string
  subject: string
  /** Plain text, with line feeds. */
  text: string
  /** Who writes; by default this service. */
  fromName?: string | undefined
  /** Where it is answered to, if not to who sends it. */
  replyTo?: string | undefined
  /** The address that ends such mails, by one POST without signing in. */
  unsubscribe?: string | undefined
  /** The Message-ID of the mail that it answers. */
  answers?: string | undefined
}

/** A mail that the mail server did not take. Its message is in fixed words. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** Whether the address or the mail itself was refused for good, so that trying again is of no use. */
  readonly isFinal: boolean
  /** Whether the server could not be reached, or said nothing. */
  readonly isAway: boolean

  constructor(
    message: string,
    {
      isFinal = false,
      isAway = false,
      cause,
    }: { isFinal?: boolean; isAway?: boolean; cause?: unknown },
  ) {
    super(message, { cause })
    this.isFinal = isFinal
    this.isAway = isAway
  }
}

/** Hands mails to the operator's mail server. */
export interface Mailer {
  /**
   * Resolves once the server has taken the mail; that is not yet its arrival.
   * @throws MailFailure; the reason of the signal once it is aborted
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>
  close(): void
}
