import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const file = new URL('../../../adapters/process/young-generation.ts', import.meta.url).href

/** Makes much that survives, and gives the largest size of the young generation while held and after. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { holdYoungGeneration, releaseYoungGeneration } from ${JSON.stringify(file)}
  const size = () =>
    getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size
  const kept = []
  const make = () => {
    let largest = 0
    for (let n = 0; n < 600_000; n++) {
      kept.push({ n, text: String(n) })
      if (n % 5_000 === 0) largest = Math.max(largest, size())
    }
    return largest
  }
  holdYoungGeneration()
  const held = make()
  releaseYoungGeneration()
  console.log(JSON.stringify({ held, released: make() }))
`

it('stays small while it is held, and grows with the load when it is released', async () => {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
  // What the program above writes.
  const { held, released } = JSON.parse(stdout) as { held: number; released: number }
  // On a busy machine a page more than the 8 MiB may be in use; one that grows takes several times as much.
  expect(held).toBeLessThan(12 * 2 ** 20)
  expect(released).toBeGreaterThan(1.4 * held)
})
