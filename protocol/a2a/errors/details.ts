import type { A2AError } from '@a2a-js/sdk/errors'
import type { FaultItem } from '#src/core/errors.ts'

const types = 'type.googleapis.com/google'

/** The object that every door gives of an error, whose code may be one of the protocol alone. */
interface AnyErrorObject {
  detail: string
  code: string
  errors?: readonly FaultItem[]
  hint?: string
  request_id: string
}

/**
 * A refusal as the `data` of an error of the protocol's own methods: its reason, the faults of its fields, and the
 * object that every door gives.
 * Source: A2A 1.0, section 9.5.
 */
export function detailsOf(refusal: AnyErrorObject): object[] {
  const { code, request_id, errors } = refusal
  const reason = code.toUpperCase()
  return [
    { '@type': `${types}.rpc.ErrorInfo`, reason, domain: 'abode', metadata: { request_id } },
    ...(errors
      ? [{ '@type': `${types}.rpc.BadRequest`, fieldViolations: errors.map(violation) }]
      : []),
    objectDetail(refusal),
  ]
}

/** An error of the protocol in the same form: its own reason, which in small letters is the code of the object. */
export function detailsOfError(error: A2AError, requestId: string): object[] {
  const info = error.toErrorInfo()
  const { detail, hint } = parts.get(error) ?? { detail: error.message }
  const code = info.reason.toLowerCase()
  const object = { detail, code, ...(hint !== undefined && { hint }), request_id: requestId }
  return [info, objectDetail(object)]
}

/** The object of an error as one of its details. */
export function objectDetail(value: object): object {
  return { '@type': `${types}.protobuf.Struct`, value }
}

const parts = new WeakMap<Error, { detail: string; hint: string }>()

/** An error of the protocol that says what to do next: in its message, which some read alone, and in its details. */
export function leading<E extends A2AError>(
  Made: new (message: string) => E,
  detail: string,
  hint: string | undefined,
): E {
  if (hint === undefined) return new Made(detail)
  const error = new Made(`${detail} ${hint}`)
  parts.set(error, { detail, hint })
  return error
}

function violation({ pointer, message }: FaultItem): object {
  return { field: fieldOf(pointer), description: message }
}

/** A JSON Pointer in the notation of google.rpc, such as `message.parts[0].text`. */
export function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
}
