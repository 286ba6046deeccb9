import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { agentsJson } from '#src/documents/agents-json.ts'
import { sending, serving, type Serving } from '#tests/adapters/serve.ts'
import { solved } from '#tests/support/members.ts'
import { AgentsJson, followed, type Found, type Request } from './flows.ts'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

interface Documented {
  operationId: string
  parameters: Found['parameters']
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Contract {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, Schema> }
}

let server: Serving
let contract: Contract
let document: AgentsJson
beforeAll(async () => {
  server = await serving({ ABODE_POW_BITS: '2', ABODE_RATE_LIMITS: 'off' }, catalog)
  const read = await server.ask('/.well-known/agents.json')
  document = AgentsJson.parse(JSON.parse(read.text))
  const source = document.sources[0]?.path ?? ''
  // The OpenAPI document, whose form other tests check.
  contract = JSON.parse((await server.ask(source.slice(server.url.length))).text) as Contract
})
afterAll(() => server[Symbol.asyncDispose]())

const json = 'application/json'

function operation(id: string): Found {
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const [method, one] of Object.entries(item)) {
      if (one.operationId !== id) continue
      const { parameters, requestBody, responses } = one
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
      const body = requestBody?.content[json]?.schema
      return { method, path, parameters, body, answer: success?.content?.[json]?.schema }
    }
  }
  throw new Error(`the contract has no ${id}`)
}

/** Whether a value of the schema may have something at the path. */
function leads(schema: unknown, names: readonly string[]): boolean {
  const [name, ...rest] = names
  if (name === undefined) return true
  const { $ref, properties, anyOf = [] } = (schema ?? {}) as Schema
  if ($ref !== undefined) {
    return leads(contract.components.schemas[$ref.split('/').at(-1) ?? ''], names)
  }
  if (properties?.[name]) return leads(properties[name], rest)
  return anyOf.some((one) => leads(one, names))
}

describe('agents.json', () => {
  it('names each flow, each action of a flow, and each source once', () => {
    const ids = document.flows.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { actions } of document.flows) {
      expect(new Set(actions.map(({ id }) => id)).size).toBe(actions.length)
      for (const { sourceId } of actions) expect(sourceId).toBe(document.sources[0]?.id)
    }
  })

  it('links only what the contract has, from earlier to later', () => {
    for (const { id, actions, links, fields } of document.flows) {
      const order = [id, ...actions.map((action) => action.id), id]
      for (const { origin, target } of links) {
        expect(order.indexOf(origin.actionId)).toBeGreaterThanOrEqual(0)
        expect(order.lastIndexOf(target.actionId)).toBeGreaterThan(order.indexOf(origin.actionId))
        for (const [end, isOrigin] of [
          [origin, true],
          [target, false],
        ] as const) {
          const names = end.fieldPath.split('.')
          const [place = '', first = ''] = names
          if (end.actionId === id) {
            const own = isOrigin
              ? fields.parameters.some(({ name }) => end.fieldPath === `parameters.${name}`)
              : first === 'success' && (names[2] ?? '') in fields.responses.success.properties
            expect([end, own]).toEqual([end, true])
            continue
          }
          const found = operation(end.actionId)
          const has =
            place === 'parameters'
              ? found.parameters.some(({ name }) => name === first)
              : leads(
                  place === 'requestBody' ? found.body : found.answer,
                  names.slice(isOrigin ? 2 : 1),
                )
          expect([end, has]).toEqual([end, true])
        }
      }
    }
  })

  it('leaves out a flow of which the catalog lacks an operation', () => {
    const some = catalog.filter(({ name }) => name.startsWith('agent_claim.'))
    const { flows } = AgentsJson.parse(agentsJson(some, 'https://abode.test', {}))
    expect(flows.map(({ id }) => id)).toEqual(['get_a_key'])
  })
})

