import { parentPort } from 'node:worker_threads'
import type { Material } from '#src/ports/extractor.ts'
import { boundArrays } from './bound-arrays.ts'
import { giveWay } from './give-way.ts'
import { tooCostly } from './limits.ts'
import type { Reply, Request } from './message.ts'
import { faultOf, repliesOf } from './parts.ts'
import { read } from './read.ts'

/** No reader has a reason to fetch anything. */
globalThis.fetch = () => Promise.reject(new Error('nothing is fetched here'))

// A library may leave a failing promise unhandled; the awaited one fails by itself.
process.on('unhandledRejection', () => undefined)

async function* repliesTo(material: Material): AsyncGenerator<Reply> {
  yield* repliesOf(await read(material))
}

if (parentPort) {
  const wantedTooMuch = boundArrays()
  giveWay()
  const port = parentPort
  let replies: AsyncGenerator<Reply> | undefined
  const answer = async (): Promise<void> => {
    try {
      const next = await replies?.next()
      if (next && !next.done) port.postMessage(next.value)
    } catch (cause) {
      port.postMessage(faultOf(wantedTooMuch() ? tooCostly() : cause))
    }
  }
  // Only the extractor writes to this port.
  port.on('message', (request: Request) => {
    if (request !== 'more') {
      wantedTooMuch()
      replies = repliesTo(request.material)
    }
    void answer()
  })
}
