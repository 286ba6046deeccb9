import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog as wholeCatalog } from '#src/catalog.ts'
import { offered, toolName } from '#src/core/operation-facts.ts'
import { answerOf, callTool, mcpClients, type Connect } from '#tests/support/mcp-clients.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

/** What the doors of agents offer of it. */
const catalog = offered(wholeCatalog)

let server: ServerProcess
let url: string

beforeAll(async () => {
  server = await startServer()
  url = `${server.url}/mcp`
})
afterAll(() => server.dispose())

interface Run {
  id: string
  status: string
  output: unknown
  reason: string | null
}

let apps = 0

/** Two agents: what the writer's template makes is handed to the editor, whose brain is a caller. */
function newsroom() {
  apps += 1
  const app_id = `newsroom-${apps}`
  return {
    app_id,
    name: 'A newsroom',
    agents: [
      {
        local_id: 'writer',
        name: 'Writer',
        personality: { traits: ['quick'] },
        heart: {
          tasks: [
            {
              task_id: 'draft',
              name: 'Draft',
              runtime: 'template',
              prompt: 'On {{topic}}: …',
              output_sharing: { enabled: true, target_agent_id: 'editor', target_task_id: 'edit' },
            },
          ],
        },
      },
      {
        local_id: 'editor',
        name: 'Editor',
        heart: { tasks: [{ task_id: 'edit', name: 'Edit', prompt: 'Mend this: {{input}}' }] },
      },
    ],
    connections: [{ from: 'writer', to: 'editor', permissions: ['run_task'] }],
    team: { name: 'The desk' },
  }
}

async function newKey(connect: Connect): Promise<string> {
  const client = await connect(url)
  const { api_key: key } = await answerOf<{ api_key: string }>(client, 'agent_claim_create')
  await client.close()
  return key
}

