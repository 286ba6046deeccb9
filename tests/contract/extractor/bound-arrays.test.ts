import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

/** What a thread says of arrays, once they are bounded there. */
const code = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData).then(({ boundArrays }) => {
    const before = new Uint8Array(1)
    const wantedTooMuch = boundArrays()
    const failure = (make) => {
      try {
        make()
        return 'none'
      } catch (cause) {
        return cause.name
      }
    }
    const most = 64 * 2 ** 20
    parentPort.postMessage({
      most: [new Uint8Array(most).length, new ArrayBuffer(most).byteLength, wantedTooMuch()],
      more: [failure(() => new Uint8Array(most + 1)), failure(() => new ArrayBuffer(most + 1))],
      told: [wantedTooMuch(), wantedTooMuch()],
      kinds: [before instanceof Uint8Array, Buffer.from('x') instanceof Uint8Array],
      others: [Uint8Array.from([7])[0], new Uint8Array([7])[0], new Uint8Array(new ArrayBuffer(2)).length],
    })
  })
`

it('makes arrays of more bytes fail in the thread that reads, and tells that one was wanted', async () => {
  const module = new URL('../../../adapters/extractor/bound-arrays.ts', import.meta.url)
  const thread = new Worker(code, { eval: true, workerData: module.href })
  const [told] = (await once(thread, 'message')) as unknown[]
  expect(told).toEqual({
    most: [67_108_864, 67_108_864, false],
    more: ['RangeError', 'RangeError'],
    told: [true, false],
    kinds: [true, true],
    others: [7, 7, 2],
  })
  await thread.terminate()
})
