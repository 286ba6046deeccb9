import * as z from 'zod'
import type {
  ZodOpenApiComponentsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { oauthPaths } from '#src/core/authorization/paths.ts'
import { scopeWords } from '#src/core/authorization/scopes.ts'
import { codes, commonCodes, kinds, type Code } from '#src/core/errors.ts'
import { howToGetHandle, howToGetKey, signUpOf } from '#src/core/admission/sign-up.ts'
import { hasCommons, isOfCommons, readsBody, scopeOf, toolName } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { commonsCodes, CommonsFailure, enveloped } from './openapi-commons.ts'
import { Fault } from './openapi-fault.ts'
import { paymentHeaders, unpaid } from './openapi-payment.ts'

const Failure = z
  .object({
    detail: z.string().describe('What is wrong, for people.'),
    code: z.string().describe('What is wrong, for programs; never renamed.'),
    errors: z.array(Fault).optional().describe('Every fault of an input.'),
    hint: z.string().optional().describe('What to do next.'),
    retry_after_s: z.number().optional(),
    request_id: z.string().describe('Name it when you ask about the failure.'),
  })
  .meta({ id: 'Error' })

const Problem = Failure.extend({
  type: z.string(),
  title: z.string(),
  status: z.int(),
}).meta({
  id: 'Problem',
  description: 'The same as RFC 9457 problem details, where Accept names them.',
})

const limitHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/**
 * The components that responses and security of the operations of a catalog refer to.
 * @param publicUrl where the service is reached, without a final slash
 */
export function componentsOf(
  catalog: readonly OperationFacts[],
  publicUrl: string,
): ZodOpenApiComponentsObject {
  const signUp = signUpOf(catalog)
  const { handle, key, session } = components.securitySchemes
  const isOpen = signUp.mode === 'open'
  return {
    ...components,
    securitySchemes: {
      key: isOpen
        ? key
        : { ...key, description: `A key of an account. ${howToGetKey(signUp, '')}` },
      session,
      oauth2: signInAt(publicUrl),
      ...(hasCommons(catalog) && {
        handle: isOpen
          ? handle
          : { ...handle, description: `The token of a handle. ${howToGetHandle(signUp, '')}` },
      }),
    },
  }
}

/** How a program signs a person in, which needs no key. */
function signInAt(publicUrl: string) {
  const tokenUrl = publicUrl + oauthPaths.token
  const authorizationUrl = publicUrl + oauthPaths.authorize
  return {
    type: 'oauth2',
    description: 'A program that a person has connected: the code flow with PKCE.',
    flows: {
      authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes: scopeWords },
    },
  } as const
}

const components = {
  securitySchemes: {
    key: {
      type: 'http',
      scheme: 'bearer',
      description: 'A key of an account (ab_…): POST /api/agent-claim gives one.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'abode_session',
      description:
        'A signed-in person (POST /api/auth/login); behind TLS the cookie is called __Host-abode_session. Changes need an Origin of this service.',
    },
    handle: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The token of a Commons handle (cmn_…): GET /api/commons/challenge, then POST /api/commons/identities, gives one.',
    },
  },
  headers: {
    ETag: text('The state that the answer shows; quoted revision or weak tag.', '"3"'),
    RateLimit: text('The limit that is closest to being used up.', '"writes";r=599;t=12'),
    RateLimitPolicy: text('Its count and its window in seconds.', '"writes";q=600;w=60'),
    RequestId: text('The X-Request-Id of the request, or one that was made.', 'b9e0c6b0'),
    RetryAfter: text('Seconds to wait.', '12'),
  },
} as const satisfies ZodOpenApiComponentsObject

function text(description: string, example: string) {
  return { description, schema: { type: 'string' }, example } as const
}

/** Success, and every status of a refusal with its codes. */
export function responsesOf(op: OperationFacts, refusal: Refusals): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = { [op.http.status ?? 200]: success(op, 'Done.') }
  if (op.http.mayPreview) responses['200'] = success(op, 'What would be done; nothing was.')
  // Only runs are accepted for later, and each counts against this quota.
  if (op.http.mayAccept) responses['202'] = success(op, 'Accepted; it has not ended yet.')
  if (op.http.method === 'GET' && !op.secret) {
    responses['304'] = { description: 'Unchanged.', headers: { ETag: etag, ...requestId } }
  }
  for (const [status, names] of refusalsOf(op)) {
    responses[status] =
      status === '402' ? toBePaid(op, names) : refusal(status, names, isOfCommons(op))
  }
  return responses
}

