import type { ServerResponse } from 'node:http'

/** Aborted when the caller goes away before its answer was sent to the end. */
export function goneSignal(response: ServerResponse, also?: AbortSignal): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return also ? AbortSignal.any([gone.signal, also]) : gone.signal
}
