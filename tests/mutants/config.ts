import type { ViteUserConfig } from 'vitest/config'
import { areaNamed, testsOf } from './areas.ts'
import { endProcess, lastingPool } from './long-lived-worker.ts'

/**
 * The tests of the one area that Stryker is at work on, in a process that outlives a run. Stryker
 * names a pool of vitest's own over any that a configuration names, so this one is put in behind it.
 */
export const mutantsConfig = (area: string): ViteUserConfig => ({
  plugins: [
    {
      name: 'lasting-pool',
      configureVitest({ project, vitest }) {
        project.config.pool = lastingPool.name
        project.config.poolRunner = lastingPool
        vitest.onClose(endProcess)
      },
    },
  ],
  test: {
    include: testsOf(areaNamed(area)),
    isolate: false,
    setupFiles: ['tests/mutants/setup.ts'],
    // Many a mutant keeps from happening what a test waits for.
    testTimeout: 5_000,
    hookTimeout: 10_000,
    // Node loads the sources by itself, as it does in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
