import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomHex } from '#src/core/ids.ts'
import { freePort } from '#tests/support/rest/free-port.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'

let server: ServerProcess

beforeAll(async () => {
  const port = String(await freePort())
  const env = { PORT: port, ABODE_OUTBOUND_ALLOW: `http://127.0.0.1:${port}` }
  server = await startServer({ env })
})
afterAll(() => server.dispose())

interface Member {
  id: string
  key: string
}

interface Seen {
  id: string
  char_id: string
  status: string
  reason: string | null
  depth: number
}

/** How one of the ring sets off the next: what its task has for that, and its agent. */
type Link = (next: string) => { task?: object; agent?: object }

const toTask: Link = (next) => ({
  task: { output_sharing: { enabled: true, target_agent_id: next, target_task_id: 't' } },
})
const asMessage: Link = (next) => ({
  task: { output_sharing: { enabled: true, target_agent_id: next } },
})
const hookOf = (id: string): string => `${server.url}/api/hooks/${id}/in`
const byCall: Link = (next) => ({ task: { runtime: 'api', api_url: hookOf(next) } })
const byChannel: Link = (next) => ({
  task: { social_posting: { enabled: true } },
  agent: {
    control: {
      channels: [{ name: 'next', type: 'webhook', config: { url: hookOf(next) } }],
      default_channel: 'next',
    },
  },
})

/** Three agents of three accounts, friends of the next, each of which sets off the next in its way. */
async function ring(links: readonly [Link, Link, Link]): Promise<Member[]> {
  const { url } = server
  const members: Member[] = []
  const ids = ['ada', 'bob', 'cyd'].map((name) => `${name}-${randomHex(6)}`)
  for (const [i, id] of ids.entries()) {
    const claim = await call<{ api_key: string }>(url, 'POST', '/api/agent-claim', undefined, {})
    const key = claim.api_key
    const { task = {}, agent = {} } = links[i]?.(ids[(i + 1) % 3] ?? '') ?? {}
    const triggers = [
      { type: 'webhook', config: { path: 'in' } },
      { type: 'message', config: {} },
    ]
    const whole = { task_id: 't', name: 'T', runtime: 'template', prompt: 'On.', triggers, ...task }
    await call(url, 'POST', '/api/characters/', key, {
      id,
      name: id,
      heart: { tasks: [whole] },
      ...agent,
    })
    members.push({ id, key })
  }
  for (const [i, { id, key }] of members.entries()) {
    const next = members[(i + 1) % 3]
    const asked = { friend_id: next?.id, permissions: ['run_task', 'message'] }
    await call(url, 'POST', `/api/characters/${id}/friends`, key, asked)
    await call(url, 'POST', `/api/characters/${next?.id}/friends/${id}/accept`, next?.key ?? '', {})
  }
  return members
}

/** All runs of the ring once its last one has come, in their order. */
async function ended(members: readonly Member[], isLast: (run: Seen) => boolean): Promise<Seen[]> {
  const all = async (): Promise<Seen[]> => {
    const lists = members.map(({ id, key }) =>
      call<{ items: Seen[] }>(server.url, 'GET', `/api/runs?char_id=${id}&limit=100`, key),
    )
    return (await Promise.all(lists)).flatMap(({ items }) => items)
  }
  await until(async () => (await all()).some(isLast), { pauseMs: 50, seconds: 30 })
  return (await all()).toSorted((a, b) => a.depth - b.depth)
}

const who = ({ char_id, depth, reason }: Seen) => [depth, char_id.split('-')[0], reason]

it.each<[string, [Link, Link, Link]]>([
  ['calls, hand-offs and messages', [byCall, toTask, asMessage]],
  ['messages, channels and hand-offs', [asMessage, byChannel, toTask]],
  ['channels', [byChannel, byChannel, byChannel]],
  ['calls', [byCall, byCall, byCall]],
])(
  'a ring over three accounts by %s is cut at its first repeat',
  async (_, links) => {
    const members = await ring(links)
    const [first] = members
    const path = `/api/characters/${first?.id}/tasks/t/run`
    await call(server.url, 'POST', path, first?.key ?? '', { wait_seconds: 20 })
    const runs = await ended(members, ({ reason }) => reason === 'loop')
    expect(runs.length).toBeLessThanOrEqual(6)
    expect(runs.map(({ depth }) => depth)).toEqual(runs.map((__, i) => i))
    const reasons = runs.map(({ reason }) => reason)
    expect(reasons).toEqual([...reasons.slice(1).map(() => null), 'loop'])
  },
  60_000,
)

it.each<[string, Link]>([
  ['hand-offs', toTask],
  ['messages', asMessage],
])(
  'a ring over three accounts by %s alone ends when its chain is 8 runs deep',
  async (_, link) => {
    const members = await ring([link, link, link])
    const [first] = members
    const path = `/api/characters/${first?.id}/tasks/t/run`
    await call(server.url, 'POST', path, first?.key ?? '', { wait_seconds: 20 })
    const runs = await ended(members, ({ depth, status }) => depth === 8 && status === 'completed')
    expect(runs.map(who)).toEqual(
      Array.from({ length: 9 }, (__, i) => [i, ['ada', 'bob', 'cyd'][i % 3], null]),
    )
  },
  60_000,
)
