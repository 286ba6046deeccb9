import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { SecretShown } from '#src/agents/secrets/stored-secrets.ts'
import type { Outbound, Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { areOriginsTakenOver, originsTakenOver } from '#src/work/origins-taken-over.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const value = 'the-value-that-must-stay'

describe.each(stores())('where secrets go on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let work: Work
  let owner: string
  let agent: string
  let policy: string
  let asked: Outbound[]
  let commands: number

  beforeEach(async () => {
    store = await kind.open()
    asked = []
    commands = 0
    const sender: Sender = {
      send: async (request) => {
        asked.push(request)
        return { status: 200, headers: {}, body: 'done' }
      },
      load: () => Promise.reject(new Error('only texts are sent here')),
      objection: () => undefined,
      close: () => Promise.resolve(),
    }
    const run = async () => {
      commands += 1
      return { exitCode: 0, stdout: 'done', stderr: '', isCut: false }
    }
    const limits = { memoryBytes: 1, tasks: 1, outputBytes: 1, diskBytes: 1 }
    world = openWorld(store, { sender, shell: { run, limits } as never })
    work = startWork(world.ports, ['runner'], 2)
    owner = (await world.account()).key
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, owner)
    const secrets = [{ name: 'TOK', value }]
    await world.ask('characters.secrets.update', { char_id: 'ada', secrets }, owner)
    agent = await keyOf([])
    policy = await keyOf(['policy'])
  })
  afterEach(async () => {
    await work.stop()
    await store.close()
  })

  async function keyOf(rights: string[]): Promise<string> {
    const made = { name: 'k', scope_char_id: 'ada', rights }
    return (await world.ask<{ key: string }>('api_keys.create', made, owner)).key
  }
  const task = (more: object = {}): object => ({
    task_id: 't',
    name: 'T',
    runtime: 'api',
    api_url: 'https://home.example/in',
    selected_secrets: ['TOK'],
    tools: [{ name: 'call', type: 'http', config: { headers: { 'x-key': '{{secret.TOK}}' } } }],
    ...more,
  })
  const write = (key: string, more: object = {}): Promise<unknown> =>
    world.ask('tasks.create', { char_id: 'ada', task: task(more) }, key)
  const change = (key: string, more: object): Promise<unknown> =>
    world.ask('tasks.update', { char_id: 'ada', task_id: 't', task: more }, key)
  const run = (key = owner, task_id = 't'): Promise<Run> =>
    world.ask('tasks.run', { char_id: 'ada', task_id, wait_seconds: 60 }, key)
  const read = (run_id: string): Promise<Run> => world.ask('runs.get', { run_id }, owner)
  const decide = (run: Run, decision: string, key = owner): Promise<Approval> =>
    world.ask('approvals.decide', { approval_id: run.approval_id, decision }, key)
  const shown = async (): Promise<SecretShown[]> => {
    const ask = { char_id: 'ada' }
    return (await world.ask<{ items: SecretShown[] }>('characters.secrets.list', ask, owner)).items
  }
  const set = (more: object): Promise<unknown> =>
    world.ask(
      'characters.secrets.update',
      { char_id: 'ada', secrets: [{ name: 'TOK', ...more }] },
      owner,
    )
  const followed = async (approval: Approval): Promise<Run> => {
    const id = approval.follow_up_run_id ?? ''
    await until(async () => (await read(id)).finished_at !== null)
    return read(id)
  }
  const elsewhere = { api_url: 'https://evil.example/in' }

  it('follow a task that the owner wrote, without a question', async () => {
    await write(owner)
    expect(await run()).toMatchObject({ status: 'completed' })
    await change(owner, elsewhere)
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(asked.map(({ url }) => url)).toEqual(['https://home.example/in', elsewhere.api_url])
    expect(await shown()).toMatchObject([{ origins: null, bound: false }])
  })

  it('wait for the owner where a key that acts as the agent wrote the address', async () => {
    await write(owner)
    await change(agent, elsewhere)
    const held = await run(agent)
    expect(held).toMatchObject({ status: 'waiting_approval' })
    expect(asked).toEqual([])
    const ask = { approval_id: held.approval_id }
    expect(await world.ask('approvals.get', ask, agent)).toMatchObject({
      kind: 'secret_origin',
      state: 'pending',
      approvers: [],
      expires_at: null,
      secret_origins: [{ secret: 'TOK', origin: 'https://evil.example' }],
    })
    for (const key of [agent, policy]) {
      await expect(decide(held, 'approve', key)).rejects.toMatchObject({ code: 'owner_only' })
    }
    const stranger = (await world.account()).key
    await expect(decide(held, 'approve', stranger)).rejects.toMatchObject({ code: 'forbidden' })
    const decided = await decide(held, 'approve')
    expect(decided).toMatchObject({ state: 'approved' })
    expect(await followed(decided)).toMatchObject({ status: 'completed', output: 'done' })
    expect(asked).toMatchObject([{ url: elsewhere.api_url, headers: { 'x-key': value } }])
    expect(await shown()).toMatchObject([{ origins: ['https://evil.example'], bound: false }])
    // From then on it may.
    expect(await run(agent)).toMatchObject({ status: 'completed' })
  })

  it('are sent nowhere where the owner rejects it, and the run says so', async () => {
    await write(owner)
    await change(agent, elsewhere)
    const held = await run(agent)
    await decide(held, 'reject')
    expect(await read(held.id)).toMatchObject({
      status: 'failed',
      reason: 'rejected',
      error: { code: 'secret_origin_rejected' },
    })
    expect(asked).toEqual([])
    expect(await shown()).toMatchObject([{ origins: null }])
    expect(await run(agent)).toMatchObject({ status: 'waiting_approval' })
  })

  itOnEach('cannot be approved for a task that was changed meanwhile', async () => {
    await write(owner)
    await change(agent, elsewhere)
    const held = await run(agent)
    await change(agent, { api_url: 'https://worse.example/' })
    await expect(decide(held, 'approve')).rejects.toMatchObject({ code: 'approval_stale' })
    expect(await shown()).toMatchObject([{ origins: null }])
  })

  it('need no approval where the agent stays within what its owner has said', async () => {
    await write(owner)
    await change(agent, { api_url: 'https://HOME.example.:443/other' })
    expect(await run(agent)).toMatchObject({ status: 'completed' })
    await write(agent, { task_id: 'mine', api_url: 'https://home.example/mine' })
    expect(await run(agent, 'mine')).toMatchObject({ status: 'completed' })
  })

  it('wait where a tool or a tool server of a prompt was written by a key with the right policy', async () => {
    const mcps = [
      { name: 's', url: 'https://evil.example/mcp', env: { 'x-key': '{{secret.TOK}}' } },
    ]
    await write(owner, { runtime: 'prompt', tools: [] })
    const models = ['OPENAI_API_KEY']
    await world.ask(
      'characters.secrets.update',
      { char_id: 'ada', secrets: [{ name: models[0], value: 'sk-of-ada-0123456789' }] },
      owner,
    )
    await change(owner, { selected_secrets: ['TOK', ...models] })
    const character = { brain: { mcps } }
    await world.ask('characters.update', { char_id: 'ada', character }, policy)
    const [stored] = await store.characters.find({ id: 'ada' })
    expect(stored?.by_agent).toEqual(['brain.mcps'])
    const held = await run()
    expect(held).toMatchObject({ status: 'waiting_approval' })
    const { secret_origins } = await world.ask<Approval>(
      'approvals.get',
      { approval_id: held.approval_id },
      owner,
    )
    expect(secret_origins).toEqual([{ secret: 'TOK', origin: 'https://evil.example' }])
    const again = { brain: { mcps: [{ ...mcps[0], name: 'owned' }] } }
    await world.ask('characters.update', { char_id: 'ada', character: again }, owner)
    expect((await store.characters.get('ada'))?.by_agent).toBeUndefined()
  })

  it('go only where their owner has named it, also by a task that the owner wrote', async () => {
    await set({ origins: ['https://home.example'] })
    await write(owner)
    expect(await run()).toMatchObject({ status: 'completed' })
    await change(owner, elsewhere)
    const held = await run()
    expect(held).toMatchObject({ status: 'waiting_approval' })
    await decide(held, 'approve')
    expect(await shown()).toMatchObject([
      { origins: ['https://home.example', 'https://evil.example'], bound: true },
    ])
  })

  it('are given to a command only as "local"', async () => {
    await write(owner, { runtime: 'shell', shell_command: 'true', tools: [] })
    expect(await run()).toMatchObject({ status: 'completed' })
    await set({ origins: ['https://home.example'] })
    const held = await run()
    expect(held).toMatchObject({ status: 'waiting_approval' })
    const decided = await decide(held, 'approve')
    expect(await followed(decided)).toMatchObject({ status: 'completed' })
    expect(commands).toBe(2)
    expect(await shown()).toMatchObject([{ origins: ['https://home.example', 'local'] }])
  })

  it('of a provider reach that provider alone, also by a task that the owner wrote', async () => {
    const secrets = [{ name: 'OPENAI_API_KEY', value }]
    await world.ask('characters.secrets.update', { char_id: 'ada', secrets }, owner)
    const headers = { 'x-key': '{{secret.OPENAI_API_KEY}}' }
    const tools = [{ name: 'call', type: 'http', config: { headers } }]
    const selected_secrets = ['OPENAI_API_KEY']
    await write(owner, { tools, selected_secrets, api_url: 'https://api.openai.com/v1/models' })
    expect(await run()).toMatchObject({ status: 'completed' })
    await change(owner, elsewhere)
    expect(await run()).toMatchObject({ status: 'waiting_approval' })
    expect(asked).toHaveLength(1)
  })

  it('of a store of before have the origins that its tasks name', async () => {
    await write(owner)
    await write(owner, { task_id: 'cmd', runtime: 'shell', shell_command: 'true', tools: [] })
    await write(owner, { task_id: 'open', api_url: 'https://{{input}}/' })
    const [shelf] = await store.secrets.find({})
    const before = Object.fromEntries(
      Object.entries(shelf?.secrets ?? {}).map(([name, { origins: _none, ...kept }]) => [
        name,
        kept,
      ]),
    )
    await store.secrets.update({ id: 'ada' }, { $set: { secrets: before } })
    expect(await areOriginsTakenOver(store)).toBe(false)
    expect(await originsTakenOver(world.ports)).toBe(1)
    expect(await areOriginsTakenOver(store)).toBe(true)
    expect(await shown()).toMatchObject([
      { origins: expect.arrayContaining(['local', 'https://home.example']), bound: false },
    ])
    // Nothing changes for the owner.
    await change(owner, elsewhere)
    expect(await run()).toMatchObject({ status: 'completed' })
  })
})
