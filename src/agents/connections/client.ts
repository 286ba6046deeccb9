import { methodFor } from '#src/core/authorization/client-method.ts'
import type { Settings } from '#src/core/settings.ts'
import type { AuthorizationServer, ClientMetadata } from '#src/ports/oauth.ts'

type Here = Pick<Settings, 'publicUrl'>

/** The path at which this service says as which client it asks others. */
export const clientDocumentPath = '/oauth/client.json'
/** The path to which others send a person back. */
export const redirectPath = '/oauth/callback'

/** Where a person is sent back: exactly there. */
export function redirectAddress({ publicUrl }: Here): string {
  return publicUrl + redirectPath
}

/** The address of this service's own document, which is its client id. */
export function clientDocumentAddress({ publicUrl }: Here): string {
  return publicUrl + clientDocumentPath
}

/** Whether others may take the document for a client: its address has to be of https. */
export function hasClientDocument({ publicUrl }: Here): boolean {
  return publicUrl.startsWith('https://')
}

/** What this service says of itself where it registers. @param server that it registers with */
export function clientMetadata(here: Here, server?: AuthorizationServer): ClientMetadata {
  const taken = server?.token_endpoint_auth_methods_supported
  const isPublic = !taken || taken.includes('none')
  return {
    client_name: 'Abode',
    client_uri: here.publicUrl,
    redirect_uris: [redirectAddress(here)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: isPublic ? 'none' : methodFor(server, true),
    application_type: here.publicUrl.startsWith('https://') ? 'web' : 'native',
  }
}

/** The document itself (OAuth Client ID Metadata Document). */
export function clientDocument(here: Here): ClientMetadata & { client_id: string } {
  return { client_id: clientDocumentAddress(here), ...clientMetadata(here) }
}
