import type { AdmittingCore } from '#src/core/door.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Page } from './page.ts'
import { json, type Reply } from './reply.ts'

/** Why a process should get no requests now. */
export interface Reason {
  code: 'draining' | 'store_unavailable' | 'process_missing'
  message: string
}

/** The paths that health checks ask besides operations. */
export const probePaths = ['/livez', '/readyz']

/**
 * `/livez`, which says that the process answers, and `/readyz`, which says whether it should get requests.
 * @param reasons why it should not, none where it should
 */
export function probePages(reasons: () => Promise<readonly Reason[]>): [string, Page][] {
  return [
    [
      '/livez',
      { methods: ['GET', 'HEAD'], reply: () => Promise.resolve(told(200, { status: 'ok' })) },
    ],
    ['/readyz', { methods: ['GET', 'HEAD'], reply: async () => readiness(await reasons()) }],
  ]
}

function readiness(reasons: readonly Reason[]): Reply {
  if (reasons.length === 0) return told(200, { status: 'ready' })
  return told(503, { status: 'not_ready', reasons })
}

function told(status: number, body: object): Reply {
  const headers = { 'Content-Type': json, 'Cache-Control': 'no-store' }
  return { status, headers, body: JSON.stringify(body) }
}

/** The operations that health checks ask: they are open to all, and no limit counts them. */
export function probesOf({ catalog }: Pick<AdmittingCore, 'catalog'>): readonly Operation[] {
  return catalog.filter(({ auth, limits }) => auth === 'none' && limits?.length === 0)
}
