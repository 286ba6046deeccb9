import { OutboundFailure, type Outbound, type Sender, type Streamer } from '#src/ports/sender.ts'
import type { OpenedTraces } from './opened.ts'

type Ways = Sender & Streamer

/** The guarded fetch with a step for each request, which is sent with the trace that it belongs to. */
export function tracedSender<W extends Ways>(sender: W, traces: OpenedTraces): W {
  if (!traces.isOn) return sender
  const asked = <T extends { status: number }>(
    request: Outbound,
    ask: (request: Outbound) => Promise<T>,
  ): Promise<T> =>
    traces.step({ name: request.method, kind: 'client', facts: factsOf(request) }, async (tell) => {
      try {
        const headers = { ...request.headers, ...traces.headers() }
        const answer = await ask({ ...request, headers })
        const { status } = answer
        tell({ 'http.response.status_code': status }, status >= 400 ? String(status) : undefined)
        return answer
      } catch (cause) {
        if (cause instanceof OutboundFailure) tell({ 'abode.fault': cause.fault })
        throw cause
      }
    })
  return {
    ...sender,
    send: (request) => asked(request, (one) => sender.send(one)),
    load: (request) => asked(request, (one) => sender.load(one)),
    stream: (request) => asked(request, (one) => sender.stream(one)),
  }
}

/** Paths and queries may hold secrets. */
function factsOf({ method, url }: Outbound) {
  const place = URL.parse(url)
  const port = place?.port ? Number(place.port) : undefined
  return {
    'http.request.method': method,
    'server.address': place?.hostname,
    'server.port': port,
  }
}
