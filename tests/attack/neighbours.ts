import { randomUUID } from 'node:crypto'
import type { Attack, Target } from './attack-types.ts'
import { calls, done, everyone, keyed, poster } from './calls.ts'
import {
  blankTemplate,
  busySchedules,
  ladenTasks,
  slowTasks,
  tallPicture,
  wideTasks,
} from './payloads.ts'

/** Makes an agent with these tasks, which is the target's from then on. */
async function withAgent(target: Target, tasks: object[]): Promise<Target> {
  const id = `attacker-${randomUUID().slice(0, 8)}`
  await done(await poster(target)('/api/characters', { id, name: 'Attacker', heart: { tasks } }))
  return { ...target, charId: id }
}

const agentAddress = ({ url, charId }: Target): string => `${url}/api/characters/${charId}`

/** Gives an agent tasks that hold as much text as they may, in the widest letters. */
async function withWideTasks(target: Target): Promise<void> {
  for (const task of wideTasks()) {
    await done(await poster(target)(`/api/characters/${target.charId}/tasks`, task))
  }
}

/** Changes an agent a little, which keeps a revision of all of it. */
function renamed(target: Target, signal: AbortSignal): Promise<Response> {
  return fetch(agentAddress(target), {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...keyed(target) },
    body: JSON.stringify({ name: `Attacker ${randomUUID()}` }),
    signal,
  })
}

/** What an account does with means of its own, which it shares with all others. */
export const neighbourAttacks: readonly Attack[] = [
  {
    name: 'hooks',
    what: 'anonymous calls of a webhook that is open',
    given: ['202'],
    run: ({ url, charId }, answers, signal) => {
      const body = 'x'.repeat(60_000)
      const headers = { 'content-type': 'text/plain' }
      return calls(8, { answers, signal }, () =>
        fetch(`${url}/api/hooks/${charId}/open`, { method: 'POST', body, headers, signal }),
      )
    },
  },
  {
    name: 'laden',
    what: 'anonymous calls of a webhook of an agent whose tasks are as many and large as they may be',
    given: ['202', '404'],
    async prepare(target) {
      const made = await withAgent(target, [])
      for (const task of ladenTasks()) {
        await done(await poster(target)(`/api/characters/${made.charId}/tasks`, task))
      }
      return made
    },
    run: ({ url, charId }, answers, signal) => {
      const paths = ['open', 'none']
      return calls(8, { answers, signal }, () => {
        paths.reverse()
        return fetch(`${url}/api/hooks/${charId}/${paths[0]}`, {
          method: 'POST',
          body: '1',
          signal,
        })
      })
    },
  },
  {
    name: 'agents',
    what: 'reads and changes of agents with as much text as they may hold, with three free keys',
    given: ['200', '409'],
    async prepare(target) {
      for (const one of everyone(target)) await withWideTasks(one)
      return target
    },
    async run(target, answers, signal) {
      await Promise.all(
        everyone(target).flatMap((one) => {
          const terms = { answers, signal }
          return [
            calls(10, terms, () => fetch(agentAddress(one), { headers: keyed(one), signal })),
            calls(10, terms, () => renamed(one, signal)),
          ]
        }),
      )
    },
  },
  {
    name: 'simulations',
    what: '20 simulations at once of 200 tasks with 50 schedules each',
    given: ['200'],
    prepare: (target) => withAgent(target, busySchedules()),
    run(target, answers, signal) {
      const post = poster(target, signal)
      return calls(20, { answers, signal }, () =>
        post(`/api/characters/${target.charId}/tasks/simulate`, { days: 31 }),
      )
    },
  },
  {
    name: 'pictures',
    what: 'pictures of 1 x 24,000,000 pixels, with a free key',
    run(target, answers, signal) {
      const post = poster(target, signal)
      const file = tallPicture()
      return calls(8, { answers, signal }, () =>
        post(`/api/characters/${target.charId}/photos`, { file }),
      )
    },
  },
  {
    name: 'templates',
    what: 'runs of a template that is all names and blanks, with a free key',
    given: ['200'],
    prepare: (target) => withAgent(target, [blankTemplate()]),
    run(target, answers, signal) {
      const post = poster(target, signal)
      return calls(8, { answers, signal }, () =>
        post(`/api/characters/${target.charId}/tasks/t/run`, { input: 'a' }),
      )
    },
  },
  {
    name: 'queue',
    what: 'slow runs of a free account, as many as it may queue',
    given: ['202'],
    prepare: (target) => withAgent(target, slowTasks(target.slowOrigin, 50)),
    run(target, answers, signal) {
      const post = poster(target, signal)
      return calls(4, { answers, signal }, () =>
        post(`/api/characters/${target.charId}/actions/flood`, { input: null }),
      )
    },
  },
]
