import * as z from 'zod'
import { oauthScopes, type OauthScope } from '#src/core/authorization/scopes.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'

/** How long a program stays connected after its person last agreed, in days. */
export const connectionDays = 365
/** How long a program that has registered itself is kept at most after its last connection has ended, in days. */
export const clientDays = 7
/** How many programs may be connected to one account. */
export const connectionsAtMost = 200

export const Connection = z
  .object({
    id: z.string(),
    direction: z.literal('inbound').describe('The program calls this service.'),
    client_id: z.string(),
    name: z.string().describe('What the program calls itself; no one has verified it.'),
    host: z
      .string()
      .nullable()
      .describe('Where its id leads, if that is an address: that much is verified.'),
    redirect_host: z.string().nullable().describe('Where it is sent with its code.'),
    char_id: z.string().nullable().describe('The one agent that it acts as; else the account.'),
    scopes: z.array(z.enum(oauthScopes)),
    created_at: z.string(),
    agreed_at: z.string().describe('When its person last agreed.'),
    last_used_at: z.string().nullable(),
    expires_at: z.string(),
  })
  .meta({ id: 'Connection' })
/** A program that a person has connected to an account, as listings show it. */
export type Connection = z.infer<typeof Connection>

/** A connection at rest. Its id is that of the grant. */
export interface StoredConnection extends Connection {
  account_id: string
  person_id: string
  /** What the authorization server keeps of the grant, as JSON. */
  grant: string
}

/** What is known of a program that asks. */
export interface AskingProgram {
  client_id: string
  name: string
  host: string | null
  redirect_host: string | null
}

/** What a person agrees to. */
export interface Agreement {
  program: AskingProgram
  /** Null for a new one. */
  accountId: string | null
  personId: string
  /** The one agent; null for the account. */
  charId: string | null
  scopes: readonly OauthScope[]
  /** What they have agreed to before is used again. */
  isSilent?: boolean
}

/** The connection that an agreement makes, or renews. @param before of the same program to the same account */
export function agreed(
  id: string,
  { program, accountId, personId, charId, scopes, isSilent }: Agreement & { accountId: string },
  grant: string,
  now: Date,
  before?: StoredConnection,
): StoredConnection {
  const at = timestamp(now)
  const kept = isSilent === true ? before : undefined
  return {
    id,
    direction: 'inbound',
    ...program,
    char_id: charId,
    scopes: [...scopes],
    created_at: before?.created_at ?? at,
    agreed_at: kept?.agreed_at ?? at,
    last_used_at: before?.last_used_at ?? null,
    expires_at: kept?.expires_at ?? secondsAfter(now, connectionDays * 86_400),
    account_id: accountId,
    person_id: personId,
    grant,
  }
}