describe('the flows of agents.json', () => {
  const follow = async (
    id: string,
    given: Readonly<Record<string, unknown>>,
    token?: string,
  ): Promise<Record<string, unknown>> => {
    const flow = document.flows.find((one) => one.id === id)
    if (!flow) throw new Error(`there is no flow ${id}`)
    const missing = flow.fields.parameters.filter((one) => one.required && !(one.name in given))
    expect(missing).toEqual([])
    return followed(flow, given, operation, (found, request) => called(found, request, token))
  }
  const called = async (
    { method, path, parameters, body }: Found,
    request: Request,
    token: string | undefined,
  ): Promise<unknown> => {
    const query = new URLSearchParams()
    let address = path
    for (const { name = '', in: place } of parameters) {
      const given = request.parameters[name]
      if (given === undefined) continue
      const value = typeof given === 'string' ? given : JSON.stringify(given)
      if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
      else query.append(name, value)
    }
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const init = body ? sending(method.toUpperCase(), request.requestBody, headers) : { headers }
    const answer = await server.ask(`${address}?${query.toString()}`, init)
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`)
    return JSON.parse(answer.text) as unknown
  }
  const key = async (): Promise<string> => String((await follow('get_a_key', {}))['api_key'])
  const example = (name: string): Record<string, unknown> => {
    const op = catalog.find((one) => one.name === name)
    if (!op) throw new Error(`there is no ${name}`)
    return op.example
  }

  it('give a key, and a link for a person', async () => {
    const got = await follow('get_a_key', { name: 'Ada' })
    expect(got['api_key']).toMatch(/^ab_/)
    expect(got['claim_url']).toContain('/claim/')
  })

  it('make an agent, a task and a run that has ended', async () => {
    const given = {
      char_id: 'ada',
      name: 'Ada',
      task_id: 'greet',
      task_name: 'Greet',
      prompt: 'Good morning, {{input}}.',
      runtime: 'template',
      input: 'Grace',
      wait_seconds: 10,
    }
    const got = await follow('create_an_agent_and_run_it', given, await key())
    expect(got).toMatchObject({ status: 'completed', output: 'Good morning, Grace.' })
  })

  it('provision an app', async () => {
    const { manifest } = example('agent_apps.provision')
    const got = await follow('provision_an_app', manifest as Record<string, unknown>, await key())
    expect(got['valid']).toBe(true)
    expect(got['agents']).toHaveLength(2)
  })

  it('work on a run as its brain', async () => {
    const token = await key()
    const given = { char_id: 'bea', name: 'Bea', task_id: 'study', task_name: 'Study' }
    const task = { ...given, prompt: 'Find out: {{input}}', runtime: 'prompt', input: 'tides' }
    await follow('create_an_agent_and_run_it', task, token)
    const got = await follow('work_on_a_run', { char_id: 'bea', output: 'The moon.' }, token)
    expect(got).toEqual({ status: 'completed' })
  })

  it('make a handle of the Commons, and answer a question', async () => {
    const { challenge, bits } = await follow('begin_in_the_commons', {})
    const counter = solved(String(challenge), Number(bits))
    const made = await follow('make_a_handle', { challenge, counter, handle: 'patient-heron' })
    expect(made['handle']).toBe('patient-heron')
    const token = String(made['token'])
    const asked = await server.ask(
      '/api/commons/threads',
      sending('POST', example('commons.threads.create'), { authorization: `Bearer ${token}` }),
    )
    // The answer of the operation, in its envelope.
    const { data } = JSON.parse(asked.text) as { data: { id: string } }
    const given = { thread_id: data.id, body: 'Send Last-Event-ID with the id of the last event.' }
    const got = await follow('answer_in_the_commons', given, token)
    expect(got['reply_id']).toMatch(/^rep_/)
  })
})

describe('ai-plugin.json', () => {
  it('has the members that hosts read, within their bounds', async () => {
    const { body } = await server.ask('/.well-known/ai-plugin.json')
    const line = (most: number) => expect.stringMatching(new RegExp(`^.{1,${most}}$`)) as string
    expect(body).toMatchObject({
      schema_version: 'v1',
      name_for_human: line(20),
      name_for_model: expect.stringMatching(/^[a-z_]{1,50}$/) as string,
      description_for_human: line(100),
      description_for_model: line(8000),
      auth: { type: 'user_http', authorization_type: 'bearer' },
      api: { type: 'openapi', url: `${server.url}/openapi.agent.json` },
      logo_url: `${server.url}/logo.svg`,
    })
    expect((await server.ask('/logo.svg')).headers.get('content-type')).toContain('image/svg+xml')
  })
})
