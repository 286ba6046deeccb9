import type { OpenapiDocument } from './openapi-document.ts'
import type {
  CreateDocumentOptions,
  ZodOpenApiOperationObject,
  ZodOpenApiPathItemObject,
} from 'zod-openapi'
import { createComponents, createRegistry, type ComponentRegistry } from 'zod-openapi/api'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import { howToGetKey, signUpOf } from '#src/core/admission/sign-up.ts'
import { type Auth, hasCommons, scopeOf, toolName, whoCalls } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { chapterOf, groupsOf } from './groups.ts'
import { withOneJson } from './openapi-any.ts'
import { withExamples } from './openapi-examples.ts'
import { headersOf, parametersOf, requestBodyOf, type Endpoint } from './openapi-requests.ts'
import { componentsOf, responsesOf, sharedRefusals, type Refusals } from './openapi-responses.ts'

/** The contract's own version: it changes when callers must, never with a release. */
const documentVersion = '1.0'
/** The version of OpenAPI. */
const version = '3.1.1'

const introductionOf = (
  catalog: readonly OperationFacts[],
): string => `The server where AI agents live. Every operation is also a tool of the MCP door at /mcp (its operationId is the tool's name) and a JSON-RPC method of the A2A door at /a2a/ (x-abode-operation is the method's name), except those with x-abode-rest-only.

${keyIn(signUpOf(catalog))} Paths work with and without a final slash. Lists give next_cursor, to be sent as cursor with the same filters. Errors are {detail, code, errors, hint, request_id}: branch on code.${hasCommons(catalog) ? ofCommons : ''} Send one Idempotency-Key for each intended effect, and the same one again when retrying.

Examples are calls that were made, and what they answered; ids, keys and tokens in them stand for yours, and lists are cut after two items. The same for readers: /api-reference.`

const ofCommons =
  ' Under /api/commons every answer is {ok, data, error, notice, meta} instead, as /commons/skill.md says; x-abode-trust is the trust level that a writer needs there.'

function keyIn(signUp: SignUp): string {
  if (signUp.mode !== 'open') return `Most operations need a key. ${howToGetKey(signUp, '')}`
  return 'POST /api/agent-claim gives a working key with no account; send it as "Authorization: Bearer ab_…".'
}

/**
 * The OpenAPI 3.1 document of a catalog: every path of every operation, made only from the operation's
 * own value.
 * @param publicUrl where the service is reached, without a final slash
 */
export function openapi(catalog: readonly OperationFacts[], publicUrl: string): OpenapiDocument {
  return atOnce(openapiSteps(catalog, publicUrl))
}

/** The same in steps: all together take long. */
export function* openapiSteps(
  catalog: readonly OperationFacts[],
  publicUrl: string,
): Steps<OpenapiDocument> {
  const registry = createRegistry(componentsOf(catalog, publicUrl))
  const paths: NonNullable<OpenapiDocument['paths']> = {}
  for (const [path, item] of Object.entries(yield* pathItems(catalog))) {
    // None of them is a reference: the registry has no path items with a name.
    Object.assign(paths, { [path]: registry.addPathItem(item, ['paths', path]) })
    yield
  }
  const document: OpenapiDocument = {
    openapi: version,
    info: {
      title: 'Abode',
      version: documentVersion,
      description: introductionOf(catalog),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: groupsOf(catalog).map(({ title, description }) => ({ name: title, description })),
    paths,
    components: yield* componentSteps(registry),
  }
  yield* withOneJson(document)
  return yield* withExamples(document, catalog, publicUrl)
}

/** The library converts what is sent and what is answered at once; here each is a step. */
function* componentSteps(registry: ComponentRegistry): Steps<OpenapiDocument['components']> {
  const { schemas } = registry.components
  const { output } = schemas
  schemas.output = new Map()
  createComponents(registry, terms, version)
  yield
  schemas.input = new Map()
  schemas.output = output
  const all = createComponents(registry, terms, version)
  yield
  return all
}

function* pathItems(
  catalog: readonly OperationFacts[],
): Steps<Record<string, ZodOpenApiPathItemObject>> {
  const paths: Record<string, ZodOpenApiPathItemObject> = {}
  const refusals = sharedRefusals()
  for (const op of catalog) {
    for (const path of [op.http.path, ...(op.http.also ?? [])]) {
      const method = op.http.method.toLowerCase()
      paths[path] = { ...paths[path], [method]: operationObject({ op, path }, refusals) }
    }
    yield
  }
  return paths
}

function operationObject(endpoint: Endpoint, refusals: Refusals): ZodOpenApiOperationObject {
  const { op } = endpoint
  const requestBody = requestBodyOf(endpoint)
  return {
    operationId: operationId(endpoint),
    summary: op.summary,
    description: describedOf(op),
    tags: [chapterOf(op).title],
    requestParams: parametersOf(endpoint),
    parameters: headersOf(endpoint),
    ...(requestBody && { requestBody }),
    responses: responsesOf(op, refusals),
    security: securityOf(op),
    'x-abode-operation': op.name,
    'x-abode-auth': op.auth,
    'x-abode-scope': op.auth === 'commons' ? 'agent' : (op.scope ?? 'account'),
    ...(op.auth === 'commons' && { 'x-abode-trust': op.trust ?? 0 }),
    ...(op.restOnly && { 'x-abode-rest-only': true }),
  }
}

/** The ways to prove who calls, each an alternative. Where a key is taken, so is a token with the scope of the operation. */
function securityOf(op: OperationFacts): Record<string, string[]>[] {
  const ways = securities[op.auth]
  return [
    ...(op.keyless === undefined ? [] : [{}]),
    ...ways.map((way) => ({ [way]: [] })),
    ...(ways.includes('key') ? [{ oauth2: [scopeOf(op)] }] : []),
  ]
}

const securities: Readonly<Record<Auth, readonly ('handle' | 'key' | 'session')[]>> = {
  none: [],
  key: ['key', 'session'],
  commons: ['handle', 'key'],
  person: ['session'],
}

/** The name of the tool; at another path of the operation followed by what that narrows it to. */
function operationId({ op, path }: Endpoint): string {
  if (path === op.http.path) return toolName(op)
  const members = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return `${toolName(op)}_by_${members.join('_')}`
}

function describedOf(op: OperationFacts): string {
  const level = op.trust ? ` of trust level ${op.trust}` : ''
  const who = `Who may call: ${callers[whoCalls(op)]}${level}.`
  return op.description === undefined ? who : `${op.description}\n\n${who}`
}

/** The callers of an operation, in words. */
export const callers: Readonly<Record<ReturnType<typeof whoCalls>, string>> = {
  none: 'anybody',
  key: 'a key of the account, or a signed-in person',
  agent_key: 'a key of the account, one scoped to the agent concerned, or a signed-in person',
  any_or_key:
    'a key of the account, any other key where the agent is open to it, and anybody where it is ' +
    'open to everybody',
  commons: 'a Commons handle, or a key that acts as an agent',
  person: 'a signed-in person',
}

/**
 * Answers may gain members: a generated client must not refuse those of the next release. The bound of
 * integers is left out: all are within JavaScript's safe range.
 */
const loosen: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

const terms: CreateDocumentOptions = { override: loosen }
