import { randomUUID } from 'node:crypto'
import type { Attack, Target } from './attack-types.ts'
import { calls, done, everyone, keyed, type CallTerms } from './calls.ts'

const agentCount = 50
const tasksOfAgent = 20
const perKey = { readers: 6, writers: 4 }

type Manifest = Readonly<Record<string, unknown>>

const localIds = (count: number): string[] => Array.from({ length: count }, (_, i) => `a${i}`)

function agentWith(local_id: string, tasks: readonly object[]): object {
  return { local_id, name: 'Agent', heart: { tasks } }
}

/** As many agents, tasks and connections as an app may have, in as many bytes as a body may. */
function largest(prompt: string): Manifest {
  const locals = localIds(agentCount)
  const agents = locals.map((local_id, i) => {
    const target_agent_id = locals[(i + 1) % agentCount]
    const tasks = Array.from({ length: tasksOfAgent }, (_, j) => ({
      task_id: `t${j}`,
      name: `Task ${j}`,
      prompt: prompt.repeat(1200),
      output_sharing: { enabled: true, target_agent_id, target_task_id: 't0' },
      triggers: [{ type: 'cron', config: { cron: `${j} 3 * * *` } }],
    }))
    return agentWith(local_id, tasks)
  })
  const connections = locals.flatMap((from) =>
    locals.filter((to) => to !== from).map((to) => ({ from, to, permissions: ['message'] })),
  )
  return { manifest_version: 1, name: 'Large', agents, connections }
}

/** A value that is nested as deep as one may be, and so wide that all of it counts. */
function deep(levels: number): unknown {
  return levels === 0 ? 'x' : [deep(levels - 1)]
}

const small = [agentWith('a0', [])]

/** What must be refused: far too many of something, deep, or with a fault in every place. */
const refused = (): Manifest[] => [
  {
    name: 'Connected',
    agents: small,
    connections: Array.from({ length: 39_000 }, () => ({ from: 'a0', to: 'b' })),
  },
  { name: 'Crowded', agents: localIds(10_000).map((id) => agentWith(id, [])) },
  {
    name: 'Busy',
    agents: small.concat(
      agentWith(
        'a1',
        Array.from({ length: 30_000 }, () => ({ name: 'T' })),
      ),
    ),
  },
  {
    name: 'Deep',
    agents: small,
    metadata: { nested: Array.from({ length: 5000 }, () => deep(25)) },
  },
  { name: 'Deeper', agents: small, metadata: { nested: deep(5000) } },
  {
    name: 'Faulty',
    agents: localIds(agentCount).map((id) =>
      agentWith(
        id,
        Array.from({ length: tasksOfAgent }, (_, j) => ({
          task_id: `t${j % 2}`,
          nam: 1,
          promt: 'x',
          runtime: 'templat',
          triggers: [{ type: 'corn', config: { cron: '99 * *' } }],
          output_sharing: { enabled: true, target_agent_id: `b${j}`, target_task_id: 'none' },
        })),
      ),
    ),
    connections: Array.from({ length: 2000 }, (_, i) => ({ from: `c${i}`, to: `d${i}` })),
  },
  {
    name: 'Strange',
    agents: localIds(agentCount).map((local_id) => ({
      local_id,
      name: 'Agent',
      ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`appearanc${i}`, 0])),
    })),
  },
]

/** The same manifest as the body of an app. */
const bodyOf = (app_id: string, manifest: Manifest): Buffer =>
  Buffer.from(JSON.stringify({ app_id, ...manifest }))

function sending(target: Target, signal?: AbortSignal) {
  return (method: 'POST' | 'PUT', path: string, body: Buffer): Promise<Response> =>
    fetch(`${target.url}/api/agent-apps/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...keyed(target) },
      body: new Uint8Array(body),
      ...(signal && { signal }),
    })
}

function never(): never {
  throw new Error('there is a call for each remainder')
}

const ownApp = ({ charId }: Target): string => `app-${charId.toLowerCase().slice(0, 40)}`

/** One account asks what manifests would do, and makes and changes apps by them. */
async function onslaught(target: Target, terms: CallTerms): Promise<void> {
  const send = sending(target, terms.signal)
  const app = ownApp(target)
  const [one, other] = [largest('漢'), largest('字')]
  const whole = [bodyOf(app, one), bodyOf(app, other)]
  const bad = refused().map((manifest) => bodyOf(app, manifest))
  let [asked, written] = [0, 0]
  const any = (bodies: readonly Buffer[], at: number): Buffer =>
    bodies[at % bodies.length] ?? Buffer.alloc(0)
  const reads = calls(perKey.readers, terms, () => {
    const at = asked++
    const path = at % 2 === 0 ? 'validate' : `${app}/plan`
    return send('POST', path, any([...whole, ...bad], at >> 1))
  })
  const write = [
    () => send('PUT', app, any(whole, written)),
    () => send('POST', '', any(whole, written)),
    () => send('PUT', app, any(bad, written)),
    () => send('POST', '', bodyOf(`more-${randomUUID().slice(0, 8)}`, one)),
    () => send('POST', '', any(bad, written)),
  ]
  const writes = calls(perKey.writers, terms, () => {
    const at = written++
    return write[at % write.length]?.() ?? never()
  })
  await Promise.all([reads, writes])
}

export const manifestAttack: Attack = {
  name: 'manifests',
  what: 'manifests that are as large as they may be, far too large, deep or faulty, with three free keys',
  given: ['200', '201', '404', '409'],
  async prepare(target) {
    // Of the others the first calls make one, as far as they find a place.
    await done(await sending(target)('POST', '', bodyOf(ownApp(target), largest('漢'))))
    return target
  },
  async run(target, answers, signal) {
    await Promise.all(everyone(target).map((one) => onslaught(one, { answers, signal })))
  },
}
