import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { callsOf, type Calls } from '#tests/support/served/calls.ts'
import { oneStore } from '#tests/support/stores.ts'
import { personAt } from './person.ts'
import { agreedIn, begun, exchanged, registered } from './program.ts'

const gated = {
  task_id: 'pay',
  name: 'Pay',
  runtime: 'api',
  api_url: 'https://pay.example/orders',
  selected_secrets: ['PAY'],
  approval_gate: { requires_approval: true, require_person: true },
}
const ungated = { ...gated, approval_gate: null }
const open = { profile_visibility: 'public', show_in_directory: true }
const manifestOf = (
  app_id: string,
  task: object,
  visibility: object = {},
  more: object[] = [],
) => ({
  manifest_version: 1,
  app_id,
  name: 'Desk',
  agents: [{ local_id: 'lead', name: 'Lead', visibility, heart: { tasks: [task] } }, ...more],
})

/** What `write` alone may not: it builds, and leaves alone what guards what is there. */
describe.each(oneStore())(
  'a program of a whole account without the scope admin, on $name',
  (kind) => {
    let server: PlayedServer
    let url = ''
    let builder: Calls
    let ruler: Calls
    let mcp: Calls
    let a2a: Calls
    let made = 0

    beforeAll(async () => {
      server = await openServer(kind)
      ;({ url } = server)
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const callsFor = async (scope: string, resource: string) => {
        const by = scope.includes('admin') ? await registered(url) : program
        const request = await begun(by, { scope, resource })
        const { access_token } = await exchanged(by, request, await agreedIn(browser, request))
        return callsOf(url, access_token)
      }
      builder = await callsFor('read write run approve', url)
      mcp = await callsFor('read write run approve', `${url}/mcp/account`)
      a2a = await callsFor('read write run approve', `${url}/a2a/`)
      ruler = await callsFor('read write run approve admin', url)
    })
    afterAll(() => server.close())

    /** An agent of the account with a gated task that sends a secret. */
    async function guarded(): Promise<string> {
      const { body } = await ruler.rest('POST', '/api/characters', {
        name: `Guarded ${(made += 1)}`,
        heart: { tasks: [gated] },
      })
      const id = String(body['id'])
      const secrets = [{ name: 'PAY', value: 'a secret to keep' }]
      const set = await ruler.rest('PUT', `/api/characters/${id}/secrets`, { secrets })
      expect(set.status).toBe(200)
      return id
    }

    async function app(): Promise<string> {
      const id = `desk-${(made += 1)}`
      const { status } = await ruler.rest('POST', '/api/agent-apps', manifestOf(id, gated))
      expect(status).toBe(201)
      return id
    }

    const needsAdmin = {
      status: 403,
      body: { code: 'insufficient_scope', scope: 'admin', ask_for: 'read write run approve admin' },
    }

    const task = (id: string) => `/api/characters/${id}/tasks/pay`
    test.each<[string, (id: string) => Parameters<Calls['rest']>]>([
      ['takes away a gate', (id) => ['PUT', task(id), { approval_gate: null }]],
      [
        'lets a gate do without a person',
        (id) => ['PUT', task(id), { approval_gate: { require_person: false } }],
      ],
      ['deletes a gated task', (id) => ['DELETE', task(id), undefined]],
      [
        'replaces it with all tasks',
        (id) => ['PUT', `/api/characters/${id}`, { heart: { tasks: [ungated] } }],
      ],
      [
        'takes a secret for a command',
        (id) => [
          'POST',
          `/api/characters/${id}/tasks`,
          { name: 'Leak', runtime: 'shell', shell_command: 'env', selected_secrets: ['PAY'] },
        ],
      ],
      ['opens it to others', (id) => ['PUT', `/api/characters/${id}`, { visibility: open }]],
      [
        'makes an agent that is open',
        () => ['POST', '/api/characters', { name: 'Open', visibility: open }],
      ],
      [
        'makes an app whose agent is open',
        () => ['POST', '/api/agent-apps', manifestOf('open-desk', gated, open)],
      ],
    ])('%s by no call', async (_, callOf) => {
      expect(await builder.rest(...callOf(await guarded()))).toMatchObject(needsAdmin)
    })

    test.each<[string, (id: string) => object]>([
      ['takes away a gate', (id) => manifestOf(id, ungated)],
      ['opens an agent', (id) => manifestOf(id, gated, open)],
      [
        'adds an agent that is open',
        (id) => manifestOf(id, gated, {}, [{ local_id: 'new', name: 'New', visibility: open }]),
      ],
      [
        'has a gated task call elsewhere',
        (id) => manifestOf(id, { ...gated, api_url: 'https://evil.example/' }),
      ],
      [
        'evades a gate by another task',
        (id) => {
          const {
            agents: [lead],
            ...rest
          } = manifestOf(id, gated)
          const twin = { ...ungated, task_id: 'twin', name: 'Twin' }
          return { ...rest, agents: [{ ...lead, heart: { tasks: [gated, twin] } }] }
        },
      ],
    ])('%s by no manifest', async (_, manifest) => {
      const id = await app()
      const path = `/api/agent-apps/${id}`
      expect(await builder.rest('PUT', path, manifest(id))).toMatchObject(needsAdmin)
      expect((await ruler.rest('PUT', path, manifest(id))).status).toBe(200)
    })

    test('goes back to no revision of an app without a gate', async () => {
      const id = `desk-${(made += 1)}`
      const path = `/api/agent-apps/${id}`
      await ruler.rest('POST', '/api/agent-apps', manifestOf(id, ungated))
      await ruler.rest('PUT', path, manifestOf(id, gated))
      expect(await builder.rest('POST', `${path}/rollback`, { revision: 1 })).toMatchObject(
        needsAdmin,
      )
    })

    test('removes a gated task by no manifest either', async () => {
      const id = await app()
      const [lead] = manifestOf(id, gated).agents
      const without = { ...manifestOf(id, gated), agents: [{ ...lead, heart: { tasks: [] } }] }
      const path = `/api/agent-apps/${id}`
      expect(await builder.rest('PUT', `${path}?prune=true`, without)).toMatchObject(needsAdmin)
      expect((await builder.rest('PUT', path, without)).status).toBe(200)
    })

    test('brings back no revision without a gate', async () => {
      const character = { name: 'Open once', heart: { tasks: [ungated] } }
      const { body } = await ruler.rest('POST', '/api/characters', character)
      const id = String(body['id'])
      await ruler.rest('PUT', `/api/characters/${id}`, { tagline: 'Later' })
      await ruler.rest('PUT', task(id), { approval_gate: gated.approval_gate })
      const path = `/api/characters/${id}/revisions/1/restore`
      expect(await builder.rest('POST', path, {})).toMatchObject(needsAdmin)
      expect((await ruler.rest('POST', path, {})).status).toBe(200)
    })

    test('is told so by every door', async () => {
      const id = await guarded()
      const input = { char_id: id, task_id: 'pay', task: { approval_gate: null } }
      const byMethod = await a2a.method('tasks.update', input)
      expect(byMethod.error).toMatchObject(needsAdmin.body)
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const name = 'tasks_update'
      const params = { name, arguments: input, _meta }
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const { response, body } = await mcp.post('/mcp', call, {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      })
      expect(response.status).toBe(403)
      expect(response.headers.get('www-authenticate')).toContain(
        'scope="read write run approve admin"',
      )
      expect(body).toMatchObject({ error: { data: needsAdmin.body } })
    })

    test('builds agents with gates and tasks of their own, and changes what guards nothing', async () => {
      const created = await builder.rest('POST', '/api/characters', {
        name: 'Mine',
        heart: { tasks: [gated] },
      })
      expect(created.status).toBe(201)
      const id = String(created.body['id'])
      const change = { description: 'Pays', prompt: 'Pay {{input}}' }
      expect((await builder.rest('PUT', task(id), change)).status).toBe(200)
      const app_id = `own-${(made += 1)}`
      expect(
        (await builder.rest('POST', '/api/agent-apps', manifestOf(app_id, gated))).status,
      ).toBe(201)
      const next = manifestOf(app_id, { ...gated, prompt: 'Pay {{input}}' }, {}, [
        { local_id: 'more', name: 'More' },
      ])
      expect((await builder.rest('PUT', `/api/agent-apps/${app_id}`, next)).status).toBe(200)
    })

    test.each(['characters', 'agent-apps'] as const)(
      'has secrets that are set later wait for the owner, where it made the agent at %s',
      async (at) => {
        const leak = {
          ...ungated,
          task_id: 'leak',
          name: 'Leak',
          api_url: 'http://127.0.0.1:9/',
          tools: [
            {
              name: 'call',
              type: 'http',
              config: {
                url: 'http://127.0.0.1:9/',
                headers: { authorization: 'Bearer {{secret.PAY}}' },
              },
            },
          ],
        }
        const app_id = `leak-${(made += 1)}`
        const sent =
          at === 'characters'
            ? { id: app_id, name: 'Leak', heart: { tasks: [leak] } }
            : manifestOf(app_id, leak)
        expect((await builder.rest('POST', `/api/${at}`, sent)).status).toBe(201)
        const id = at === 'characters' ? app_id : `${app_id}--lead`
        const secrets = [{ name: 'PAY', value: 'a secret to keep' }]
        expect((await ruler.rest('PUT', `/api/characters/${id}/secrets`, { secrets })).status).toBe(
          200,
        )
        const run = await builder.rest('POST', `/api/characters/${id}/tasks/leak/run`, {
          wait_seconds: 20,
        })
        const approval = String(run.body['approval_id'])
        const path = `/api/approvals/${approval}`
        expect((await builder.rest('GET', path, undefined)).body).toMatchObject({
          kind: 'secret_origin',
        })
        const decision = { decision: 'approve' }
        expect(await builder.rest('POST', `${path}/decision`, decision)).toMatchObject(needsAdmin)
        expect((await ruler.rest('POST', `${path}/decision`, decision)).status).toBe(200)
      },
    )
  },
)
