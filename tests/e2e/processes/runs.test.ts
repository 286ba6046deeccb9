import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, startServer, type ServerProcess } from '#tests/support/process.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { ask, keyOf, pause } from './several.ts'

const masterKey = hash('sha256', 'a key of the tests', 'hex')

describe.each(stores())('abode runs and accounts next to a server on $name', (kind) => {
  let place: Place
  let server: ServerProcess
  let env: Record<string, string>
  let key: string
  let id: string

  beforeAll(async () => {
    place = await kind.place()
    const own = { ABODE_MASTER_KEY: masterKey, ABODE_QUOTAS: 'team.agents=7,team.apps=off' }
    const shared = { ...own, ...(place.uri !== undefined && { MONGODB_URI: place.uri }) }
    server = await startServer({ dataDir: place.folder, env: shared })
    env = { DATA_DIR: place.folder, ...shared }
    key = await keyOf(server)
    ;({ id } = (await (await ask(server, '/api/account', key)).json()) as { id: string })
    await sent('/api/characters/', { id: 'ada', name: 'Ada' })
    // Tasks may not call this machine, so that it fails at once.
    const task = { task_id: 'f', name: 'F', runtime: 'api', prompt: 'http://127.0.0.1:9/' }
    await sent('/api/characters/ada/tasks', task)
  })
  afterAll(async () => {
    await server.end('SIGTERM')
    await place.remove()
  })

  async function sent(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(server.url + path, init)
    expect([path, response.status < 300]).toEqual([path, true])
    return (await response.json()) as Record<string, unknown>
  }
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await (await ask(server, path, key)).json()) as Record<string, unknown>
  async function command(name: 'runs' | 'accounts', ...words: string[]) {
    const { code, out, err } = await runCommand(name, [...words, '--json'], env)
    return { code, err, told: (out === '' ? {} : JSON.parse(out)) as Record<string, unknown> }
  }
  const ran = (): Promise<Record<string, unknown>> =>
    sent('/api/characters/ada/tasks/f/run', { wait_seconds: 20 })

  it('drains the runs of a server, and lets them go on', async () => {
    const drained = await command('runs', 'drain', '--timeout', '30s')
    expect(drained).toMatchObject({ code: 0, told: { running: 0 } })
    const { id: run } = await sent('/api/characters/ada/tasks/f/run', {})
    const stuck = await command('runs', 'stuck', '--longer-than', '1s', '--account', id)
    expect(stuck).toMatchObject({ code: 0, told: drained.told['drained_since'] ? {} : null })
    await until(async () => {
      const { told } = await command('runs', 'stuck', '--longer-than', '1s')
      return JSON.stringify(told).includes('draining')
    }, pause)
    expect(await read(`/api/runs/${String(run)}`)).toMatchObject({ status: 'queued' })
    expect((await command('runs', 'drain', '--off')).told).toMatchObject({ was_drained: true })
    await until(async () => (await read(`/api/runs/${String(run)}`))['status'] === 'failed', pause)
    expect(server.lines.some((line) => line.includes('drain --off'))).toBe(true)
  })

  it('retries what has failed', async () => {
    const { id: run, error } = await ran()
    const failed = await command('runs', 'list', '--account', id, '--status', 'failed')
    const listed = failed.told['items'] as { run_id: string }[]
    expect(listed.map((row) => row.run_id)).toContain(run)
    const one = await command('runs', 'retry', String(run))
    const [made] = one.told['retries'] as { retry_run_id: string }[]
    await until(async () => {
      const retry = await read(`/api/runs/${made?.retry_run_id ?? ''}`)
      return retry['retry_of'] === run && retry['finished_at'] !== null
    }, pause)
    const { code } = error as { code: string }
    const dry = await command('runs', 'retry', '--account', id, '--reason', code, '--dry-run')
    const all = await command('runs', 'retry', '--account', id, '--reason', code)
    expect(all.code).toBe(0)
    expect((all.told['retries'] as { run_id: string }[]).map((row) => row.run_id)).toEqual(
      dry.told['run_ids'],
    )
    expect(await command('runs', 'retry', 'run_none')).toMatchObject({ code: 65, told: {} })
  })

  it('gives an account a plan and quotas of its own, which hold and are recorded', async () => {
    const limitOf = async (name: string): Promise<unknown> => {
      const { own } = (await read('/api/limits')) as {
        own: { plan: string; quotas: { name: string; limit: number | null }[] }
      }
      return [own.plan, own.quotas.find((quota) => quota.name === name)?.limit]
    }
    expect((await command('accounts', 'plan', id, 'team')).told).toMatchObject({ plan: 'team' })
    await until(async () => JSON.stringify(await limitOf('agents')) === '["team",7]', pause)
    expect(await limitOf('apps')).toEqual(['team', null])
    expect((await command('accounts', 'quota', id, 'agents=1', 'apps=3')).code).toBe(0)
    await until(async () => JSON.stringify(await limitOf('agents')) === '["team",1]', pause)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ id: 'bea', name: 'Bea' }) }
    const refused = await fetch(`${server.url}/api/characters/`, init)
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'quota_exceeded' }),
    ])
    const { items } = (await read('/api/account/audit')) as { items: object[] }
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          operation: 'operator.quota',
          actor: { kind: 'operator' },
          changed: ['agents', 'apps'],
        }),
      ]),
    )
    expect((await command('accounts', 'quota', id, 'agents=plan')).code).toBe(0)
    await until(async () => JSON.stringify(await limitOf('agents')) === '["team",7]', pause)
    expect((await command('accounts', 'quota', id, '--reset')).code).toBe(0)
    expect((await command('accounts', 'plan', id, 'free')).told).toMatchObject({ plan: 'free' })
    const unknown = await command('accounts', 'plan', id, 'gold')
    expect(unknown).toMatchObject({ code: 65, err: expect.stringContaining('free, team') })
  })
})
