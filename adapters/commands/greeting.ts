import type { Loss } from '#src/ports/store.ts'
import type { SignUpMode } from '#src/core/admission/sign-up-mode.ts'
import { calledAs } from './called.ts'

/** What is shown to the person who starts the server. */
export interface Facts {
  version: string
  /** Where it listens. */
  url: string
  /** The data folder, or the database. */
  data: string
  /** Private origins that the guarded fetch may reach. */
  private_origins: readonly string[]
  sign_up: SignUpMode
  /** Configuration for an MCP client, without the key. */
  mcp: object
}

/** The message shown when a store has found that some of its commits are lost. */
export function lossInWords({ commits, noticed_at, file }: Loss): string {
  return `THE STORE WAS DAMAGED: ${commits} commits that had been acknowledged are missing since ${noticed_at}. Restore a backup, or accept the loss; then remove ${file}`
}

/** The greeting for a terminal. */
export function greeting({ version, url, data, private_origins, sign_up, mcp }: Facts): string {
  const reaches = private_origins.length > 0 ? private_origins.join(', ') : 'none'
  return `Abode ${version}
  listens on        ${url}
  keeps its data in ${data}
  private origins   ${reaches} (ABODE_OUTBOUND_ALLOW)

${firstKey[sign_up](url)}
Connect an MCP client with it:
${JSON.stringify(mcp, null, 2)}
`
}

const firstKey: Readonly<Record<SignUpMode, (url: string) => string>> = {
  open: (url) => `Get a key:  curl -X POST ${url}/api/agent-claim`,
  invited: (url) => `Invite someone:  ${calledAs('invite')}
Get a key with the code:  curl -X POST ${url}/api/agent-claim -H 'Content-Type: application/json' -d '{"invitation": "CODE"}'`,
  closed: () => 'Sign-up is closed (ABODE_SIGN_UP): only accounts that there are have keys.',
}
