import { accountDoor } from './paths.ts'

/** Paths of protected resources, besides those of hosted agents; the empty one is REST. */
const fixed = ['', '/mcp', accountDoor, '/a2a', '/api/commons/mcp', '/api/commons/a2a']
const agents = /^\/a2a\/[^/]+$/
const card = '/.well-known/agent-card.json'

/**
 * The protected resource that a request at this path is for, as a path that follows the public URL: the doors have
 * theirs, and everything else is REST. `/mcp` takes the tokens of `/mcp/account`.
 * @param path with or without a final slash
 */
export function resourcePath(path: string): string {
  const bare = bareOf(path.endsWith(card) ? path.slice(0, -card.length) : path)
  if (bare === '/mcp') return accountDoor
  if (bare === '/a2a' || bare === '/api/commons/a2a' || agents.test(bare)) return `${bare}/`
  return fixed.includes(bare) ? bare : ''
}

/** The resource that an address names; undefined for an address at which none is. */
export function resourceAt(address: string, publicUrl: string): string | undefined {
  if (!address.startsWith(publicUrl)) return undefined
  const path = bareOf(address.slice(publicUrl.length))
  if (!fixed.includes(path) && !agents.test(path)) return undefined
  return publicUrl + resourcePath(path)
}

function bareOf(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}
