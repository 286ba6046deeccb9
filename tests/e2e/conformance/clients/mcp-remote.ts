import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, type Package } from '../fetched.ts'
import type { Client } from './client.ts'
import { inCommons, onPlatform } from './mcp-trials.ts'
import { overStdio } from './over-stdio.ts'
import type { Stage } from './stage.ts'
import type { Speak } from './voice.ts'

export const mcpRemote: Package = { name: 'mcp-remote', release: '0.15.1' }

/** The bridge that hosts start which only speak to local processes. */
export function bridged(stage: Stage): Client[] {
  const known = { name: mcpRemote.name, version: mcpRemote.release }
  return (['handshake', 'auto'] as const).flatMap((way) => {
    const mode = way === 'auto' ? 'from stdio to HTTP, negotiating' : 'from stdio to HTTP'
    const at = (door: string) => ({ speak: speaker(stage, door, way), stage })
    const [platform, commons] = ['/mcp', '/api/commons/mcp']
    return [
      { ...known, mode, door: platform, trials: onPlatform(at(platform)) },
      { ...known, mode, door: commons, trials: inCommons(at(commons)) },
    ]
  })
}

function speaker(stage: Stage, door: string, way: 'handshake' | 'auto'): Speak {
  return async (credential) => {
    const program = join(await fetched(mcpRemote), 'dist', 'proxy.js')
    const args = [program, stage.url + door, '--transport', 'http-only', '--silent']
    if (way === 'auto') args.push('--protocol', 'auto')
    if (credential !== undefined) {
      const headers = join(stage.folder, `headers-${randomUUID()}.txt`)
      await writeFile(headers, `Authorization: Bearer ${credential}\n`, { mode: 0o600 })
      args.push('--header-file', headers)
    }
    const env = { HOME: stage.folder, MCP_REMOTE_CONFIG_DIR: join(stage.folder, 'mcp-auth') }
    return overStdio({ args, env }, way)
  }
}
