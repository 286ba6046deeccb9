import { randomUUID } from 'node:crypto'
import type { Door, DoorAnswer } from '#protocol/door.ts'
import type { Carrier } from './relay.ts'

interface Inside {
  door: Door
  /** The public URL of the service, on which nothing listens. */
  publicUrl: string
  /** Which tools are listed. */
  query: string
}

/** A door in this process, called without HTTP. */
export function insideCarrier({ door, publicUrl, query }: Inside): Carrier {
  const { host } = new URL(publicUrl)
  return {
    async send({ value, bytes }, headers, signal) {
      const answer = await door.handle({
        method: 'POST',
        headers: { ...headers, host },
        query: new URLSearchParams(query),
        body: value,
        rawLength: bytes,
        address: 'local',
        requestId: randomUUID(),
        signal,
      })
      return { ...answer, contentType: contentTypeOf(answer) }
    },
  }
}

function contentTypeOf({ headers }: DoorAnswer): string {
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')
  return entry?.[1] ?? ''
}
