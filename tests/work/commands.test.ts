import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shellLimits } from '#adapters/shell/bubblewrap.ts'
import { CommandFailure, type Command, type CommandEnd } from '#src/ports/command.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { processesWith, shellHere } from '#tests/support/bubblewrap.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

const found = await shellHere()
const fine: CommandEnd = { exitCode: 0, stdout: '', stderr: '', isCut: false }

type Asked = Command & { script?: string; image?: string; command?: string | null }

describe.each(oneStore())('tasks that are commands on $name', (kind) => {
  let store: Store
  let made: World
  let key: string
  let asked: Asked[]
  const running: Runner[] = []

  beforeEach(async () => {
    store = await kind.open()
    asked = []
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await store.close()
  })

  /** A place that answers by the test's own function. */
  const place = (answer: (command: Asked) => Promise<CommandEnd> | CommandEnd) => ({
    limits: shellLimits,
    async run(command: Asked): Promise<CommandEnd> {
      asked.push(command)
      return answer(command)
    },
  })
  const open = async (options: WorldOptions = {}): Promise<Runner> => {
    made = openWorld(store, options)
    key = (await made.account()).key
    await made.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const one = runner(made.ports, 4)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return one
  }
  const start = async (task: object, rest: object = {}): Promise<Run> => {
    const whole = { task_id: 't', name: 'T', runtime: 'shell', shell_command: 'true', ...task }
    await made.ask('tasks.create', { char_id: 'ada', task: whole }, key)
    return made.ask('tasks.run', { char_id: 'ada', task_id: 't', ...rest }, key)
  }
  const read = (run: Run): Promise<Run> => made.ask('runs.get', { run_id: run.id }, key)
  const ended = async (run: Run): Promise<Run> => {
    await until(async () => (await read(run)).finished_at !== null)
    return read(run)
  }
  const noted = async (run: Run): Promise<{ type: string; data: object }[]> => {
    const { items } = await made.ask<{ items: { type: string; data: object }[] }>(
      'runs.events',
      { run_id: run.id },
      key,
    )
    return items
      .filter(({ type }) => !type.startsWith('run.'))
      .map(({ type, data }) => ({ type, data }))
  }

  it.each([
    ['shell', 'ABODE_SHELL_RUNTIME=on'],
    ['container', 'ABODE_CONTAINER_RUNTIME'],
  ])('refuses %s where it is off, and says how it is switched on', async (runtime, setting) => {
    await open()
    const run = await ended(await start({ runtime, container_image: 'debian' }))
    expect(run).toMatchObject({ status: 'failed', error: { code: 'runtime_disabled' } })
    expect(run.error?.message).toContain(setting)
  })

  it('gives a command its input, variables and ids', async () => {
    await open({ shell: place(() => ({ ...fine, stdout: 'one\ntwo\n\n' })) })
    const variables = { a: '1', 'not-a-name': '2', nul: 'x\0y', long: 'x'.repeat(40_000) }
    const run = await start({ variables }, { input: { b: ['é'] }, variables: { a: '$(id)' } })
    expect(await ended(run)).toMatchObject({ status: 'completed', output: 'one\ntwo' })
    const [command] = asked
    const ids = { run_id: run.id, task_id: 't', char_id: 'ada' }
    expect(command).toMatchObject({ script: 'true', run: ids, timeoutMs: 120_000 })
    expect(command?.env).toEqual({
      ABODE_INPUT: '{"b":["é"]}',
      ABODE_VAR_a: '$(id)',
      ABODE_RUN_ID: run.id,
      ABODE_TASK_ID: 't',
      ABODE_CHAR_ID: 'ada',
      ABODE_ATTEMPT: '1',
    })
    expect(JSON.parse(command?.stdin ?? '')).toEqual({
      input: { b: ['é'] },
      variables: { ...variables, a: '$(id)' },
      ...ids,
    })
  })

  it('gives it the secrets that its task selects, and keeps them out of its results', async () => {
    const value = 'marker-of-a-secret'
    const leaks = (command: Asked): CommandEnd => {
      const { TOKEN = 'none' } = command.env
      return { ...fine, stdout: `token ${TOKEN}`, stderr: `+ curl ${TOKEN}` }
    }
    await open({ shell: place(leaks) })
    const secrets = [
      { name: 'TOKEN', value },
      { name: 'OTHER', value: 'never-given' },
    ]
    await made.ask('characters.secrets.update', { char_id: 'ada', secrets }, key)
    const run = await ended(await start({ selected_secrets: ['TOKEN'] }))
    expect(asked[0]?.env).toMatchObject({ TOKEN: value })
    expect(asked[0]?.env).not.toHaveProperty('OTHER')
    expect(asked[0]?.stdin).not.toContain(value)
    expect(run.output).toMatch(/^token \[/)
    expect(JSON.stringify([run, await noted(run)])).not.toContain(value)
  })

  it('fails by the exit code, with what was written as events', async () => {
    const bad = { exitCode: 3, stdout: 'half\n', stderr: 'broken', isCut: true }
    await open({ shell: place(() => bad) })
    const run = await ended(await start({}))
    expect(run).toMatchObject({
      status: 'failed',
      output: null,
      error: { code: 'shell_exit', message: 'The command ended with the exit code 3.' },
    })
    expect(await noted(run)).toEqual([
      { type: 'shell.stderr', data: { text: 'broken', cut: true } },
      { type: 'shell.stdout', data: { text: 'half\n', cut: false } },
    ])
  })

  it.each([
    ['timeout', 'timed_out'],
    ['memory', 'failed'],
    ['output', 'failed'],
    ['unavailable', 'failed'],
  ] as const)('ends by the fault %s as %s', async (fault, status) => {
    const failure = new CommandFailure(fault, 'In words.', { stderr: 'last words' })
    await open({ shell: place(() => Promise.reject(failure)) })
    const run = await ended(await start({}))
    expect(run).toMatchObject({ status, error: { code: `shell_${fault}`, message: 'In words.' } })
    expect(await noted(run)).toEqual([
      { type: 'shell.stderr', data: { text: 'last words', cut: true } },
    ])
  })

  it.each([
    [{ shell_command: null }, 'shell_command_missing'],
    [{ shell_command: 'echo {{name}}' }, 'shell_placeholder'],
    [{ shell_command: 'echo "{{ input.a-b }}"' }, 'shell_placeholder'],
    [{ shell_command: 'curl -H "{{secret.TOKEN}}"' }, 'shell_placeholder'],
    [{ runtime: 'container', container_image: null }, 'container_image_missing'],
    [{ runtime: 'container', container_command: 'x {{a}}' }, 'container_placeholder'],
  ])('never begins %j: %s', async (task, code) => {
    await open({ shell: place(() => fine), containers: place(() => fine) })
    const run = await ended(await start({ container_image: 'debian', ...task }))
    expect(run).toMatchObject({ status: 'failed', error: { code } })
    expect(asked).toEqual([])
  })

  it('warns of a placeholder when the task is written, and leaves the templates of others alone', async () => {
    await open({ shell: place(() => fine) })
    const make = (task_id: string, shell_command: string) =>
      made.ask<{ warnings?: object[] }>(
        'tasks.create',
        { char_id: 'ada', task: { task_id, name: 'T', runtime: 'shell', shell_command } },
        key,
      )
    const { warnings } = await make('a', 'echo {{who}}')
    expect(warnings).toMatchObject([{ code: 'nothing_filled_in', pointer: '/shell_command' }])
    const other = await make('b', "tool --format '{{.Names}}' '{{range .}}'")
    expect(other.warnings).toBeUndefined()
    const run = await made.ask<Run>('tasks.run', { char_id: 'ada', task_id: 'b' }, key)
    expect(await ended(run)).toMatchObject({ status: 'completed' })
  })

  it('gives a container its image and its command', async () => {
    await open({ containers: place(() => ({ ...fine, stdout: 'from it' })) })
    const task = { runtime: 'container', container_image: 'debian:12', container_command: 'cat' }
    const run = await start(task, { input: 'x' })
    expect(await ended(run)).toMatchObject({ status: 'completed', output: 'from it' })
    expect(asked[0]).toMatchObject({ image: 'debian:12', command: 'cat' })
    expect(asked[0]?.env).toMatchObject({ ABODE_INPUT: 'x' })
  })

  it.skipIf(!found)(
    'kills a real command with its processes when its run is cancelled',
    async () => {
      if (found) await open({ shell: found })
      const seconds = `9${Math.random().toFixed(12).slice(2)}`
      const run = await start({
        shell_command: `sleep ${seconds} & (setsid sleep ${seconds}); wait`,
      })
      await until(() => processesWith(seconds) >= 2)
      await made.ask('runs.cancel', { run_id: run.id }, key)
      await until(() => processesWith(seconds) === 0)
      expect(await read(run)).toMatchObject({ status: 'cancelled' })
    },
  )

  it.skipIf(!found)(
    'kills it when the process stops, and the run starts again elsewhere',
    async () => {
      if (!found) return
      const first = await open({ shell: found })
      const seconds = `9${Math.random().toFixed(12).slice(2)}`
      const shell_command = `[ -e /work/x ] || sleep ${seconds}`
      const run = await start({ shell_command })
      await until(() => processesWith(seconds) > 0)
      await first.stop()
      expect(processesWith(seconds)).toBe(0)
      expect(await read(run)).toMatchObject({ status: 'queued', attempt: 1 })
    },
  )

  it.skipIf(!found)('ends it after the time of a step', async () => {
    if (found) await open({ shell: found })
    const run = await start({ shell_command: 'sleep 60', step_timeout_seconds: 1 })
    expect(await ended(run)).toMatchObject({
      status: 'timed_out',
      error: { code: 'shell_timeout', message: 'The command took longer than 1 s.' },
    })
  })

  it.skipIf(!found)('runs a real command from its input to its output', async () => {
    if (found) await open({ shell: found })
    const shell_command = `printf '%s|' "$ABODE_INPUT" "$ABODE_VAR_who"; perl -ne 'print length'`
    const run = await start({ shell_command }, { input: '$(id) `id`', variables: { who: "'; id" } })
    const { output } = await ended(run)
    expect(output).toMatch(/^\$\(id\) `id`\|'; id\|\d+$/)
  })
})
