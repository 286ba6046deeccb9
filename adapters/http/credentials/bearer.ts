import type { IncomingMessage } from 'node:http'
import type { Operation } from '#src/core/operation.ts'

/**
 * The `Authorization` header. Node keeps the first of two without a word; two together are given as
 * something that is no credential of any kind.
 */
export function authorizationOf(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  return isSentTwice(request.rawHeaders) ? `${authorization}, and another one` : authorization
}

/**
 * The bearer token of the request. Whatever else stands in `Authorization` is passed on as it is:
 * it is no token of ours, so the core refuses it where a key is needed, and an open operation does
 * not mind it.
 */
export function credentialOf(request: IncomingMessage): string | undefined {
  const authorization = authorizationOf(request)
  if (authorization === undefined) return undefined
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  return token ?? authorization
}

/** The bearer token where it is a member of this operation's input, and so no credential of a caller. */
export function bearerMemberOf(
  request: IncomingMessage,
  { http: { bearer } }: Pick<Operation, 'http'>,
): Record<string, string> {
  if (!bearer) return {}
  const token = credentialOf(request)
  return token?.startsWith(`${bearer.prefix}_`) ? { [bearer.member]: token } : {}
}

function isSentTwice(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 13 && name.toLowerCase() === 'authorization') count += 1
  }
  return count > 1
}
