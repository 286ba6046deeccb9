import type { IncomingMessage } from 'node:http'
import { tokenIn } from '#src/core/credentials/header.ts'
import type { Operation } from '#src/core/operation.ts'

/**
 * The `Authorization` header. Node silently keeps the first of two; two together are returned as a
 * value that is no valid credential.
 */
export function authorizationOf(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  return isSentTwice(request.rawHeaders) ? `${authorization}, and another one` : authorization
}

/**
 * The token of the request, with or without "Bearer". Any other `Authorization` value is passed on unchanged: it is not
 * one of our tokens, so the core refuses it where a key is needed, and an open operation ignores it.
 */
export function credentialOf(request: IncomingMessage): string | undefined {
  const authorization = authorizationOf(request)
  if (authorization === undefined) return undefined
  return tokenIn(authorization) ?? authorization
}

/** The bearer token where it is a member of the operation's input, and not the caller's credential. */
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
