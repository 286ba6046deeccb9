import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { deliverySeal } from '#src/events/outbox/outbox.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { auditBytes, gravesOf } from '#tests/bounds/graves.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Entry {
  key: string
  value: unknown
  revision: number
}

describe.each(stores())('the results of a run on $name', (kind) => {
  const { it, describe } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let owner: { key: string; id: string }
  let worker: Runner

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = openWorld(store, { clock })
    owner = await world.account()
    worker = runner(world.ports, 4)
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  const ask = <T = Record<string, never>>(name: string, input: unknown, key = owner.key) =>
    world.ask<T>(name, input, key)
  const agent = (id: string, more: object = {}, key = owner.key) =>
    ask('characters.create', { character: { id, name: id, ...more } }, key)
  const task = (char_id: string, task_id: string, more: object = {}, key = owner.key) => {
    const whole = { task_id, name: task_id, runtime: 'template', prompt: '{{input}}', ...more }
    return ask('tasks.create', { char_id, task: whole }, key)
  }
  const run = (input: unknown, char_id = 'ada', task_id = 't') =>
    ask<Run>('tasks.run', { char_id, task_id, input })
  const eventsOf = async (run_id: string) =>
    (await ask<{ items: { type: string; data: object }[] }>('runs.events', { run_id })).items
  const memoryOf = async (char_id: string, namespace: string, key = owner.key) =>
    (await ask<{ items: Entry[] }>('memory.list', { char_id, namespace }, key)).items
  const bytes = async (): Promise<number> =>
    (await world.ports.quotas.usage({ accountId: owner.id, claimed: false })).stored_bytes -
    (await auditBytes(store, owner.id))
  /** Works everything off that is queued. */
  const workOff = async (): Promise<void> => {
    for (const begun = Date.now(); Date.now() - begun < 15_000;) {
      await worker.tick(clock.now())
      await new Promise((resolve) => setImmediate(resolve))
      const open = { status: { $in: ['queued', 'running'] } } as const
      if ((await store.runs.count(open)) === 0) return
    }
    throw new Error('the runs never ended')
  }

  describe('the feed', () => {
    it('shows what a run brought, unless its task keeps it to itself', async () => {
      await agent('ada')
      await task('ada', 't')
      await task('ada', 'quiet', { post_to_feed: false })
      const { id } = await run('The ferry is late.')
      await run('No one knows.', 'ada', 'quiet')
      const posts = await store.posts.find({ char_id: 'ada' })
      expect(posts).toEqual([
        {
          id: expect.stringMatching(/^post_[0-9a-f]{32}$/),
          char_id: 'ada',
          content: 'The ferry is late.',
          image_url: null,
          source: 'task',
          run_id: id,
          like_count: 0,
          comment_count: 0,
          created_at: clock.now().toISOString(),
          owner_id: owner.id,
          born: clock.now().toISOString(),
        },
      ])
    })

    it('shows nothing of a run that failed, and nothing where there is nothing to show', async () => {
      await agent('ada')
      await task('ada', 't')
      await task('ada', 'broken', { prompt: '{{missing}}' })
      await run(' \n ')
      await run('')
      expect((await run('x', 'ada', 'broken')).status).toBe('failed')
      expect(await store.posts.count({})).toBe(0)
    })

    it('shows JSON as text, and of a long text its beginning', async () => {
      await agent('ada')
      await task('ada', 't', { runtime: 'elsewhere' })
      for (const output of [{ ferries: 2 }, '😀'.repeat(10_001), [], {}, null]) {
        await run('x')
        const { run: held, lease_token } = await ask<{ run: Run; lease_token: string }>(
          'runs.lease',
          {},
        )
        await ask('runs.complete', { run_id: held.id, lease_token, output })
      }
      const posts = await store.posts.find({}, { sort: { id: 1 } })
      expect(posts.map(({ content }) => content)).toEqual(['{"ferries":2}', '😀'.repeat(10_000)])
    })

    it('shows what others handed on, and goes with its agent', async () => {
      await agent('ada')
      await agent('grace')
      const output_sharing = { enabled: true, target_agent_id: 'grace', target_task_id: 'u' }
      await task('ada', 't', { output_sharing })
      await task('grace', 'u', { prompt: 'Read: {{input}}' })
      await run('news')
      await workOff()
      expect(await store.posts.find({ char_id: 'grace' })).toMatchObject([
        { content: 'Read: news' },
      ])
      await ask('characters.delete', { char_id: 'ada' })
      expect(await store.posts.find({})).toMatchObject([{ char_id: 'grace' }])
    })

    it('shows the work of the holder of the run, once', async () => {
      await agent('ada')
      await task('ada', 't', { runtime: 'elsewhere', memory_namespace: 'weather' })
      await run('x')
      const lease = { lease_seconds: 30 }
      const first = await ask<{ run: Run; lease_token: string }>('runs.lease', lease)
      await clock.advance(31_000)
      await worker.tick(clock.now())
      const second = await ask<{ run: Run; lease_token: string }>('runs.lease', lease)
      for (const { lease_token } of [first, second, second]) {
        const output = lease_token === first.lease_token ? 'late' : 'in time'
        const done = { run_id: first.run.id, lease_token, output }
        await ask('runs.complete', done).catch(() => undefined)
      }
      expect(await store.posts.find({})).toMatchObject([{ content: 'in time' }])
      expect(await memoryOf('ada', 'weather')).toMatchObject([{ value: 'in time', revision: 1 }])
    })

    it('tells those who listen for posts, and no one else', async () => {
      await agent('ada')
      await task('ada', 't')
      await run('unheard')
      expect(await store.events.count({})).toBe(0)
      const triggers = [{ type: 'event', config: { event: 'feed.post_created' } }]
      await task('ada', 'listener', { triggers })
      const { id } = await run('heard')
      const [post] = await store.posts.find({ run_id: id })
      expect(await store.events.find({})).toMatchObject([
        {
          type: 'feed.post_created',
          char_id: 'ada',
          data: { post_id: post?.id, content: 'heard', run_id: id },
          cause: { id, root_run_id: id, depth: 0 },
        },
      ])
    })
  })

  describe('artifacts', () => {
    const artifact_stores = [{ type: 'local' }]

    it('hold the output under output_path, by its kind', async () => {
      await agent('ada')
      await task('ada', 't', { artifact_stores, output_path: 'reports/daily.md' })
      await task('ada', 'u', { artifact_stores })
      const artifact = { media_type: 'text/plain', content: 'All quiet.' }
      expect((await run('All quiet.')).artifacts).toEqual([
        { name: 'reports/daily.md', ...artifact },
      ])
      expect((await run('All quiet.', 'ada', 'u')).artifacts).toEqual([
        { name: 'output.txt', ...artifact },
      ])
      expect((await run('', 'ada', 'u')).artifacts).toEqual([])
    })

    it('are added to those that the run brought, and replace none', async () => {
      await agent('ada')
      await task('ada', 't', { runtime: 'elsewhere', artifact_stores })
      const own = { name: 'chart.svg', media_type: 'image/svg+xml', content: '<svg/>' }
      const same = { name: 'output.json', media_type: 'application/json', content: '{"own":1}' }
      const done: Run[] = []
      for (const artifacts of [[own], [same]]) {
        await run('x')
        const lease = await ask<{ run: Run; lease_token: string }>('runs.lease', {})
        const { lease_token } = lease
        done.push(
          await ask<Run>('runs.complete', {
            run_id: lease.run.id,
            lease_token,
            output: { all: 'quiet' },
            artifacts,
          }),
        )
      }
      const json = { name: 'output.json', media_type: 'application/json' }
      expect(done[0]?.artifacts).toEqual([{ ...json, content: '{"all":"quiet"}' }, own])
      expect(done[1]?.artifacts).toEqual([same])
    })

    it('are left out where they are too large, and the run says so', async () => {
      await agent('ada')
      await task('ada', 't', { artifact_stores })
      const made = await run('€'.repeat(400_000))
      expect(made).toMatchObject({ status: 'completed', artifacts: [] })
      const dropped = { name: 'output.txt', reason: 'an artifact has at most 1048576 bytes' }
      expect(await eventsOf(made.id)).toContainEqual(
        expect.objectContaining({ type: 'artifact.dropped', data: dropped }),
      )
    })

    it('of other stores, or of one that is not enabled, are not kept', async () => {
      await agent('ada')
      const others = [{ type: 's3' }, { type: 'local', enabled: false }]
      await task('ada', 't', { artifact_stores: others })
      expect((await run('x')).artifacts).toEqual([])
    })

    it('are counted among the stored bytes', async () => {
      await agent('ada')
      await task('ada', 't', { post_to_feed: false })
      await task('ada', 'u', { artifact_stores, post_to_feed: false })
      const grown = async (task_id: string): Promise<number> => {
        const before = await bytes()
        await run('x'.repeat(1000), 'ada', task_id)
        return (await bytes()) - before
      }
      const plain = await grown('t')
      expect(await grown('u')).toBeGreaterThan(plain + 1000)
    })
  })

  itOnEach(
    'takes the outputs of runs that end at once into memory, the last of which stays',
    async () => {
      await agent('ada')
      await task('ada', 't', { memory_namespace: 'weather' })
      const outputs = Array.from({ length: 16 }, (_, i) => `day ${i}`)
      const runs = await Promise.all(outputs.map((output) => run(output)))
      expect(runs.map(({ status }) => status)).toEqual(outputs.map(() => 'completed'))
      const [entry] = await memoryOf('ada', 'weather')
      expect(entry?.revision).toBe(16)
      expect(outputs).toContain(entry?.value)
    },
  )

  describe('memory', () => {
    it('holds the last output of a task under its task_id', async () => {
      await agent('ada')
      await task('ada', 't', { memory_namespace: 'weather' })
      await task('ada', 'u', { memory_namespace: 'weather' })
      await run('fog')
      await run('sun')
      await run('wind', 'ada', 'u')
      expect(await memoryOf('ada', 'weather')).toMatchObject([
        { key: 't', value: 'sun', revision: 2 },
        { key: 'u', value: 'wind', revision: 1 },
      ])
    })

    it('is counted of a run, as what it shows in the feed is', async () => {
      await agent('ada')
      await task('ada', 't', { post_to_feed: false })
      await task('ada', 'm', { post_to_feed: false, memory_namespace: 'weather' })
      await task('ada', 'p')
      const grown = async (task_id: string): Promise<number> => {
        const before = await bytes()
        await run('x'.repeat(1000), 'ada', task_id)
        return (await bytes()) - before
      }
      const plain = await grown('t')
      expect(await grown('m')).toBeGreaterThan(plain + 1000)
      expect(await grown('p')).toBeGreaterThan(plain + 1000)
    })

    it('leaves out what is too large, and the run says so', async () => {
      await agent('ada')
      await task('ada', 't', { memory_namespace: 'weather' })
      const { id } = await run('x'.repeat(70_000))
      expect(await memoryOf('ada', 'weather')).toEqual([])
      const data = { char_id: 'ada', namespace: 'weather', key: 't' }
      expect(await eventsOf(id)).toContainEqual(
        expect.objectContaining({ type: 'memory.dropped', data: expect.objectContaining(data) }),
      )
    })

    it('is counted, and what it counted is given back when it goes', async () => {
      await agent('ada')
      const empty = await bytes()
      for (const key of ['a', 'b']) {
        const entry = { char_id: 'ada', namespace: 'n', key, value: 'x'.repeat(1000) }
        await ask('memory.put', entry)
        await ask('memory.put', entry)
      }
      const both = await bytes()
      expect(both - empty).toBeGreaterThan(2000)
      expect(both - empty).toBeLessThan(2400)
      await ask('memory.delete', { char_id: 'ada', namespace: 'n', key: 'a' })
      const marks = (await gravesOf(store, owner.id)) - (await auditBytes(store, owner.id))
      expect((await bytes()) - empty).toBeCloseTo((both - empty) / 2 + marks, -1)
      await agent('grace')
      const before = await bytes()
      await ask('memory.put', { char_id: 'grace', namespace: 'n', key: 'a', value: 1 })
      await ask('characters.delete', { char_id: 'grace' })
      expect(await bytes()).toBeLessThan(before)
      await ask('characters.delete', { char_id: 'ada' })
      expect(await store.memory.count({})).toBe(0)
      expect(await bytes()).toBeLessThan(empty)
    })
  })

  describe('a handoff', () => {
    const received = async (char_id = 'grace'): Promise<Run | undefined> => {
      const page = await ask<{ items: Run[] }>('runs.list', { char_id })
      return page.items[0]
    }
    const share = (more: object = {}) => ({
      output_sharing: { enabled: true, target_agent_id: 'grace', target_task_id: 'u', ...more },
    })
    const pair = async (mine: object, theirs: object = {}): Promise<void> => {
      await agent('ada')
      await agent('grace')
      await task('ada', 't', mine)
      await task('grace', 'u', theirs)
    }

    it('gives plain text where nothing else was asked for', async () => {
      await pair(share({ message_prefix: 'News: ' }))
      await run('fog')
      expect(await received()).toMatchObject({ input: 'News: fog' })
    })

    it('takes an artifact along, for the prompt of the receiver to use', async () => {
      const output_path = 'report.txt'
      const kept = { artifact_stores: [{ type: 'local' }], output_path }
      const prompt = '{{text}} | {{artifact.name}}: {{artifact.content}}'
      await pair({ ...kept, ...share({ handoff_artifact: output_path }) }, { prompt })
      await run('fog')
      await workOff()
      expect(await received()).toMatchObject({
        input: {
          text: 'fog',
          artifact: { name: output_path, media_type: 'text/plain', content: 'fog' },
        },
        trigger: { caller: { handoff_artifact: output_path } },
        output: 'fog | report.txt: fog',
      })
    })

    it('says that an artifact is missing, and hands on all the same', async () => {
      await pair(share({ handoff_artifact: 'none.txt' }))
      const { id } = await run('fog')
      expect(await received()).toMatchObject({ input: { text: 'fog', artifact: null } })
      expect(await eventsOf(id)).toContainEqual(
        expect.objectContaining({
          type: 'handoff.artifact_missing',
          data: { name: 'none.txt' },
        }),
      )
    })

    it('takes an artifact along with a message, to those that listen', async () => {
      const artifact_stores = [{ type: 'local' }]
      const sharing = share({ target_task_id: null, handoff_artifact: 'output.txt' })
      await pair({ artifact_stores, ...sharing }, { triggers: [{ type: 'message' }] })
      await run('fog')
      expect(await received()).toMatchObject({
        input: { text: 'fog', artifact: { content: 'fog' } },
      })
      expect(await store.messages.find({ to: 'grace' })).toMatchObject([{ body: 'fog' }])
    })

    it('puts the output into the memory of the receiver, where its task keeps it', async () => {
      await pair(share({ handoff_memory_key: 'latest' }), { memory_namespace: 'weather' })
      await run('fog')
      expect(await memoryOf('grace', 'weather')).toMatchObject([{ key: 'latest', value: 'fog' }])
    })

    it('puts it into the namespace handoff otherwise', async () => {
      await pair(share({ handoff_memory_key: 'latest', message_prefix: 'News: ' }))
      await run('fog')
      await run('sun')
      expect(await memoryOf('grace', 'handoff')).toMatchObject([
        { key: 'latest', value: 'sun', revision: 2 },
      ])
    })

    it('to itself puts the same entry once', async () => {
      await agent('ada')
      const memory_namespace = 'weather'
      const sharing = share({ target_agent_id: 'ada', handoff_memory_key: 't' })
      await task('ada', 't', { memory_namespace, ...sharing })
      await task('ada', 'u', { memory_namespace, post_to_feed: false })
      expect((await run('fog')).status).toBe('completed')
      expect(await memoryOf('ada', memory_namespace)).toMatchObject([
        { key: 't', value: 'fog', revision: 1 },
      ])
    })

    it('reaches no agent that the task does not select', async () => {
      await pair({ ...share({ handoff_memory_key: 'latest' }), selected_connections: ['alan'] })
      const { id } = await run('fog')
      expect(await received()).toBeUndefined()
      expect(await memoryOf('grace', 'handoff')).toEqual([])
      expect(await eventsOf(id)).toContainEqual(
        expect.objectContaining({ type: 'handoff.dropped' }),
      )
    })

    it('to another account needs its consent, and stays in the namespace handoff', async () => {
      const other = await world.account()
      await agent('ada')
      await agent('eve', {}, other.key)
      await task('eve', 'u', { memory_namespace: 'weather' }, other.key)
      const sharing = share({ target_agent_id: 'eve', handoff_memory_key: 'latest' })
      await task('ada', 't', sharing)
      await run('fog')
      const request = { char_id: 'ada', friend_id: 'eve', permissions: ['run_task'] }
      await ask('friends.request', request)
      await run('rain')
      expect(await store.runs.count({ char_id: 'eve' })).toBe(0)
      await ask('friends.accept', { char_id: 'eve', friend_id: 'ada' }, other.key)
      await run('sun')
      await workOff()
      expect(await memoryOf('eve', 'handoff', other.key)).toMatchObject([
        { key: 'latest', value: 'sun', revision: 1 },
      ])
      // Its own task, at work with what it was handed, remembers where it always does.
      expect(await memoryOf('eve', 'weather', other.key)).toMatchObject([
        { key: 'u', value: 'sun' },
      ])
    })
  })

  describe('posts to channels', () => {
    const hook = (name: string, more: object = {}) => ({
      name,
      type: 'webhook',
      config: { url: `https://${name}.example/in` },
      ...more,
    })
    const posting = (more: object = {}) => ({ social_posting: { enabled: true, ...more } })
    const drops = async (id: string) =>
      (await eventsOf(id)).filter(({ type }) => type === 'social.dropped').map(({ data }) => data)

    it('are owed to the default channel, each signed with its secret', async () => {
      const channels = [
        hook('town', { config: { url: 'https://town.example/in', secret: 's3cret' } }),
      ]
      await agent('ada', { control: { channels, default_channel: 'town' } })
      await task('ada', 't', posting({ message_prefix: 'Ada: ' }))
      const made = await run('All quiet.')
      const [delivery] = await store.deliveries.find({})
      expect(delivery).toMatchObject({
        type: 'social.post',
        url: 'https://town.example/in',
        status: 'pending',
        char_id: 'ada',
        owner_id: owner.id,
      })
      expect(JSON.parse(delivery?.body ?? '')).toEqual({
        id: delivery?.event_id,
        type: 'social.post',
        timestamp: clock.now().toISOString(),
        api_version: '1.0',
        data: {
          channel: 'town',
          text: 'Ada: All quiet.',
          agent: { id: 'ada', name: 'ada' },
          run: { id: made.id, task_id: 't' },
        },
      })
      const { sealer } = world.ports
      const seal = deliverySeal(delivery?.id ?? '')
      expect(sealer.open(delivery?.sealed_secret ?? '', seal)).toBe('s3cret')
    })

    it('may be signed with a secret of the agent that the task selects', async () => {
      const config = { url: 'https://town.example/in', secret: '{{secret.HOOK}}' }
      await agent('ada', { control: { channels: [hook('town', { config })] } })
      const secrets = [{ name: 'HOOK', value: 'a marker value' }]
      await ask('characters.secrets.update', { char_id: 'ada', secrets })
      await task('ada', 't', { ...posting({ channels: ['town'] }), selected_secrets: ['HOOK'] })
      await task('ada', 'u', posting({ channels: ['town'] }))
      await run('x')
      const [delivery] = await store.deliveries.find({})
      const seal = deliverySeal(delivery?.id ?? '')
      expect(world.ports.sealer.open(delivery?.sealed_secret ?? '', seal)).toBe('a marker value')
      const { id } = await run('x', 'ada', 'u')
      expect(await drops(id)).toEqual([
        { channel: 'town', reason: 'its secret is not one of the task' },
      ])
      expect(await store.deliveries.count({})).toBe(1)
    })

    it('go to the channels that the task names, and say where they could not', async () => {
      const channels = [
        hook('town'),
        hook('port', { enabled: false }),
        hook('moon', { config: {} }),
        { name: 'mail', type: 'email' },
        hook('far'),
      ]
      await agent('ada', { control: { channels, default_channel: 'far' } })
      const named = ['town', 'town', 'port', 'moon', 'mail', 'nowhere', 'far']
      const selected_connections = ['town', 'port', 'moon', 'mail']
      await task('ada', 't', { ...posting({ channels: named }), selected_connections })
      const { id } = await run('x')
      const owed = await store.deliveries.find({})
      expect(owed.map(({ url }) => url)).toEqual(['https://town.example/in'])
      expect(await drops(id)).toEqual([
        { channel: 'port', reason: 'the channel is not enabled' },
        { channel: 'moon', reason: 'the channel has no url' },
        { channel: 'mail', reason: 'this server sends no mails' },
        { channel: 'nowhere', reason: 'the agent has no such channel' },
        { channel: 'far', reason: 'the task does not select this connection' },
      ])
    })

    it('go to twenty channels, and say which others were left out', async () => {
      const named = Array.from({ length: 22 }, (_, i) => `c${10 + i}`)
      await agent('ada', { control: { channels: named.map((name) => hook(name)) } })
      await task('ada', 't', posting({ channels: named }))
      const { id } = await run('x')
      expect(await store.deliveries.count({})).toBe(20)
      const reason = 'a run posts to at most 20 channels'
      expect(await drops(id)).toEqual([
        { channel: 'c30', reason },
        { channel: 'c31', reason },
      ])
    })

    it('need a channel, and something to say', async () => {
      await agent('ada')
      await task('ada', 't', posting())
      await task('ada', 'off', { social_posting: { enabled: false, channels: ['town'] } })
      const { id } = await run('x')
      expect(await drops(id)).toEqual([
        { channel: null, reason: 'the agent has no default channel' },
      ])
      expect(await drops((await run('')).id)).toEqual([])
      expect(await drops((await run('x', 'ada', 'off')).id)).toEqual([])
      expect(await store.deliveries.count({})).toBe(0)
    })
  })
})
