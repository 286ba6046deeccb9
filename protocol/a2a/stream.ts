import type { Clock } from '#src/ports/clock.ts'
import type { DoorAnswer } from '#protocol/door.ts'

/** Proxies and idle timers close connections that are silent for long. */
const aliveMs = 15_000

/** Texts as server-sent events, at the pace of the reader. */
export function eventStream(texts: AsyncGenerator<string, void>, clock: Clock): DoorAnswer {
  const encoder = new TextEncoder()
  const comment = encoder.encode(':\n\n')
  let next: Promise<IteratorResult<string, void>> | undefined
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      next ??= texts.next()
      const over = new AbortController()
      const silent = clock.sleep(aliveMs, over.signal).then(
        () => undefined,
        () => undefined,
      )
      const came = await Promise.race([next, silent]).finally(() => over.abort())
      if (came === undefined) return controller.enqueue(comment)
      next = undefined
      if (came.done) return controller.close()
      return controller.enqueue(encoder.encode(`data: ${came.value}\n\n`))
    },
    async cancel() {
      // Ends as soon as the pending wait has ended, which closing the connection causes.
      await texts.return()
    },
  })
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
  return { status: 200, headers, body }
}
