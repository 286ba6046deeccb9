/** What a protected resource says of itself (RFC 9728), as far as it is used. */
export interface ProtectedResource {
  /** What tokens are for: the address that was asked about, or one above it at the same origin. */
  resource: string
  /** The authorization server that gives tokens for it. */
  issuer: string
  /** What may be asked for; empty if it does not say. */
  scopes: string[]
  /** What it calls itself, which no one has verified; null if nothing. */
  name: string | null
}

/** What an authorization server says of itself (RFC 8414), as far as it is used. */
export interface AuthorizationServer {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint?: string | undefined
  revocation_endpoint?: string | undefined
  scopes_supported?: string[] | undefined
  token_endpoint_auth_methods_supported?: string[] | undefined
  authorization_response_iss_parameter_supported?: boolean | undefined
  client_id_metadata_document_supported?: boolean | undefined
}

/** How a client proves at the token endpoint who it is. */
export type ClientMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

/** This service as a client of one authorization server. */
export interface OAuthClient {
  id: string
  secret: string | null
  method: ClientMethod
}

/** What a client says of itself when it is registered (RFC 7591). */
export interface ClientMetadata {
  client_name: string
  client_uri: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  token_endpoint_auth_method: ClientMethod
  application_type: 'web' | 'native'
}

/** The tokens of an answer. */
export interface OAuthTokens {
  access_token: string
  /** Null if there is none, or none that is new. */
  refresh_token: string | null
  /** In seconds; null if it is not said. */
  expires_in: number | null
  /** What was granted; null: what was asked for. */
  scopes: string[] | null
}

/** A request that sends a person to an authorization server. */
export interface Asking {
  redirect: string
  resource: string
  scopes: readonly string[]
  state: string
  verifier: string
}

/** What the person came back with, and what belongs to it. */
export interface Redeeming extends Omit<Asking, 'scopes'> {
  /** The query of the address to which the person was redirected. */
  answer: URLSearchParams
}

/** Why there is no answer, or no usable one. */
export type OAuthFault =
  | 'unreachable'
  | 'unusable'
  | 'other_resource'
  | 'other_issuer'
  | 'no_pkce'
  | 'refused'

/** Another's server could not be used; the message is written by this server. */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure'
  readonly fault: OAuthFault
  /** The error code of OAuth by which it refused, such as `invalid_grant`. */
  readonly error: string | undefined

  constructor(
    fault: OAuthFault,
    message: string,
    options: ErrorOptions & { error?: string | undefined } = {},
  ) {
    super(message, options)
    this.fault = fault
    this.error = options.error
  }
}

/** The client's part of OAuth, through the guarded fetch. Every method throws `OAuthFailure`. */
export interface OAuth {
  /**
   * What gives tokens for an address that has answered 401; undefined if the address does not say.
   * @param challenge its header `WWW-Authenticate`
   */
  resource(address: string, challenge: string | undefined): Promise<ProtectedResource | undefined>
  server(issuer: string): Promise<AuthorizationServer>
  /** Registers this service there, by itself. */
  register(server: AuthorizationServer, client: ClientMetadata): Promise<OAuthClient>
  /** The address to which the person is sent. */
  askingAddress(server: AuthorizationServer, clientId: string, asking: Asking): Promise<string>
  redeem(
    server: AuthorizationServer,
    client: OAuthClient,
    redeeming: Redeeming,
  ): Promise<OAuthTokens>
  refresh(
    server: AuthorizationServer,
    client: OAuthClient,
    grant: { refreshToken: string; resource: string },
  ): Promise<OAuthTokens>
  /** Ends a token (RFC 7009); does nothing if the server has no place for that. */
  revoke(server: AuthorizationServer, client: OAuthClient, token: string): Promise<void>
}

/** A provider of OpenID Connect, and this service as its client. */
export interface Provider {
  issuer: string
  client: Pick<OAuthClient, 'id' | 'secret'>
  /** What is asked for; with `openid`. */
  scopes: readonly string[]
}

/** What binds the request of a person to their return. */
export interface Attempted {
  /** Where the person is sent back. */
  redirect: string
  state: string
  nonce: string
  verifier: string
}

/** Who a person is, as a provider says. */
export interface ProvidedIdentity {
  issuer: string
  /** The same for one person for good, and no one else's at this issuer. */
  subject: string
  /** Null if it says none. */
  email: string | null
  /** Whether it says that the address is the person's. */
  isVerified: boolean
}

/** Those who say who a person is, by OpenID Connect. Every method throws `OAuthFailure`. */
export interface Providers {
  /** The address to which a person is sent. */
  askingAddress(provider: Provider, attempted: Attempted): Promise<string>
  /**
   * Who has come back, from an ID token whose signature, issuer, audience, time and nonce are right.
   * @param answer the query with which they came
   */
  identity(
    provider: Provider,
    returned: Attempted & { answer: URLSearchParams },
  ): Promise<ProvidedIdentity>
}