describe.each(mcpClients)('%s', (_, connect) => {
  test('gets a key, provisions a team, runs it, and is its brain', async () => {
    const stranger = await connect(url)
    const refused = await callTool(stranger, 'account_get')
    expect(refused).toMatchObject({
      isError: true,
      _meta: { 'abode/error': { code: 'unauthenticated' } },
    })
    expect(refused.content[0]?.text).toContain('agent_claim_create')
    const claim = await answerOf<{ api_key: string }>(stranger, 'agent_claim_create', {
      name: 'Ada',
    })
    await stranger.close()

    const client = await connect(`${url}?toolsets=core`, { key: claim.api_key })
    expect(client.getInstructions()).toContain('agent_claim_create')
    const manifest = newsroom()
    expect(await answerOf(client, 'agent_apps_validate', { manifest })).toMatchObject({
      valid: true,
    })
    await answerOf(client, 'agent_apps_provision', { manifest })
    const agents = await answerOf<{ items: { id: string }[] }>(client, 'characters_list')
    const [writer, editor] = [`${manifest.app_id}--writer`, `${manifest.app_id}--editor`]
    expect(agents.items.map(({ id }) => id).sort()).toEqual([editor, writer])

    const draft = await answerOf<Run>(client, 'tasks_run', {
      char_id: writer,
      task_id: 'draft',
      input: { topic: 'tides' },
      wait_seconds: 20,
    })
    expect(draft).toMatchObject({ status: 'completed', output: 'On tides: …' })

    const lease = await answerOf<{ run: Run; lease_token: string; prompt: string }>(
      client,
      'runs_lease',
      { char_id: editor, wait_seconds: 20 },
    )
    expect(lease.prompt).toBe('Mend this: On tides: …')
    await answerOf(client, 'runs_heartbeat', {
      run_id: lease.run.id,
      lease_token: lease.lease_token,
    })
    await answerOf(client, 'runs_complete', {
      run_id: lease.run.id,
      lease_token: lease.lease_token,
      output: 'On tides, mended.',
    })
    expect(await answerOf<Run>(client, 'runs_get', { run_id: lease.run.id })).toMatchObject({
      status: 'completed',
      output: 'On tides, mended.',
    })
    await client.close()
  })

  test('sees refusals as results that it can branch on', async () => {
    const client = await connect(url, { key: await newKey(connect) })
    const wrong = await callTool(client, 'characters_create', { character: { nme: 'Ada' } })
    expect(wrong.structuredContent).toBeUndefined()
    expect(wrong).toMatchObject({
      isError: true,
      _meta: { 'abode/error': { code: 'invalid_input' } },
    })
    expect(JSON.parse(wrong.content[0]?.text ?? '')).toEqual(wrong._meta?.['abode/error'])
    const missing = await callTool(client, 'characters_get', { char_id: 'absent' })
    expect(missing._meta?.['abode/error']).toMatchObject({
      code: 'character_not_found',
      request_id: expect.any(String),
    })
    const { agents, ...broken } = newsroom()
    const invalid = await callTool(client, 'agent_apps_provision', {
      manifest: {
        ...broken,
        agents: [...agents, ...agents],
        team: { name: 'x', member_local_ids: ['no'] },
      },
    })
    expect(invalid._meta?.['abode/error']).toMatchObject({
      code: 'manifest_invalid',
      errors: expect.arrayContaining([expect.objectContaining({ pointer: expect.any(String) })]),
    })
    await expect(callTool(client, 'characters_gett')).rejects.toThrow(
      'Did you mean `characters_get`?',
    )
    await client.close()
  })

  test('retries without doing it twice', async () => {
    const client = await connect(url, { key: await newKey(connect) })
    const retry = { 'idempotency-key': 'one-effect' }
    const character = { name: 'Twin' }
    const made = await callTool(client, 'characters_create', { character }, retry)
    expect(made.isError).toBeUndefined()
    const again = await callTool(client, 'characters_create', { character }, retry)
    expect(again.structuredContent).toEqual(made.structuredContent)
    const { items } = await answerOf<{ items: unknown[] }>(client, 'characters_list')
    expect(items).toHaveLength(1)
    const other = await callTool(client, 'characters_create', { character: { name: 'X' } }, retry)
    expect(other._meta?.['abode/error']).toMatchObject({ code: 'idempotency_conflict' })
    await client.close()
  })

  test('is refused with a key that is not good, before anything else', async () => {
    await expect(connect(url, { key: 'ab_wrong' })).rejects.toThrow(/401|credential|key/i)
    const key = await newKey(connect)
    const client = await connect(url, { key })
    const { key: own } = await answerOf<{ key: { id: string } }>(client, 'account_get')
    await answerOf(client, 'api_keys_revoke', { key_id: own.id })
    await expect(callTool(client, 'account_get')).rejects.toThrow(/401|credential|revoked/i)
    await client.close()
  })

  test('lists the tools that its address asks for, and may call the others', async () => {
    const all = await connect(url)
    const everything = (await all.listTools()).tools
    expect(everything.map(({ name }) => name)).toEqual([
      ...catalog.map(toolName),
      'operations_call',
    ])
    await all.close()
    const some = await connect(`${url}?toolsets=messages,core&readonly=true`)
    const { tools } = await some.listTools()
    expect(tools.length).toBeLessThan(everything.length)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    const limits = await answerOf<{ rate_limits: unknown[] }>(some, 'limits_get')
    expect(limits.rate_limits.length).toBeGreaterThan(0)
    await some.close()
    await expect(connect(`${url}?toolsets=nothing`)).rejects.toThrow(/toolset|offer/)
  })

  test('reads, completes and uses prompts', async () => {
    const key = await newKey(connect)
    const client = await connect(url, { key })
    await answerOf(client, 'characters_create', {
      character: { id: `ada-${key.slice(3, 9)}`, name: 'Ada' },
    })
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    const first = ['skill', 'skill?door=mcp', 'operations', 'openapi']
    expect(uris.slice(0, 4)).toEqual(first.map((name) => `abode://${name}`))
    expect(uris).toContain('abode://guides/first-agent')
    expect(uris.at(-1)).toBe('abode://account/events')
    for (const { uri, mimeType } of resources.slice(first.length - 1, -1)) {
      const { contents } = await client.readResource({ uri })
      expect(contents).toMatchObject([{ uri, mimeType, text: expect.stringContaining(server.url) }])
    }
    const skill = await client.readResource({ uri: 'abode://skill' })
    expect(JSON.stringify(skill)).toContain(url)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toHaveLength(7)
    const completion = await client.complete({
      ref: { type: 'ref/prompt', name: 'be_the_brain' },
      argument: { name: 'char_id', value: 'ada' },
    })
    const [charId = ''] = completion.completion.values
    expect(charId).toBe(`ada-${key.slice(3, 9)}`)
    const read = await client.readResource({ uri: `abode://characters/${charId}` })
    expect(JSON.stringify(read)).toContain('\\"name\\":\\"Ada\\"')
    await expect(client.readResource({ uri: 'abode://characters/absent' })).rejects.toMatchObject({
      code: -32602,
    })
    const { prompts } = await client.listPrompts()
    expect(prompts).toHaveLength(5)
    const prompt = await client.getPrompt({ name: 'be_the_brain', arguments: { char_id: charId } })
    expect(JSON.stringify(prompt)).toContain('runs_lease')
    await client.close()
  })
})