/** Not shared with other operations: it shows what is to be paid for. */
function toBePaid(op: OperationFacts, names: readonly string[]): ZodOpenApiResponseObject {
  const { headers, content } = refusal('402', names, false)
  const described = { ...content['application/json'], schema: unpaid(op, Failure) }
  return {
    id: `Refusal402_${toolName(op)}`,
    description: `${listed(names)}: what was made is kept, and shown here.`,
    headers: { ...headers, ...paymentHeaders },
    content: { ...content, 'application/json': described },
  }
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

const etag = { $ref: '#/components/headers/ETag' }

function success(op: OperationFacts, description: string): ZodOpenApiResponseObject {
  const text = { schema: { type: 'string' } } as const
  const schema = isOfCommons(op) ? enveloped(op) : op.output
  return {
    description,
    headers: { ETag: etag, ...limitHeaders, ...requestId },
    content: {
      'application/json': { schema },
      ...(op.follow !== undefined && { 'text/event-stream': text }),
      ...(op.lines && { 'application/x-ndjson': text }),
    },
  }
}

type Status = `${4 | 5}${string}`

/** Every status that the operation may refuse with, and the codes behind it. */
function refusalsOf(op: OperationFacts): [Status, string[]][] {
  const own = [...commonCodes.filter((code) => mayAnswer(op, code)), ...op.refuses]
  const named = isOfCommons(op) ? commonsCodes(op, own) : own
  const all = [
    ...named.map((code) => [kinds[codes[code]].status, code] as const),
    ...ofHttpAlone(op),
  ]
  const byStatus = Map.groupBy(all, ([status]) => status)
  return [...byStatus.keys()]
    .sort((a, b) => a - b)
    .map((status) => {
      const names = new Set(byStatus.get(status)?.map(([, code]) => code))
      // Refusals have statuses of 400 and above only.
      return [String(status) as Status, [...names]]
    })
}

/** Whether this operation can answer with a code that any operation may. */
function mayAnswer(op: OperationFacts, code: Code): boolean {
  switch (code) {
    case 'body_not_object':
      return readsBody(op.http) && !op.http.raw
    case 'bad_json':
    case 'payload_too_large':
    case 'too_deep':
      return readsBody(op.http)
    case 'idempotency_key_invalid':
    case 'idempotency_conflict':
      return op.http.method === 'POST'
    case 'unauthenticated':
    case 'invalid_credential':
      return op.auth !== 'none'
    case 'scope_forbidden':
      return op.auth !== 'none' && op.scope !== 'agent'
    case 'role_needed':
      // What reads is every role's.
      return op.auth !== 'none' && !op.ofPerson && scopeOf(op) !== 'read'
    case 'rate_limited':
      return op.limits?.length !== 0
    default:
      return true
  }
}

function ofHttpAlone(op: OperationFacts): (readonly [number, string])[] {
  const always = [
    [400, 'bad_address'] as const,
    [403, 'host_mismatch'] as const,
    [403, 'origin_mismatch'] as const,
    [406, 'not_acceptable'] as const,
  ]
  return readsBody(op.http) ? [...always, [415, 'unsupported_media_type']] : always
}

/** Gives the response for a status and its codes. */
export type Refusals = (
  status: Status,
  names: readonly string[],
  inCommons: boolean,
) => ZodOpenApiResponseObject

/** The refusals of one document: each combination once, as a component that operations refer to. */
export function sharedRefusals(): Refusals {
  const known = new Map<string, ZodOpenApiResponseObject>()
  const counts = new Map<string, number>()
  return (status, names, inCommons) => {
    const description = listed(names)
    const kind = `${inCommons ? 'Commons' : ''}Refusal${status}`
    const same = known.get(`${kind} ${description}`)
    if (same) return same
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const id = count === 1 ? kind : `${kind}_${count}`
    const response = { id, description, ...refusal(status, names, inCommons) }
    known.set(`${kind} ${description}`, response)
    return response
  }
}

function refusal(status: Status, names: readonly string[], inCommons: boolean) {
  const isTimed = status === '429' || status === '503'
  const headers = {
    ...requestId,
    ...(isTimed && retryAfter),
    ...(status === '429' && limitHeaders),
  }
  // Its examples would repeat the envelope; a page has a section for every code.
  if (inCommons) return { headers, content: { 'application/json': { schema: CommonsFailure } } }
  const examples = Object.fromEntries(
    names.map((code) => [
      code,
      { value: { detail: sentence(code), code, request_id: 'b9e0c6b0' } },
    ]),
  )
  return {
    headers,
    content: {
      'application/json': { schema: Failure, examples },
      'application/problem+json': { schema: Problem },
    },
  }
}

function sentence(code: string): string {
  return `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}.`
}
