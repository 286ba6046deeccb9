import { nearest } from '#src/core/input/nearest.ts'

const segmentsAtMost = 12
/** Names that other services use for what has another name here. */
const elsewhere: Readonly<Record<string, string>> = {
  openapi: '/openapi.agent.json',
  'openapi.json': '/openapi.agent.json',
  'openapi.yaml': '/openapi.agent.json',
  'swagger.json': '/openapi.agent.json',
  'api-docs': '/api-reference',
  apidocs: '/api-reference',
  docs: '/api-reference',
  documentation: '/api-reference',
  redoc: '/api-reference',
  reference: '/api-reference',
  swagger: '/api-reference',
  'swagger-ui': '/api-reference',
}
const wrong = 3

const pathsOfOAuth: ReadonlySet<string> = new Set(['register', 'authorize', 'token'])

/** Whether it is where clients look for an authorization server. */
export function isOfOAuth(path: string): boolean {
  const [first = '', second = ''] = segmentsOf(path)
  if (first !== '.well-known') return pathsOfOAuth.has(first) && second === ''
  return second.startsWith('oauth-') || second === 'openid-configuration'
}

/** The document that others have at an address, alone or below that of their API. */
export function documentMeant(path: string): string | undefined {
  const segments = segmentsOf(path).filter((one) => !/^(?:api|docs|v\d)$/.test(one))
  const [name = 'docs', ...more] = segments
  const isDocument = more.length === 0 && (segments.length > 0 || path.includes('docs'))
  return isDocument && Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined
}

/** The documented path that was most likely meant. */
export function nearestPath(path: string, documented: readonly string[]): string | undefined {
  const sought = segmentsOf(path)
  // Every path begins like a single segment that holds them all.
  if (sought.length > segmentsAtMost || isRoot(sought, documented)) return undefined
  let best: string | undefined
  let least = wrong
  for (const candidate of documented) {
    const cost = costOf(sought, segmentsOf(candidate))
    if (cost >= least) continue
    best = candidate
    least = cost
  }
  return best
}

/** Whether addresses say no more than what many begin with, as "/api/" does. */
function isRoot([only = '', ...others]: readonly string[], documented: readonly string[]): boolean {
  if (others.length > 0) return false
  return only === '' || documented.filter((one) => one.startsWith(`/${only}/`)).length > 1
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** The distance: a segment that is nearly the same costs 1, a missing or extra one 2. */
function costOf(sought: readonly string[], known: readonly string[]): number {
  let cost = Math.abs(sought.length - known.length) * 2
  for (let i = 0; i < Math.min(sought.length, known.length) && cost < wrong; i++) {
    const [a = '', b = ''] = [sought[i], known[i]]
    // If a fixed segment is there, a path parameter that matches anything is the less likely meaning.
    if (b.startsWith('{')) cost += 0.1
    else if (a !== b) cost += nearest(a, [b]) ? 1 : wrong
  }
  return cost
}
