import type { PartialStrykerOptions } from '@stryker-mutator/api/core'
import type { Area } from './areas.ts'

/** How Stryker works on an area. */
export function optionsFor({ name, files }: Area, concurrency: number): PartialStrykerOptions {
  return {
    mutate: [...files],
    testRunner: 'vitest',
    // The related tests are those that the area names; the pool is put in by the configuration.
    vitest: { configFile: 'vitest.config.ts', related: false, pool: 'forks' },
    // Each mutant runs the tests that reach it, until one fails.
    coverageAnalysis: 'perTest',
    // Code that runs once, as a file is loaded, would need a process of its own for each mutant: it
    // is tables and schemas, which the tests of the catalog and of the documents cover.
    ignoreStatic: true,
    appendPlugins: ['./tests/mutants/ignored.ts'],
    ignorers: ['ignored'],
    concurrency,
    // A test that waits for what a mutant keeps from happening gives up by itself; this is for loops.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 15,
    // TypeScript 7 has no parser that Stryker could read the file with, and the tests need none.
    tsconfigFile: 'none',
    ignorePatterns: ['data'],
    tempDirName: `.stryker-tmp/${name}`,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  }
}
