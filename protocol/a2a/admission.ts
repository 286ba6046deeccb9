import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { errorOf, errorText, idIn, rpcCodes, type RpcError } from '#protocol/json-rpc.ts'
import { isJsonType } from '#protocol/media-type.ts'
import type { Policies } from '#protocol/policies.ts'
import { errorObject, httpWords, notJsonObject } from '#protocol/admission.ts'
import { objectDetail } from './errors/details.ts'
import { operationsExtension } from './names.ts'
import { requestHint } from './request-hint.ts'

const bodyBytesAtMost = 16 * 1024 * 1024
const json = 'application/json'
const post = 'Cards are read by GET, at .well-known/agent-card.json; all else is sent by POST. '

/** What is wrong with the request on the level of HTTP, or undefined when the protocol may handle it. */
export function objection(request: DoorRequest, policies: Policies): DoorAnswer | undefined {
  const { method, headers, rawLength = 0 } = request
  if (method !== 'POST') {
    const error = { code: 405, message: `This address takes POST only, not ${method}.` }
    const data = errorObject(405, error.message, request.requestId, post + requestHint())
    return refused(request, 405, { ...error, data }, { allow: 'POST' })
  }
  if (request.fault) {
    const { status, message, headers, refusal } = request.fault
    const error = refusal ? errorOf(refusal, request) : { message }
    return refused(request, status, { ...error, code: status }, headers)
  }
  if (!policies.hostPolicy(headers['host'] ?? '')) {
    const error = { code: 403, message: 'The Host header names another service.' }
    return refused(request, 403, error)
  }
  if (headers['origin'] !== undefined && !policies.originPolicy(headers['origin'])) {
    const error = { code: 403, message: httpWords.origin }
    return refused(request, 403, error)
  }
  if (rawLength > bodyBytesAtMost) {
    const error = { code: 413, message: httpWords.tooLarge(bodyBytesAtMost) }
    return refused(request, 413, error)
  }
  if (!isJsonType(headers['content-type'])) return refused(request, 415, wrongContentType(request))
  if (request.parseError || request.body === undefined) {
    const data = notJsonObject(request)
    return answered(
      errorText(null, { code: rpcCodes.parseError, message: httpWords.notJson, data }),
    )
  }
  return undefined
}

/** The protocol has a code of its own for this one. */
function wrongContentType({ requestId }: DoorRequest): RpcError {
  const { mediaType: message } = httpWords
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    domain: 'a2a-protocol.org',
  }
  const hint = `Send the header "Content-Type: ${json}".`
  return {
    code: -32005,
    message,
    data: [info, objectDetail(errorObject(415, message, requestId, hint))],
  }
}

/** An answer of the protocol; its text tells success or failure. */
export function answered(text: string | undefined, headers?: Record<string, string>): DoorAnswer {
  return text === undefined
    ? { status: 204, headers: { ...headers }, body: undefined }
    : { status: 200, headers: { 'content-type': json, ...headers }, body: text }
}

/** A request that HTTP itself refuses. */
export function refused(
  { body, requestId }: DoorRequest,
  status: number,
  error: RpcError,
  headers?: Readonly<Record<string, string>>,
): DoorAnswer {
  return {
    status,
    headers: { 'content-type': json, ...headers },
    body: errorText(idIn(body), { data: errorObject(status, error.message, requestId), ...error }),
  }
}

/** Version 0.3 named it with an X. */
const extensionHeaders = ['a2a-extensions', 'x-a2a-extensions']

/** Our own extension, if the request names it, under the header that named it. */
export function echoedExtensions(
  headers: DoorRequest['headers'],
  publicUrl: string,
): Record<string, string> {
  const extension = operationsExtension(publicUrl)
  for (const name of extensionHeaders) {
    const asked = headers[name]?.split(',').map((uri) => uri.trim())
    if (asked?.includes(extension)) return { [name]: extension }
  }
  return {}
}
