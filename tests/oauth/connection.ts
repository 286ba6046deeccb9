import { agree } from '#src/accounts/hosts/agree.ts'
import type { StoredConnection } from '#src/accounts/hosts/connection.ts'
import type { Ports } from '#src/core/context.ts'

/** A program that a person has connected to their own account, without the authorization server. */
export function connectedProgram(
  ports: Pick<Ports, 'store' | 'clock'>,
  { id, account_id, session_id }: { id: string; account_id: string; session_id: string },
): Promise<StoredConnection> {
  const host = 'host.example'
  const client_id = `https://${host}/client.json`
  return agree(
    { ...ports, address: '192.0.2.0/24', sessionId: session_id },
    {
      program: { client_id, name: 'Desk assistant', host, redirect_host: host },
      accountId: account_id,
      personId: id,
      charId: null,
      scopes: ['read', 'write', 'run'],
    },
    () => Promise.resolve('{}'),
  )
}
