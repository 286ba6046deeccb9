import type {
  OAuthClientInformationMixed,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'

/** Where the program waits for the browser: nothing listens there, as the person's part is read, not followed. */
const redirectUrl = 'http://127.0.0.1:4567/callback'

/**
 * What a host keeps for the official clients of both generations. Their providers ask for the same, but for what the
 * newer one adds.
 */
export class Host {
  readonly redirectUrl = redirectUrl
  readonly clientMetadata = {
    client_name: 'A host',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  /** The addresses to which persons were sent. */
  readonly asked: URL[] = []
  kept: OAuthTokens | undefined
  #client: OAuthClientInformationMixed | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client
  }

  tokens(): OAuthTokens | undefined {
    return this.kept
  }

  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens
  }

  redirectToAuthorization(address: URL): void {
    this.asked.push(address)
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }
}
