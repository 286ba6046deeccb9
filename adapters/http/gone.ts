import type { ServerResponse } from 'node:http'

/** Aborted when the caller disconnects before its answer is sent completely. */
export function goneSignal(response: ServerResponse, also?: AbortSignal): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return also ? AbortSignal.any([gone.signal, also]) : gone.signal
}
