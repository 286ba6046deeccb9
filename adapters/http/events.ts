import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { StreamEvent } from '#src/core/answer.ts'

const aliveMs = 15_000

/** Writes events as they happen, at the pace of the reader, until they end. */
export async function pourEvents(
  events: AsyncIterable<StreamEvent>,
  response: ServerResponse,
): Promise<void> {
  // Proxies and this server's own idle timer close connections that are silent for long.
  const alive = setInterval(() => response.write(':\n\n'), aliveMs)
  try {
    for await (const { id, type, text } of events) {
      if (response.destroyed) break
      const flows = response.write(`id: ${id}\nevent: ${type}\ndata: ${text}\n\n`)
      if (!flows) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
  } finally {
    clearInterval(alive)
    response.end()
  }
}
