import { fileURLToPath } from 'node:url'
import type { Containers } from '#src/ports/containers.ts'
import type { Shell } from '#src/ports/shell.ts'
import { openShell } from './bubblewrap.ts'
import { openContainers } from './container.ts'

/** The configuration of the runtimes that are off by default. */
interface Chosen {
  work: readonly string[]
  shellRuntime: boolean
  containerRuntime: string | undefined
  dataDir: string
}

/**
 * The runtimes that the operator has switched on, each tested; none if this process runs no tasks.
 * @throws RuntimeUnusable
 */
export async function openRuntimes({
  work,
  shellRuntime,
  containerRuntime,
  dataDir,
}: Chosen): Promise<{ shell: Shell | null; containers: Containers | null }> {
  if (!work.includes('runner')) return { shell: null, containers: null }
  const program = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')
  return {
    shell: shellRuntime ? await openShell({ hidden: [dataDir, program] }) : null,
    containers: containerRuntime === undefined ? null : openContainers(containerRuntime),
  }
}
