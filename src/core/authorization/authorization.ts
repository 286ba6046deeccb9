import type { OauthScope } from './scopes.ts'

/** A program that asks a person for access. */
export interface ConsentRequest {
  id: string
  program: {
    client_id: string
    name: string
    /** The host of its id, if that is an address from which its description was read. */
    host: string | null
    /** Where the person is sent afterwards; null for a device. */
    redirect_host: string | null
  }
  /** The address to which a browser may be sent afterwards: an origin, or a scheme of a program; null for a device. */
  leadsTo: string | null
  /** Whether a browser that comes back by itself can only be the program that was agreed to before. */
  isBound: boolean
  /** The person has to be asked, also if they have agreed before. */
  asksAgain: boolean
  scopes: readonly OauthScope[]
  resource: string
}

/** What a person has decided. */
export interface Consent {
  /** Null for a new one. */
  accountId: string | null
  personId: string
  sessionId: string
  /** The one agent; null for the account. */
  charId: string | null
  scopes: readonly OauthScope[]
  /** The person has not been asked again, so the connection lasts no longer for it. */
  isSilent: boolean
  /** The network that the person is in. */
  address: string
}

/** The authorization server, as the page on which a person decides knows it. */
export interface Authorization {
  /** The request with this id; undefined if it has ended. */
  request(id: string): Promise<ConsentRequest | undefined>
  /** @returns where the browser goes on. @throws Refusal `forbidden`, `role_needed`, `quota_exceeded` */
  allow(request: ConsentRequest, consent: Consent): Promise<string>
  /** @returns where the browser goes on */
  deny(request: ConsentRequest): Promise<string>
}

/** Where connections are kept, as the authorization server knows it. */
export interface GrantStore {
  /**
   * Makes or renews the connection that a person has agreed to.
   * @param grantOf what the authorization server keeps of the grant with this id; of one before it, what it kept
   * @returns its id
   * @throws Refusal `forbidden`, `role_needed`, `quota_exceeded`
   */
  agree(
    program: ConsentRequest['program'],
    consent: Consent,
    grantOf: (id: string, before: string | undefined) => Promise<string>,
  ): Promise<string>
  /** What was kept of a grant; undefined if its person is no owner of the account now. */
  grant(id: string): Promise<string | undefined>
  /** Ends it, with all tokens. */
  end(id: string): Promise<void>
  /** How long a grant lasts, in seconds. */
  seconds: number
}
