import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toolName } from '#src/core/operation-facts.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { stores } from '#tests/support/stores.ts'
import { agent, agentWithTask } from '../case.ts'
import { a2aDoor, mcpDoor, restDoor, type Sent } from '../doors/doors.ts'
import { openServer, type PlayedServer } from '../doors/server.ts'
import { callsIn, strayWords, type NamedCall } from '../doors/words.ts'
import { newStage, operationNamed } from '../play.ts'
import { ids } from './ids.ts'
import { sent, type Answered } from './requests.ts'
import type { Facts, Sloppy } from './row.ts'
import { table } from './table.ts'

const [embedded] = stores()

const doors = { rest: restDoor, mcp: mcpDoor, a2a: a2aDoor }
type Door = keyof typeof doors

async function factsOf({ world }: PlayedServer): Promise<Facts> {
  const stage = newStage(world)
  const { ask } = stage
  const { char_id, task_id } = await agentWithTask(stage)
  const friend_id = await agent(stage, 'grace')
  const gone = await agent(stage, 'gone')
  const run = await ask('tasks.run', { char_id, task_id, input: 'a text' })
  const app_id = stage.id('newsroom')
  const manifest = {
    manifest_version: 1,
    app_id,
    name: 'Newsroom',
    agents: [{ local_id: 'writer', name: 'Writer' }],
  }
  await ask('agent_apps.provision', { manifest })
  const gazette = stage.id('gazette')
  await ask('agent_apps.provision', {
    manifest: {
      ...manifest,
      app_id: gazette,
      agents: [{ local_id: 'typesetter', name: 'Typesetter' }],
    },
  })
  const key = async (scope_char_id: string): Promise<string> =>
    (await ask('api_keys.create', { name: 'Scoped', scope_char_id })).key
  const [scoped, orphaned] = [await key(char_id), await key(gone)]
  await ask('characters.delete', { char_id: gone })
  const thread = await ask(
    'commons.threads.create',
    { board: 'general', title: 'What is a good prompt?', body: 'One that says what it is for.' },
    'other',
  )
  const { id: own_thread_id } = await ask(
    'commons.threads.create',
    { board: 'general', title: 'Which hours suit a digest?', body: 'Morning or evening, I ask.' },
    'member',
  )
  const task = { task_id: 'think', name: 'Think', prompt: 'x', runtime: 'prompt' }
  await ask('tasks.create', { char_id: friend_id, task })
  await ask('tasks.run', { char_id: friend_id, task_id: 'think' })
  const entry = { char_id, namespace: 'notes', key: 'greeting', value: 'Hello' }
  await ask('memory.put', entry)
  const known = { char_id, title: 'Bees', content: 'Bees dance.' }
  const item = await ask('knowledge.texts.add', known)
  const mate_id = await agent(stage, 'linus')
  await ask('friends.request', { char_id, friend_id: mate_id })
  const asking_id = stage.id('margaret')
  const stranger = { character: { id: asking_id, name: 'Margaret' } }
  await ask('characters.create', stranger, 'stranger')
  await ask('friends.request', { char_id: asking_id, friend_id: char_id }, 'stranger')
  const webhook = await ask('commons.webhooks.create', { url: 'https://example.com/c' }, 'member')
  const { id: key_id } = await ask('api_keys.create', { name: 'Other' })
  const lease = await ask('runs.lease', { char_id: friend_id })
  return {
    key: await stage.key('owner'),
    scoped,
    orphaned,
    member: (await stage.member('member')).token,
    char_id,
    friend_id,
    task_id,
    run_id: run.id,
    app_id,
    typesetter: `${gazette}--typesetter`,
    thread_id: thread.id,
    own_thread_id,
    item_id: item.id,
    key_id,
    mate_id,
    asking_id,
    webhook_id: webhook.id,
    other: (await stage.member('other')).handle,
    leased: { run_id: lease.run.id, lease_token: lease.lease_token },
    manifest,
  }
}

/** The names of a row at a door; undefined where it is not called there. */
function nameAt({ at }: Sloppy, door: Door): string | undefined {
  return typeof at === 'string' ? at : at[door]
}

function filled(line: string, { char_id, task_id, run_id }: Facts): string {
  return line.replace('ADA', char_id).replace('TASK', task_id).replace('RUN', run_id)
}

