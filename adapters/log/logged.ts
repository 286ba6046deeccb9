import type { Caller } from '#src/core/admission/caller.ts'
import { statusOf, type AdmittingCore, type Heading, type Outcome } from '#src/core/door.ts'
import type { Log } from '#src/ports/log.ts'

/** Writes the line of a request that was refused before it met an operation, as at an unknown path. */
export function logRefused(
  log: Log,
  { status, code }: { status: number; code: string },
  { requestId, seconds }: { requestId: string; seconds: number },
): void {
  log.info('request', {
    operation: null,
    status,
    code,
    duration_ms: Math.round(seconds * 10_000) / 10,
    account_id: null,
    key_id: null,
    door: 'rest',
    request_id: requestId,
  })
}

/** Writes one line for each call of an operation that arrives through one door. */
export function logged(inner: AdmittingCore, door: string, log: Log): AdmittingCore {
  const write = async (
    call: Heading,
    begun: number,
    outcome: Outcome,
    known: Caller | undefined,
  ): Promise<void> => {
    const duration_ms = Math.round((performance.now() - begun) * 10) / 10
    const sent = call.credential ?? call.session
    // Who called is remembered since the call; a credential that is no one's names no one.
    const caller = known ?? (sent ? await inner.identify(sent).catch(() => undefined) : undefined)
    log.info('request', {
      operation: call.operation.name,
      status: statusOf(call.operation, outcome),
      code: outcome.refusal?.code ?? null,
      duration_ms,
      account_id: caller?.accountId ?? null,
      key_id: caller?.kind === 'key' ? caller.keyId : null,
      door,
      request_id: call.requestId,
    })
  }
  return {
    ...inner,
    async admit(heading) {
      const begun = performance.now()
      const admitted = await inner.admit(heading)
      if (admitted?.refusal) void write(heading, begun, admitted, undefined)
      return admitted
    },
    async serve(call) {
      const begun = performance.now()
      const outcome = await inner.serve(call)
      void write(call, begun, outcome, call.admission?.caller)
      return outcome
    },
  }
}
