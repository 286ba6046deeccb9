import { afterAll } from 'vitest'

// The process outlives a run, and the next run reloads its test files: without a mutant.
afterAll(() => {
  const stryker: unknown = Reflect.get(globalThis, '__stryker__')
  if (typeof stryker === 'object' && stryker) Reflect.set(stryker, 'activeMutant', undefined)
})
