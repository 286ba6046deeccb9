/** What lets the calls of one agent in where a person has consented to it. */
export interface Authorize {
  /**
   * The header `authorization` for an address; undefined if none is to be sent.
   * @throws ConsentNeeded, OAuthFailure
   */
  header(address: string): Promise<string | undefined>
  /**
   * What to try a refused call with once; undefined if there is nothing.
   * @param refused a 401, or a 403 because a scope is missing
   * @throws ConsentNeeded if a person has to consent; OAuthFailure
   */
  instead(address: string, refused: RefusedCall): Promise<string | undefined>
}

/** An answer that asks for a credential. */
export interface RefusedCall {
  status: number
  /** Its header `WWW-Authenticate`. */
  challenge: string | undefined
  sent: string | undefined
}

/** Whether an answer may ask for a credential, or for a better one. */
function asksForConsent({ status, challenge }: Omit<RefusedCall, 'sent'>): boolean {
  return status === 401 || (status === 403 && /\binsufficient_scope\b/.test(challenge ?? ''))
}

/** One way to make a call, and to read what its answer asks for. */
interface Call<T> {
  /** @param header its header `authorization` */
  make: (header: string | undefined) => Promise<T>
  asks: (answer: T) => Omit<RefusedCall, 'sent'>
  /** Leaves an answer that is not used. */
  leave?: (answer: T) => Promise<void>
}

/** A refused call is made again with a newer token, and with one that was renewed for it. */
const againAtMost = 2

/** The answer of a call that is let in, or the last refusal. @throws ConsentNeeded, OAuthFailure */
export async function letIn<T>(
  authorize: Authorize,
  address: string,
  { make, asks, leave }: Call<T>,
): Promise<T> {
  let sent = await authorize.header(address)
  for (let again = 0; ; again++) {
    const answer = await make(sent)
    const asked = asks(answer)
    if (again === againAtMost || !asksForConsent(asked)) return answer
    const next = await authorize.instead(address, { ...asked, sent })
    if (next === undefined) return answer
    await leave?.(answer)
    sent = next
  }
}

/** A call waits for the consent of a person. */
export class ConsentNeeded extends Error {
  override readonly name = 'ConsentNeeded'
  readonly connectionId: string
  /** The page on which a person consents. */
  readonly page: string

  /** @param origin of the server that was called */
  constructor(origin: string, connectionId: string, page: string) {
    super(`The server ${origin} asks for the consent of the account's person: ${page}`)
    this.connectionId = connectionId
    this.page = page
  }
}
