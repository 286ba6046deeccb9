/** What a request says of the trace that it belongs to. */
export interface SentTrace {
  traceparent: string
  tracestate: string | undefined
}

const version =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/
const longestParent = 256
/** As much as W3C Trace Context asks to be passed on. */
const longestState = 512
const stateText = /^[\x20-\x7e\t]+$/

/** What is well-formed of it: a state is of no use without a parent, and goes where it is long. */
export function sentTrace(traceparent: unknown, tracestate?: unknown): SentTrace | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > longestParent) return undefined
  const [, ofVersion] = version.exec(traceparent) ?? []
  if (ofVersion === undefined || (ofVersion === '00' && traceparent.length !== 55)) return undefined
  const isState =
    typeof tracestate === 'string' &&
    tracestate.length <= longestState &&
    stateText.test(tracestate)
  return { traceparent, tracestate: isState ? tracestate : undefined }
}

/** As one text, to be kept. */
export function keptTrace({ traceparent, tracestate }: SentTrace): string {
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`
}

/** What was kept. */
export function traceOf(kept: string): SentTrace | undefined {
  const [traceparent, ...rest] = kept.split(' ')
  return sentTrace(traceparent, rest.length > 0 ? rest.join(' ') : undefined)
}
