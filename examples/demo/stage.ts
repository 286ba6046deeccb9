import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { A2a, Mcp, Rest } from './doors.ts'
import type { Gauges } from './gauges.ts'
import type { Screen } from './screen.ts'

/** The manifest as far as the demo looks into it. */
export interface Manifest {
  app_id: string
  name: string
  agents: { local_id: string; name: string; heart?: { tasks: { api_url?: string }[] } }[]
  webhook: { url: string; secret: string; events: string[] }
  [member: string]: unknown
}

/** A run as far as the demo looks into it. */
export interface Run {
  id: string
  char_id: string
  task_id: string
  status: string
  reason: string | null
  output: unknown
  error: { code: string; message: string } | null
  trigger: { type: string; caller?: { run_id?: string; message_id?: string } }
  parent_run_id: string | null
  approval_id: string | null
  resumed_from: string | null
}

/** What the steps of the demo work with. */
export interface Stage {
  screen: Screen
  /** Where the server is, without a final slash. */
  base: string
  gauges: Gauges
  manifest: Manifest
  /** The id of an agent of the team by its handle in the manifest. */
  idOf: (localId: string) => string
  rest: Rest
  mcp: Mcp
  a2a: A2a
  key: string
  /** Where a person takes the account over. */
  claimUrl: string
}

/**
 * The team's manifest with a unique app id, a random secret, and the address of the gauges that the
 * demo started.
 */
export async function readManifest(gauges: Gauges): Promise<Manifest> {
  const text = await readFile(new URL('manifest.json', import.meta.url), 'utf8')
  // The file is the demo's own.
  const manifest = JSON.parse(text) as Manifest
  for (const task of manifest.agents.flatMap(({ heart }) => heart?.tasks ?? [])) {
    if (task.api_url !== undefined) {
      task.api_url = gauges.origin + new URL(task.api_url).pathname
    }
  }
  const suffix = Math.random().toString(36).slice(2, 8).padEnd(6, '0')
  const { events } = manifest.webhook
  const webhook = { url: `${gauges.origin}/hooks`, secret: randomBytes(24).toString('hex'), events }
  return { ...manifest, app_id: `${manifest.app_id}-${suffix}`, webhook }
}
