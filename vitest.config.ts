import { availableParallelism } from 'node:os'
import {
  defineConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import { mutantsConfig } from './tests/mutants/config.ts'
import { LongestFirst } from './tests/support/suite/longest-first.ts'

const all = 'tests/**/*.test.ts'

/**
 * Files that need a process of their own: they start others, set its environment or the flags of
 * its engine, or mock a module of Node's. A file that only looks at a server stays out of the list,
 * because it would have to load all sources again.
 */
const alone = [
  'tests/agents/copies/*.test.ts',
  'tests/e2e/!(examples|mcp|schedules).test.ts',
  'tests/e2e/!(documents)/**/*.test.ts',
  'tests/guides/move.test.ts',
  'tests/house/expressions.test.ts',
  'tests/adapters/uploads.test.ts',
  'tests/accounts/people/passwords.test.ts',
]

const project = (test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test,
})

const suite: ViteUserConfig = {
  test: {
    projects: [
      project({ name: 'alone', include: alone }),
      // Loading the sources again would take longer than most of these files.
      project({ name: 'together', include: [all], exclude: alone, isolate: false }),
    ],
    globalSetup: ['tests/support/suite/databases.ts'],
    pool: 'forks',
    // Tests wait for stores and clients, but what they start takes the cores too.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // For what hangs: a machine that others use may be several times slower than usual.
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
}

const { MUTANTS_AREA: area } = process.env
export default defineConfig(area === undefined ? suite : mutantsConfig(area))