describe.runIf(embedded).each(['rest', 'mcp', 'a2a'] as const)('a sloppy call by %s', (door) => {
  let server: PlayedServer
  let facts: Facts
  beforeAll(async () => {
    if (!embedded) return
    server = await openServer(embedded)
    facts = await factsOf(server)
  })
  afterAll(() => server.close())

  /** A call as it should be made. */
  const right = (op: Operation, input: object, credential?: string): ReturnType<typeof call> =>
    call({ op, input, credential })
  const call = (made: Sent): Promise<Answered> => doors[door](server.url)(made)

  const bearer = (credential: string): Record<string, string> => ({
    authorization: `Bearer ${credential}`,
  })

  function credentialOf({ as = 'owner' }: Sloppy): string | undefined {
    const { key, scoped, orphaned, member } = facts
    return { owner: key, scoped, orphaned, member }[as as 'owner']
  }

  async function made(row: Sloppy, name: string): Promise<Answered> {
    const { as = 'owner', input = () => ({}) } = row
    const credential = credentialOf(row)
    if (
      typeof row.at === 'string' &&
      (as === 'owner' || credential !== undefined || as === 'anonymous')
    ) {
      return call({ op: operationNamed(row.at), input: input(facts), credential })
    }
    const { key } = facts
    const op = typeof row.at === 'string' ? operationNamed(row.at) : undefined
    const named = op
      ? { rest: `${op.http.method} ${op.http.path}`, mcp: toolName(op), a2a: op.name }[door]
      : filled(name, facts)
    const headers = {
      ...(credential !== undefined && bearer(credential)),
      ...(as === 'header' && { 'x-api-key': key }),
      ...(as === 'basic' && { authorization: `Basic ${btoa(`${key}:`)}` }),
      ...(as === 'scheme' && { authorization: `ApiKey ${key}` }),
    }
    const body =
      door === 'rest'
        ? row.body?.(facts)
        : { ...input(facts), ...(as === 'argument' && { api_key: key }) }
    return sent(door, server.url, {
      name: named,
      input: body,
      headers,
      query: as === 'query' ? `?api_key=${key}` : '',
    })
  }

  /** Does what the hint says, and nothing more than the caller meant. */
  async function followed(row: Sloppy, error: ErrorObject): Promise<Answered> {
    const hint = error.hint ?? ''
    expect(hint).toContain(row.says?.(facts) ?? '')
    const { as = 'owner', input = () => ({}), leads, means = () => ({}) } = row
    const called = typeof row.at === 'string' ? row.at : undefined
    if (
      hint.includes('in the header Authorization') ||
      hint.includes('"Authorization: Bearer ab_…", or')
    ) {
      return right(operationNamed('account.get'), {}, facts.key)
    }
    const renamed = (error.errors ?? []).filter(({ suggestion }) => suggestion !== undefined)
    if (renamed.length > 0) {
      const members: Record<string, unknown> = { ...input(facts) }
      for (const { pointer, suggestion = '' } of renamed) {
        members[suggestion] = members[pointer.slice(1)]
        delete members[pointer.slice(1)]
      }
      const op = operationNamed(called ?? row.title.split(' ')[0] ?? '')
      return right(op, members, credentialOf(row))
    }
    const calls = callsIn(hint, door)
    // It says what is wrong, and the same call is made again without that.
    const again =
      called === undefined || row.means === undefined ? undefined : operationNamed(called)
    if (again && leads === undefined && !calls.some(({ op }) => op === again)) {
      return right(again, means(facts), credentialOf(row))
    }
    const wanted = leads ?? called ?? row.title.split(' ')[0]
    const next: NamedCall | undefined = calls.find(({ op }) => op.name === wanted)
    expect(
      calls.map(({ op }) => op.name),
      hint,
    ).toContain(wanted)
    if (!next) throw new Error('the hint leads elsewhere')
    if (row.told) expect(next.input, hint).toMatchObject(row.told(facts))
    const known = { ...next.input, ...means(facts) }
    const members = Object.entries(known).filter(([name]) => name in next.op.input.shape)
    const isOwner = next.op.auth === 'key' && as !== 'scoped'
    const credential = next.op.auth === 'none' ? undefined : isOwner ? facts.key : credentialOf(row)
    return right(next.op, Object.fromEntries(members), credential)
  }

  const rows = [...table, ...ids].flatMap((row) => {
    const name = nameAt(row, door)
    return name === undefined ? [] : [[row.title, row, name] as const]
  })
  it.each(rows)('%s is done, or refused with a hint that leads to it', async (_, row, name) => {
    const first = await made(row, name)
    if (!first.error) return
    const { error } = first
    expect(error).toMatchObject({
      detail: expect.any(String),
      code: expect.any(String),
      request_id: expect.any(String),
      hint: expect.any(String),
    })
    expect(strayWords(`${error.detail} ${error.hint}`, door), error.hint).toEqual([])
    const then = await followed(row, error)
    expect(then.error, `${error.detail} ${error.hint}`).toBeUndefined()
  })
})
