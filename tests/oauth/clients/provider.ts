import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'

/** Where nothing listens: the part of the person is read there, not followed. */
const nowhere = 'http://127.0.0.1:4567/callback'

/**
 * What a host keeps for the official clients of both generations. Their providers ask for the same, but for what the
 * newer one adds.
 */
export class Host {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  /** The addresses to which persons were sent. */
  readonly asked: URL[] = []
  kept: OAuthTokens | undefined
  #client: OAuthClientInformationMixed | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  constructor({ redirect = nowhere, name = 'A host' } = {}) {
    this.redirectUrl = redirect
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

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
