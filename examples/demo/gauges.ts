import { EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the gauges of a station show. */
export interface Readings {
  station: string
  wind_knots: number
  gusts_knots: number
  wind_from: string
  tide_cm: number
  high_water: string
  visibility_m: number
}

export function readingsOf(station: string): Readings {
  return {
    station,
    wind_knots: 31,
    gusts_knots: 42,
    wind_from: 'south-west',
    tide_cm: 412,
    high_water: '06:48',
    visibility_m: 1800,
  }
}

/** A call that came to `/hooks`, as it came. */
export interface Received {
  headers: IncomingHttpHeaders
  /** Not yet parsed: the signature is of these bytes. */
  body: string
}

export interface Gauges {
  origin: string
  /** Every call to `/hooks` so far. */
  received: readonly Received[]
  /** Resolves with the next call to `/hooks` that this holds for, be it here already. */
  hears(isMeant: (call: Received) => boolean, signal: AbortSignal): Promise<Received>
  close(): void
}

/**
 * The service that the team's `api` task asks: it answers the POST of a run with the readings of
 * the station in the run's input. Its `/hooks` take the webhook of the app.
 * @param port a port that the other side was told to let through; another one where it is taken
 */
export async function startGauges(port: number): Promise<Gauges> {
  const received: Received[] = []
  const heard = new EventEmitter()
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ headers: request.headers, body: await textOf(request) })
    response.writeHead(204).end()
    heard.emit('call')
  }
  const server = createServer((request, response) => {
    void (request.url === '/hooks' ? hear(request, response) : answer(request, response))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  // A server that listens on a host has an address with a port, not the path of a pipe.
  const own = (server.address() as AddressInfo).port
  return {
    origin: `http://127.0.0.1:${own}`,
    received,
    async hears(isMeant, signal) {
      for (;;) {
        const call = received.find(isMeant)
        if (call) return call
        await once(heard, 'call', { signal })
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    // What the api runtime posts.
    const { input } = JSON.parse(await textOf(request)) as { input: { station: string } }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(readingsOf(input.station)))
  } catch {
    response.writeHead(400).end()
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}
