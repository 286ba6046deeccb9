import { afterEach, beforeEach, describe as describeOnEach, expect, it as itOnEach } from 'vitest'
import type { Hook } from '#src/agents/brain.ts'
import { Unavailable, type Store, type Write } from '#src/ports/store.ts'
import type { Log } from '#src/ports/log.ts'
import type { Run } from '#src/runs/run.ts'
import { eventPasser, tryAgainSeconds } from '#src/work/events.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { startWork } from '#src/work/work.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { publicEntry } from '#src/agents/memory/entry.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { openWorld, silent, type World } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

interface Page<T> {
  items: T[]
}

const on = (event: string, filter?: unknown) => ({
  type: 'event',
  config: { event, ...(filter !== undefined && { filter }) },
})
const hook = (event: string, action: string): Pick<Hook, 'event' | 'action'> => ({ event, action })

describeOnEach.each(stores())('platform events on $name', (kind) => {
  const { it, describe } = onFirstStore(kind)
  let place: Place
  let store: Store
  let opened: Store[]
  let clock: FakeClock
  let world: World
  let key: string
  let owner: string
  let running: Runner

  /** The store as one more process opens it, on the clock of the test. */
  const open = async (): Promise<Store> => {
    const one = await place.open()
    opened.push(one)
    return {
      ...one,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
  }

  beforeEach(async () => {
    place = await kind.place()
    opened = []
    clock = fakeClock()
    store = await open()
    world = openWorld(store, { clock })
    ;({ key, id: owner } = await world.account())
    running = runner(world.ports, 4)
  })
  afterEach(async () => {
    await running.stop()
    await Promise.all(opened.map((one) => one.close()))
    await place.remove()
  })

  const agent = (id: string, tasks: object[], more: object = {}): Promise<unknown> => {
    const whole = tasks.map((task) => ({ name: 'Task', runtime: 'template', ...task }))
    const character = { id, name: id, heart: { tasks: whole }, ...more }
    return world.ask('characters.create', { character }, key)
  }
  const run = (char_id: string, task_id: string, input: unknown = null): Promise<Run> =>
    world.ask('tasks.run', { char_id, task_id, input }, key)
  const runsOf = async (char_id: string, task_id: string): Promise<Run[]> => {
    const filter = { char_id, task_id, limit: 100 }
    return (await world.ask<Page<Run>>('runs.list', filter, key)).items
  }
  const pass = (ports = world.ports): Promise<number> => eventPasser(ports)()
  /** Passes on and works off until nothing is left to do. */
  const settle = async (): Promise<void> => {
    for (;;) {
      while ((await pass()) > 0);
      const queued = {
        status: { $in: ['queued', 'running'] },
        waits_for: { $ne: 'brain' },
      } as const
      if ((await store.runs.count(queued)) > 0) {
        await until(async () => {
          // What a run hands on is queued as it ends.
          await running.tick(clock.now())
          return (await store.runs.count(queued)) === 0
        })
      } else if ((await store.events.count({})) === 0) return
    }
  }

  itOnEach(
    'of a sibling start no task whose trigger a key that acts as the agent wrote',
    async () => {
      const hears = { name: 'Hear', runtime: 'template', triggers: [on('message.received')] }
      await agent('ada', [])
      await agent('grace', [{ ...hears, task_id: 'owned' }])
      const scope = { name: 'Scoped', scope_char_id: 'grace' }
      const { key: scoped } = await world.ask<{ key: string }>('api_keys.create', scope, key)
      await world.ask(
        'tasks.create',
        { char_id: 'grace', task: { ...hears, task_id: 'hear' } },
        scoped,
      )
      const tell = (to: string): Promise<unknown> =>
        world.ask('messages.send', { char_id: 'grace', to, body: `to ${to}` }, key)
      await tell('ada')
      await settle()
      expect(await runsOf('grace', 'hear')).toEqual([])
      expect(await runsOf('grace', 'owned')).toHaveLength(1)
      // What happens to the agent itself it may listen to.
      await tell('grace')
      await settle()
      expect(await runsOf('grace', 'hear')).toMatchObject([{ input: { body: 'to grace' } }])
    },
  )

  describe('start tasks', () => {
    it('that wait for them, of any agent of the account, as part of the same chain', async () => {
      await agent('ada', [{ task_id: 'say', prompt: 'hello {{input}}' }])
      await agent('grace', [
        {
          task_id: 'hear',
          prompt: '{{run_id}}',
          triggers: [on('run.completed', { char_id: 'ada' })],
        },
      ])
      const cause = await run('ada', 'say', 'you')
      const [event] = await store.events.find({})
      await settle()
      const [heard, ...more] = await runsOf('grace', 'hear')
      expect(more).toEqual([])
      expect(heard).toMatchObject({
        status: 'completed',
        output: cause.id,
        parent_run_id: cause.id,
        root_run_id: cause.id,
        depth: 1,
        trigger: {
          type: 'event',
          caller: { event_id: event?.id, event: 'run.completed', run_id: cause.id },
        },
        input: {
          run_id: cause.id,
          char_id: 'ada',
          task_id: 'say',
          status: 'completed',
          output: 'hello you',
          error: null,
          trigger: 'manual',
          depth: 0,
        },
      })
      expect(await store.events.count({})).toBe(0)
    })

    it('only where every path of the filter has its value', async () => {
      await agent('ada', [{ task_id: 'say', prompt: '{{input}}' }])
      const filters: [string, unknown, boolean][] = [
        ['whole', undefined, true],
        ['empty', {}, true],
        ['member', { task_id: 'say', depth: 0 }, true],
        ['path', { 'error.code': 'variable_missing' }, true],
        ['other', { task_id: 'say', 'error.code': 'other' }, false],
        ['absent', { 'error.code.more': null }, false],
        ['type', { depth: '0' }, false],
        ['text', 'task_id=say', false],
        ['list', ['say'], false],
      ]
      const tasks = filters.map(([task_id, filter]) => ({
        task_id,
        prompt: 'heard',
        triggers: [on('run.failed', filter)],
      }))
      await agent('grace', tasks)
      await world.ask(
        'tasks.update',
        { char_id: 'ada', task_id: 'say', task: { prompt: '{{no}}' } },
        key,
      )
      expect(await run('ada', 'say')).toMatchObject({ status: 'failed' })
      await settle()
      for (const [name, , isHeard] of filters) {
        expect(await runsOf('grace', name), name).toHaveLength(isHeard ? 1 : 0)
      }
    })

    it('of their own account only', async () => {
      const other = await world.account()
      const task = {
        task_id: 'hear',
        name: 'Hear',
        runtime: 'template',
        triggers: [on('run.completed')],
      }
      const character = { id: 'mallory', name: 'Mallory', heart: { tasks: [task] } }
      await world.ask('characters.create', { character }, other.key)
      await agent('ada', [{ task_id: 'say' }])
      await run('ada', 'say')
      expect(await store.events.count({})).toBe(0)
    })

    it('but not disabled ones, and those that run by hand are skipped with the reason', async () => {
      await agent('ada', [{ task_id: 'say' }])
      const triggers = [on('run.completed', { char_id: 'ada' })]
      await agent('grace', [
        { task_id: 'off', enabled: false, triggers },
        { task_id: 'hand', autonomy: 'manual', triggers },
        { task_id: 'still', triggers: [{ ...triggers[0], enabled: false }] },
      ])
      await run('ada', 'say')
      await settle()
      expect(await runsOf('grace', 'off')).toEqual([])
      expect(await runsOf('grace', 'still')).toEqual([])
      expect(await runsOf('grace', 'hand')).toMatchObject([
        { status: 'skipped', reason: 'autonomy_manual' },
      ])
    })

    it('when a message arrives, sent or handed on', async () => {
      await agent('grace', [
        { task_id: 'hear', triggers: [on('message.received', { to: 'grace' })] },
      ])
      const output_sharing = { enabled: true, target_agent_id: 'grace' }
      await agent('ada', [{ task_id: 'say', prompt: 'result', output_sharing }])
      await world.ask('messages.send', { char_id: 'ada', to: 'grace', body: 'hello' }, key)
      await settle()
      const handing = await run('ada', 'say')
      await settle()
      expect(await runsOf('grace', 'hear')).toMatchObject([
        { input: { from: 'ada', body: 'result', run_id: handing.id }, parent_run_id: handing.id },
        { input: { from: 'ada', body: 'hello', run_id: null }, parent_run_id: null, depth: 0 },
      ])
    })

    it('with data that is short, for any output of the run', async () => {
      await agent('ada', [{ task_id: 'say', prompt: '{{input}}' }])
      await agent('grace', [
        { task_id: 'hear', triggers: [on('run.completed', { char_id: 'ada' })] },
      ])
      await run('ada', 'say', '\u{1f600}"'.repeat(50_000))
      await settle()
      const [heard] = await runsOf('grace', 'hear')
      const input = heard?.input as { output: string; output_cut: boolean }
      expect(input.output_cut).toBe(true)
      expect(input.output.startsWith('\u{1f600}"\u{1f600}"')).toBe(true)
      expect(Buffer.byteLength(JSON.stringify(input))).toBeLessThan(13_000)
    })

    it('however many they are, each once', async () => {
      await agent('ada', [{ task_id: 'say' }])
      const tasks = Array.from({ length: 130 }, (_, i) => ({
        task_id: `hear-${String(i).padStart(3, '0')}`,
        triggers: [on('message.received')],
      }))
      await agent('grace', tasks)
      await world.ask('messages.send', { char_id: 'grace', to: 'ada', body: 'hello' }, key)
      expect(await pass()).toBe(1)
      expect(await store.runs.count({ char_id: 'grace' })).toBe(100)
      expect(await pass()).toBe(1)
      expect(await store.runs.count({ char_id: 'grace' })).toBe(130)
      expect(await pass()).toBe(0)
      const started = await store.runs.find({ char_id: 'grace' })
      expect(new Set(started.map((one) => one.task_id)).size).toBe(130)
    })
  })

  itOnEach('cost nothing where no one listens', async () => {
    await agent('ada', [{ task_id: 'say' }])
    await agent('grace', [{ task_id: 'hear', triggers: [on('friend.accepted')] }])
    await agent('bob', [], { brain: { hooks: [hook('after_run', 'task:say')] } })
    await run('ada', 'say')
    expect(await store.events.count({})).toBe(0)
  })

  describeOnEach('call the hooks of their agent', () => {
    itOnEach('before and after a run, and instead of it on an error', async () => {
      const hooks = [
        hook('before_run', 'memory:log/before'),
        hook('after_run', 'memory:log/after'),
        hook('on_error', 'memory:log/error'),
        { ...hook('after_run', 'memory:log/off'), enabled: false },
      ]
      await agent('ada', [{ task_id: 'say', prompt: '{{word}}' }], { brain: { hooks } })
      const remembered = async () =>
        (await store.memory.find({ char_id: 'ada' }, { sort: { key: 1 } })).map((entry) => [
          entry.key,
          entry.revision,
        ])
      await run('ada', 'say', { word: 'hello' })
      await settle()
      expect(await remembered()).toEqual([
        ['after', 1],
        ['before', 1],
      ])
      const failed = await run('ada', 'say')
      await settle()
      expect(await remembered()).toEqual([
        ['after', 1],
        ['before', 2],
        ['error', 1],
      ])
      const [error] = await store.memory.find({ char_id: 'ada', key: 'error' })
      expect(error).toMatchObject({
        namespace: 'log',
        owner_id: owner,
        value: { run_id: failed.id, status: 'failed', error: { code: 'variable_missing' } },
      })
    })

    it('with a task, as part of the chain', async () => {
      const brain = { hooks: [hook('after_run', 'task:tidy')] }
      await agent('ada', [{ task_id: 'say' }, { task_id: 'tidy', triggers: [] }], { brain })
      const cause = await run('ada', 'say')
      await pass()
      expect(await runsOf('ada', 'tidy')).toMatchObject([
        {
          status: 'queued',
          parent_run_id: cause.id,
          trigger: { type: 'hook', caller: { event: 'after_run', run_id: cause.id } },
        },
      ])
    })

    it('with a call to an address outside, that is owed from then on', async () => {
      const brain = { hooks: [hook('run.completed', 'webhook:https://example.com/hook')] }
      await agent('ada', [{ task_id: 'say', prompt: 'hello' }], { brain })
      const cause = await run('ada', 'say')
      await settle()
      const [delivery, ...more] = await store.deliveries.find({})
      expect(more).toEqual([])
      expect(delivery).toMatchObject({
        app_id: null,
        char_id: 'ada',
        owner_id: owner,
        type: 'run.completed',
        url: 'https://example.com/hook',
        status: 'pending',
        sealed_secret: null,
      })
      expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
        id: delivery?.event_id,
        type: 'run.completed',
        api_version: '1.0',
        data: { char_id: 'ada', run_id: cause.id, output: 'hello' },
      })
    })

    itOnEach('and note on the run which of them could do nothing', async () => {
      const actions = [
        'task:nowhere',
        'webhook:http://example.com/',
        'memory:log',
        'memory:log/a b',
        'memory:/key',
        'shout:loud',
        'nothing',
      ]
      const hooks = actions.map((action) => hook('after_run', action))
      await agent('ada', [{ task_id: 'say' }], { brain: { hooks } })
      const cause = await run('ada', 'say')
      await settle()
      const events = await store.run_events.find({ run_id: cause.id }, { sort: { seq: 1 } })
      expect(events.map(({ type, data }) => [type, data['action']])).toEqual(
        actions.map((action) => ['hook.dropped', action]),
      )
      for (const { data } of events) expect(data['reason']).toEqual(expect.any(String))
      expect(await store.memory.count({})).toBe(0)
      expect(await store.deliveries.count({})).toBe(0)
    })

    itOnEach('once before a run, also where it is leased again and again', async () => {
      const brain = { hooks: [hook('before_run', 'memory:log/before')] }
      await agent('ada', [{ task_id: 'think', runtime: 'by-hand', prompt: 'Think' }], { brain })
      await run('ada', 'think')
      for (let i = 0; i < 2; i++) {
        const lease = await world.ask<{ run: Run; lease_token: string }>('runs.lease', {}, key)
        const error = { message: 'not now' }
        const { lease_token } = lease
        const failure = { run_id: lease.run.id, lease_token, error, transient: true }
        await world.ask('runs.fail', failure, key)
      }
      await settle()
      expect(await store.memory.find({})).toMatchObject([{ key: 'before', revision: 1 }])
    })

    it('which count what they remember once', async () => {
      const hooks = [hook('after_run', 'memory:log/after')]
      await agent('ada', [{ task_id: 'say' }], { brain: { hooks } })
      const bytes = async (): Promise<number> =>
        (await world.ports.quotas.usage({ accountId: owner, claimed: false })).stored_bytes
      const before = await bytes()
      const { id } = await run('ada', 'say', 'x'.repeat(5000))
      await settle()
      await world.ask('runs.delete', { run_id: id }, key)
      const [entry] = await store.memory.find({ char_id: 'ada' })
      if (!entry) throw new Error('nothing is remembered')
      expect((await bytes()) - before).toBe(sizeOf(publicEntry(entry)))
    })

    it('not of another account that has taken the id since', async () => {
      const brain = { hooks: [hook('message.received', 'memory:log/message')] }
      await agent('ada', [], { brain })
      await agent('grace', [])
      await world.ask('messages.send', { char_id: 'grace', to: 'ada', body: 'hello' }, key)
      await world.ask('characters.delete', { char_id: 'ada' }, key)
      const other = await world.account()
      const character = { id: 'ada', name: 'Other', brain }
      await world.ask('characters.create', { character }, other.key)
      await settle()
      expect(await store.memory.count({})).toBe(0)
    })
  })

  it('are told to the webhook of the app that lists them, signed with its secret', async () => {
    const manifest = {
      manifest_version: 1,
      app_id: 'crew',
      name: 'Crew',
      webhook: { url: 'https://example.com/app', secret: 'shared', events: ['run.failed'] },
      agents: [
        {
          local_id: 'ada',
          name: 'Ada',
          heart: {
            tasks: [{ task_id: 'say', name: 'Say', runtime: 'template', prompt: '{{word}}' }],
          },
        },
      ],
    }
    await world.ask('agent_apps.provision', { manifest }, key)
    const before = await store.deliveries.count({})
    await run('crew--ada', 'say', { word: 'fine' })
    const failed = await run('crew--ada', 'say')
    await settle()
    const owed = await store.deliveries.find({ type: 'run.failed' })
    expect(await store.deliveries.count({})).toBe(before + 1)
    expect(owed).toMatchObject([{ app_id: 'crew', url: 'https://example.com/app' }])
    expect(owed[0]?.sealed_secret).toEqual(expect.any(String))
    expect(JSON.parse(owed[0]?.body ?? '')).toMatchObject({
      type: 'run.failed',
      data: { app_id: 'crew', run_id: failed.id, status: 'failed' },
    })
  })

  describe('that go round in circles', () => {
    const ways = async (char_id: string, task_id: string) =>
      (await runsOf(char_id, task_id))
        .map(({ depth, status, reason }) => [depth, status, reason] as const)
        .toSorted(([a, , why], [b, , other]) => a - b || (why ?? '').localeCompare(other ?? ''))

    it('end where a trigger would fire for a run that it started', async () => {
      await agent('ada', [{ task_id: 'echo', triggers: [on('run.completed')] }])
      const first = await run('ada', 'echo')
      await settle()
      expect(await ways('ada', 'echo')).toEqual([
        [0, 'completed', null],
        [1, 'completed', null],
        [2, 'skipped', 'loop'],
      ])
      const [last] = await runsOf('ada', 'echo')
      expect(last).toMatchObject({ status: 'skipped', root_run_id: first.id })
      expect(last).not.toHaveProperty('fired')
    })

    it('end where a hook would start a task again, also by way of another hook', async () => {
      const hooks = [hook('after_run', 'task:note'), hook('run.completed', 'task:check')]
      const brain = { hooks }
      await agent('ada', [{ task_id: 'say' }, { task_id: 'note' }, { task_id: 'check' }], { brain })
      await run('ada', 'say')
      await settle()
      // Once for the run itself, once for the other; and each is cut where it would come again.
      const each = [
        [1, 'completed', null],
        [2, 'completed', null],
        [2, 'skipped', 'loop'],
        [3, 'skipped', 'loop'],
        [3, 'skipped', 'loop'],
      ]
      expect(await ways('ada', 'note')).toEqual(each)
      expect(await ways('ada', 'check')).toEqual(each)
    })

    it('end by way of an approval and of what is handed on', async () => {
      await agent('ada', [
        { task_id: 'one', triggers: [on('run.completed', { task_id: 'two' })] },
        { task_id: 'mid', approval_gate: { requires_approval: true } },
      ])
      const output_sharing = { enabled: true, target_agent_id: 'ada', target_task_id: 'mid' }
      await agent('grace', [{ task_id: 'from', output_sharing }])
      const back = { enabled: true, target_agent_id: 'bob', target_task_id: 'two' }
      await agent('bob', [{ task_id: 'two', prompt: 'two' }])
      const changed = { char_id: 'ada', task_id: 'mid', task: { output_sharing: back } }
      await world.ask('tasks.update', changed, key)
      const again = { enabled: true, target_agent_id: 'ada', target_task_id: 'mid' }
      const one = { char_id: 'ada', task_id: 'one', task: { output_sharing: again } }
      await world.ask('tasks.update', one, key)
      await run('grace', 'from')
      for (let i = 0; i < 2; i++) {
        await settle()
        const [open] = await store.approvals.find({ state: 'pending' })
        if (!open) throw new Error('nothing waits for an approval')
        await world.ask('approvals.decide', { approval_id: open.id, decision: 'approve' }, key)
      }
      await settle()
      expect(await ways('ada', 'one')).toEqual([
        [3, 'completed', null],
        [6, 'skipped', 'loop'],
      ])
    })

    it('end over three accounts, which tell each other by messages', async () => {
      const circle = [key, (await world.account()).key, (await world.account()).key]
      const ids = ['ada', 'grace', 'bob']
      const prompt = 'think'
      for (const [i, own] of circle.entries()) {
        const to = ids[(i + 1) % 3]
        const output_sharing = { enabled: true, target_agent_id: to }
        const triggers = [on('message.received')]
        const task = { task_id: 'pass', name: 'Pass', runtime: 'template', prompt }
        const heart = { tasks: [{ ...task, triggers, output_sharing }] }
        const character = { id: ids[i], name: ids[i], heart }
        await world.ask('characters.create', { character }, own)
      }
      for (const [i, own] of circle.entries()) {
        const friend = { friend_id: ids[(i + 1) % 3], permissions: ['message', 'run_task'] }
        await world.ask('friends.request', { char_id: ids[i], ...friend }, own)
        const accept = { char_id: ids[(i + 1) % 3], friend_id: ids[i] }
        const grants = { permissions: ['message', 'run_task'] }
        await world.ask('friends.accept', { ...accept, ...grants }, circle[(i + 1) % 3] ?? '')
      }
      await run('ada', 'pass')
      await settle()
      const all = await store.runs.find({ task_id: 'pass' }, { sort: { depth: 1 } })
      expect(
        all.map(({ char_id, depth, status, reason }) => [char_id, depth, status, reason]),
      ).toEqual([
        ['ada', 0, 'completed', null],
        ['grace', 1, 'completed', null],
        ['bob', 2, 'completed', null],
        ['ada', 3, 'completed', null],
        ['grace', 4, 'skipped', 'loop'],
      ])
    })

    it('and are told of as they are written, with the tasks on the way', async () => {
      type Warned = { warnings?: { code: string; pointer: string; message: string }[] }
      const loops = ({ warnings = [] }: Warned) =>
        warnings.filter(({ code }) => code === 'loops').map(({ pointer }) => pointer)
      const hooks = [hook('after_run', 'task:note'), hook('run.completed', 'task:check')]
      const tasks = [{ task_id: 'say' }, { task_id: 'note' }, { task_id: 'check' }]
      const made = (await agent('ada', tasks, { brain: { hooks } })) as Warned
      expect(loops(made)).toEqual(['/brain/hooks/0/action', '/brain/hooks/1/action'])
      const alone = { brain: { hooks: [hook('after_run', 'task:note')] } }
      expect(loops((await agent('bob', tasks, alone)) as Warned)).toEqual([])
      await agent('grace', [
        { task_id: 'one', triggers: [on('run.completed', { char_id: 'linus' })] },
      ])
      const two = { task_id: 'two', triggers: [on('run.completed', { char_id: 'grace' })] }
      const closing = (await agent('linus', [two])) as Warned
      expect(loops(closing)).toEqual(['/heart/tasks/0/triggers/0/config'])
      const patch = { triggers: [on('run.completed', { char_id: 'grace', trigger: 'cron' })] }
      const mended = { char_id: 'linus', task_id: 'two', task: patch }
      expect(loops(await world.ask('tasks.update', mended, key))).toEqual([])
      const back = { ...mended, task: { triggers: two.triggers } }
      const [warning] = (await world.ask<Warned>('tasks.update', back, key)).warnings ?? []
      expect(warning).toMatchObject({ code: 'loops', pointer: '/triggers/0/config' })
      expect(warning?.message).toContain('"two", then "one", then "two"')
      const manifest = {
        manifest_version: 1,
        app_id: 'crew',
        name: 'Crew',
        agents: [{ local_id: 'ada', name: 'Ada', brain: { hooks }, heart: { tasks } }],
      }
      for (const task of tasks) Object.assign(task, { name: 'Task', runtime: 'template' })
      const checked = await world.ask<{ findings: { code: string; pointer: string }[] }>(
        'agent_apps.validate',
        { manifest },
        key,
      )
      expect(checked.findings).toContainEqual(
        expect.objectContaining({ code: 'loops', pointer: '/agents/0/brain/hooks/0/action' }),
      )
    })

    it('end where the first run has set off too many, and say so', async () => {
      const triggers = [on('run.completed')]
      const ids = ['one', 'two', 'three', 'four', 'five', 'six']
      await agent(
        'ada',
        ids.map((task_id) => ({ task_id, triggers })),
      )
      const first = await run('ada', 'one')
      await settle()
      const root = { root_run_id: first.id }
      expect(await store.runs.count({ ...root, status: 'completed' })).toBe(100)
      expect((await store.runs.get(first.id))?.family).toBe(100)
      const skipped = await store.runs.find({ ...root, status: 'skipped' })
      expect(skipped.length).toBeGreaterThan(0)
      expect(new Set(skipped.map(({ reason }) => reason))).toContain('chain_runs')
    })
  })

  itOnEach(
    'keep a hundred skipped runs of one event at most, however many tasks listen',
    async () => {
      const listening = Array.from({ length: 150 }, (_, i) => ({
        task_id: `t${1000 + i}`,
        triggers: [on('run.completed', { task_id: 'say' })],
      }))
      await agent('ada', [{ task_id: 'say' }])
      await agent('grace', listening)
      await agent('alan', listening)
      const first = await run('ada', 'say')
      while ((await pass()) > 0);
      const root = { root_run_id: first.id }
      expect(await store.runs.count({ ...root, status: 'queued' })).toBe(99)
      expect(await store.runs.count({ ...root, reason: 'chain_runs' })).toBeLessThanOrEqual(100)
      expect(await store.events.count({})).toBe(0)
    },
  )

  describeOnEach('are passed on once', () => {
    itOnEach('by however many processes', async () => {
      await agent('ada', [{ task_id: 'say' }])
      await agent('grace', [
        { task_id: 'hear', triggers: [on('run.completed', { char_id: 'ada' })] },
      ])
      await agent('bob', [], {
        brain: { hooks: [hook('message.received', 'memory:log/last')] },
      })
      for (let i = 0; i < 10; i++) {
        await run('ada', 'say', i)
        await world.ask('messages.send', { char_id: 'ada', to: 'bob', body: `${i}` }, key)
      }
      const others = await Promise.all([open(), open()])
      const processes = [world, ...others.map((one) => openWorld(one, { clock }))]
      while ((await store.events.count({})) > 0) {
        await Promise.all(processes.map(({ ports }) => pass(ports)))
      }
      expect(await store.runs.count({ char_id: 'grace' })).toBe(10)
      expect(await store.memory.find({})).toMatchObject([{ revision: 10 }])
    })

    itOnEach('where the store goes away before or after the commit', async () => {
      await agent('ada', [{ task_id: 'say' }])
      await agent('grace', [
        { task_id: 'hear', triggers: [on('run.completed', { char_id: 'ada' })] },
      ])
      await run('ada', 'say')
      const failing = (commit: (writes: readonly Write[]) => Promise<void>): World['ports'] => ({
        ...world.ports,
        store: { ...store, commit },
      })
      const before = failing(() => Promise.reject(new Unavailable('it is away')))
      await expect(pass(before)).rejects.toThrow('it is away')
      expect(await store.runs.count({ char_id: 'grace' })).toBe(0)
      expect(await store.events.find({})).toMatchObject([{ attempts: 0 }])
      const after = failing(async (writes) => {
        await store.commit(writes)
        throw new Unavailable('it went away', { outcomeUnknown: true })
      })
      await expect(pass(after)).rejects.toThrow('it went away')
      expect(await pass()).toBe(0)
      expect(await store.runs.count({ char_id: 'grace' })).toBe(1)
      expect(await store.events.count({})).toBe(0)
    })

    itOnEach('where what they rest on is changed meanwhile', async () => {
      const brain = { hooks: [hook('after_run', 'memory:log/last')] }
      await agent('ada', [{ task_id: 'say' }], { brain })
      await run('ada', 'say')
      let isFirst = true
      const racing: Store = {
        ...store,
        async commit(writes) {
          if (isFirst) {
            isFirst = false
            const value = { char_id: 'ada', namespace: 'log', key: 'last', value: 'mine' }
            await world.ask('memory.put', value, key)
          }
          return store.commit(writes)
        },
      }
      expect(await pass({ ...world.ports, store: racing })).toBe(1)
      expect(await store.memory.find({})).toMatchObject([
        { revision: 2, value: { status: 'completed' } },
      ])
    })
  })

  it('that cannot be passed on are tried again later, hold up no others, and are given up at last', async () => {
    await agent('ada', [{ task_id: 'say' }])
    await agent('grace', [{ task_id: 'hear', triggers: [on('message.received')] }])
    await agent('bob', [], { brain: { hooks: [hook('message.received', 'task:say')] } })
    const send = (to: string) =>
      world.ask('messages.send', { char_id: 'ada', to, body: 'hello' }, key)
    await send('bob')
    await send('grace')
    const lines: string[] = []
    const log: Log = {
      ...silent,
      warn: (message) => lines.push(message),
      error: (message) => lines.push(message),
    }
    const { characters } = store
    const broken = {
      ...characters,
      get: (id: string) =>
        id === 'bob' ? Promise.reject(new Error('broken')) : characters.get(id),
    }
    const ports = { ...world.ports, log, store: { ...store, characters: broken } }
    for (const [attempt, seconds] of tryAgainSeconds.entries()) {
      expect(await pass(ports)).toBeGreaterThan(0)
      expect(await store.runs.count({ char_id: 'grace' })).toBe(1)
      expect(await store.events.find({})).toMatchObject([{ char_id: 'bob', attempts: attempt + 1 }])
      expect(await pass(ports)).toBe(0)
      await clock.advance(seconds * 1000)
    }
    await pass(ports)
    expect(await store.events.count({})).toBe(0)
    expect(lines).toHaveLength(tryAgainSeconds.length + 1)
    expect(lines.at(-1)).toContain('given up')
  })

  itOnEach(
    'are passed on at once by the role scheduler, without waiting for its next look',
    async () => {
      await agent('ada', [{ task_id: 'say' }])
      await agent('grace', [
        { task_id: 'hear', triggers: [on('run.completed', { char_id: 'ada' })] },
      ])
      const work = startWork(world.ports, ['scheduler', 'runner'], 4)
      try {
        // The clock stands still, so that nothing but the wake can bring the next look.
        await clock.advance(0)
        await run('ada', 'say')
        await until(async () => (await runsOf('grace', 'hear'))[0]?.status === 'completed')
      } finally {
        await work.stop()
      }
    },
  )
})
