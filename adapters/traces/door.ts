import type { Caller } from '#src/core/admission/caller.ts'
import { statusOf, type AdmittingCore, type Call } from '#src/core/door.ts'
import { keptTrace, sentTrace } from './headers.ts'
import type { OpenedTraces } from './opened.ts'

/** The core with a step for each call of an operation that arrives through one door. */
export function tracedDoor(
  inner: AdmittingCore,
  door: string,
  traces: OpenedTraces,
): AdmittingCore {
  if (!traces.isOn) return inner
  return {
    ...inner,
    serve(call) {
      const facts = { 'abode.operation': call.operation.name, 'abode.door': door }
      const step = {
        name: call.operation.name,
        kind: 'server',
        facts,
        ...namedBy(call, traces),
      } as const
      return traces.step(step, async (tell) => {
        const outcome = await inner.serve(call)
        const { refusal } = outcome
        const status = statusOf(call.operation, outcome)
        const caller = await callerOf(inner, call)
        const told = {
          'http.response.status_code': status,
          'abode.code': refusal?.code ?? 'ok',
          'abode.account_id': caller?.accountId,
        }
        tell(told, status >= 500 ? refusal?.code : undefined)
        return outcome
      })
    },
  }
}

/** A message may name a trace of its own, other than its request. */
function namedBy({ traceparent }: Call, traces: OpenedTraces): { of?: string } {
  const sent = sentTrace(traceparent)
  const now = traces.kept()
  return !sent || now?.startsWith(sent.traceparent) ? {} : { of: keptTrace(sent) }
}

/** Who called is remembered since the call; a credential that is no one's names no one. */
async function callerOf(inner: AdmittingCore, call: Call): Promise<Caller | undefined> {
  const known = call.admission?.caller
  const sent = call.credential ?? call.session
  return known ?? (sent ? await inner.identify(sent).catch(() => undefined) : undefined)
}
