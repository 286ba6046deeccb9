/** What the tests use of the package, which brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface StoredToken {
    destroy(): Promise<void>
    aud?: string
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string }; params: Record<string, unknown> }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>
    AccessToken: { find(token: string): Promise<StoredToken | undefined> }
    Grant: new (about: { accountId: string; clientId: unknown }) => {
      addResourceScope(resource: unknown, scope: string): void
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
}
