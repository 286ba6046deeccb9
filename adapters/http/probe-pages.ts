import type { AdmittingCore } from '#src/core/door.ts'
import type { Operation } from '#src/core/operation.ts'
import { isFromHere } from './metrics-page.ts'
import type { Page } from './page.ts'
import { json, type Reply } from './reply.ts'

/** Why a process should get no requests now. */
export interface Reason {
  code: 'draining' | 'store_unavailable' | 'process_missing'
  message: string
}

/** How a process stands. */
export interface Readiness {
  /** Why it should get no requests; none where it should. */
  reasons: readonly Reason[]
  /** What else it is, for its operator. */
  facts: Readonly<Record<string, unknown>>
}

/** The paths that health checks ask besides operations. */
export const probePaths = ['/livez', '/readyz']

/**
 * `/livez`, which says that the process answers, and `/readyz`, which says whether it should get requests.
 * @param isPrivate whether only the operator can ask; else only this machine is told the facts
 */
export function probePages(look: () => Promise<Readiness>, isPrivate: boolean): [string, Page][] {
  return [
    [
      '/livez',
      { methods: ['GET', 'HEAD'], reply: () => Promise.resolve(told(200, { status: 'ok' })) },
    ],
    [
      '/readyz',
      {
        methods: ['GET', 'HEAD'],
        reply: async (ctx) => readiness(await look(), isPrivate || isFromHere(ctx)),
      },
    ],
  ]
}

function readiness({ reasons, facts }: Readiness, isShown: boolean): Reply {
  const shown = isShown ? facts : {}
  const reply =
    reasons.length === 0
      ? told(200, { status: 'ready', ...shown })
      : told(503, { status: 'not_ready', reasons, ...shown })
  // The facts are for whom asks from this machine, and not for pages that a browser on it shows.
  return isShown ? { ...reply, ownOrigins: true } : reply
}

function told(status: number, body: object): Reply {
  const headers = { 'Content-Type': json, 'Cache-Control': 'no-store' }
  return { status, headers, body: JSON.stringify(body) }
}

/** The operations that health checks ask: they are open to all, and no limit counts them. */
export function probesOf({ catalog }: Pick<AdmittingCore, 'catalog'>): readonly Operation[] {
  return catalog.filter(({ auth, limits }) => auth === 'none' && limits?.length === 0)
}
