import type { Context } from 'koa'
import { resourcePath } from '#src/core/authorization/resources.ts'
import { usualScopes } from '#src/core/authorization/scopes.ts'
import type { Core } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import { isAccessToken } from '#src/core/ids.ts'
import type { Reply } from '../reply.ts'
import { credentialOf } from './bearer.ts'

/** Where a resource describes how to get a token for it, before its path. */
export const metadataPath = '/.well-known/oauth-protected-resource'

/**
 * Checks that an access token was issued for the address that it is sent to. One that is not valid is left to what
 * is called.
 * @throws Refusal `invalid_credential`
 */
export async function checkAudience(
  { req, path }: Context,
  { identify }: Pick<Core, 'identify'>,
  publicUrl: string,
): Promise<void> {
  const credential = credentialOf(req)
  if (credential === undefined || !isAccessToken(credential)) return
  const caller = await identify(credential).catch(() => undefined)
  const connection = caller?.kind === 'key' ? caller.connection : undefined
  const resource = publicUrl + resourcePath(path)
  if (!connection || connection.resource === resource) return
  throw new Refusal('invalid_credential', 'This access token was issued for another address.', {
    hint: `Ask for one with the resource ${resource}.`,
  })
}

const challengeName = /^www-authenticate$/i

/** Adds to a challenge where to read how to get a token for this path, and which scopes to ask for. */
export function withMetadata(reply: Reply, path: string, publicUrl: string): Reply {
  if (reply.status !== 401 && reply.status !== 403) return reply
  const name = Object.keys(reply.headers).find((one) => challengeName.test(one))
  const challenge = name === undefined ? undefined : reply.headers[name]
  if (name === undefined || challenge?.startsWith('Bearer') !== true) return reply
  const bare = path.endsWith('/') ? path.slice(0, -1) : path
  const at = bare === '/mcp' ? bare : resourcePath(path)
  const parts = [
    challenge,
    `resource_metadata="${publicUrl}${metadataPath}${at}"`,
    ...(challenge.includes('scope="') ? [] : [`scope="${usualScopes.join(' ')}"`]),
  ]
  const whole = parts.join(', ').replace(/^Bearer, /, 'Bearer ')
  return { ...reply, headers: { ...reply.headers, [name]: whole } }
}
