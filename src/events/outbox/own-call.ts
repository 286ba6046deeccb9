import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ports } from '#src/core/context.ts'

/**
 * The header by which this service tells itself from which run a call of one of its own hooks comes: what
 * that starts belongs to the chain of the run. It goes to no other address.
 */
export const runHeader = 'Abode-Run'

type Needed = Pick<Ports, 'settings' | 'sealer'>

/** That header, where a run calls a hook of this service. */
export function runHeaderFor(
  { settings, sealer }: Needed,
  url: string,
  runId: string | undefined,
): Record<string, string> {
  if (runId === undefined || !isOwnHook(url, settings.publicUrl)) return {}
  return { [runHeader.toLowerCase()]: `${runId}.${macOf(sealer, runId)}` }
}

/** The run that such a header names, if it is from here. */
export function runNamedBy(
  { sealer }: Pick<Needed, 'sealer'>,
  header: string | undefined,
): string | undefined {
  const [runId = '', mac = '', ...more] = header?.split('.') ?? []
  if (more.length > 0 || runId === '') return undefined
  const [sent, own] = [Buffer.from(mac), Buffer.from(macOf(sealer, runId))]
  return sent.length === own.length && timingSafeEqual(sent, own) ? runId : undefined
}

function macOf(sealer: Needed['sealer'], runId: string): string {
  return createHmac('sha256', sealer.derive('run of a call')).update(runId).digest('hex')
}

function isOwnHook(url: string, publicUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const [called, own] = [new URL(url), new URL(publicUrl)]
  const path = `${own.pathname.replace(/\/$/, '')}/api/hooks/`
  return called.origin === own.origin && called.pathname.startsWith(path)
}
