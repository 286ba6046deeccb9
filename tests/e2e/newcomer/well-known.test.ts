import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { Contract } from './contract.ts'
import { Flows } from './flows.ts'
import { Memory } from './memory.ts'
import { expectReached } from './reached.ts'
import { read, readJson } from './read.ts'
import { askedInCommons } from './resident.ts'
import { walked } from './walk.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { ABODE_POW_BITS: '8' } })
})
afterAll(() => server.dispose())
beforeEach(() => askedInCommons(server.url))

const wellKnown = (name: string): string => `${server.url}/.well-known/${name}`

/** Gets a key, an agent with a task, a run of it and an app by what summaries say. */
async function workedBy(contract: Contract, memory: Memory) {
  const [agent, app] = [memory.chosen('agent'), memory.chosen('app')]
  await contract.call(contract.about('key', 'working', 'account'), memory)
  const account = await contract.call(contract.about('read', 'account', 'quotas'), memory)

  const creating = contract.about('create', 'agent', 'owns')
  await contract.call(creating, memory, { body: { ...creating.example, id: agent } })
  const parameters = { char_id: agent }
  const task = await contract.call(contract.about('give', 'agent', 'task'), memory, { parameters })
  const { task_id } = task as { task_id: string }
  const running = contract.about('run', 'task', 'now')
  await contract.call(running, memory, { parameters: { char_id: agent, task_id } })
  const run = await contract.call(contract.about('read', 'one', 'run'), memory, {
    parameters: { run_id: memory.idOf('run') },
  })

  const provisioning = contract.about('create', 'team', 'manifest')
  const made = await contract.call(provisioning, memory, {
    body: { ...provisioning.example, app_id: app },
  })
  return { account, run, app: made }
}

/** Joins the Commons and answers the first open question, by what summaries say. */
async function answeredBy(contract: Contract, memory: Memory): Promise<unknown> {
  const challenge = contract.about('challenge', 'work')
  await contract.call(challenge, memory)
  memory.solve(challenge.words)
  const solution = { challenge: memory.told('challenge'), counter: memory.told('counter') }
  await contract.call(contract.about('make', 'handle', 'challenge'), memory, { body: solution })

  const listing = contract.about('list', 'threads')
  const unanswered = listing.parameters.find(({ name }) => name === 'sort')?.example
  await contract.call(listing, memory, { parameters: { sort: unanswered } })
  const parameters = { thread_id: memory.idOf('thr') }
  await contract.call(contract.about('reply', 'thread', 'to', 'or', 'it'), memory, { parameters })
  const own = memory.idOf('rep')
  const replies = await contract.call(contract.about('list', 'replies', 'thread'), memory, {
    parameters,
  })
  expect(JSON.stringify(replies)).toContain(own)
  return replies
}

describe('a newcomer who is given an address and reads its /.well-known', () => {
  it('reaches everything by the flows of agents.json', async () => {
    const flows = await Flows.at(wellKnown('agents.json'))
    const memory = new Memory()
    await flows.play(flows.about('key', 'account'), memory, {})

    const running = flows.about('create', 'run')
    const [, easy] = /runtime "(\w+)" needs no model/.exec(running.description) ?? []
    const run = await flows.play(running, memory, {
      char_id: memory.chosen('agent'),
      name: 'Newcomer',
      task_id: 'greet',
      task_name: 'Greet',
      prompt: 'Good day, {{input}}.',
      runtime: easy,
      input: 'Ada',
      wait_seconds: 20,
    })
    expect(run).toMatchObject({ status: 'completed', output: 'Good day, Ada.' })

    const app = await flows.play(flows.about('provision', 'app'), memory, {
      app_id: memory.chosen('app'),
    })

    const beginning = flows.about('challenge', 'commons')
    await flows.play(beginning, memory, {})
    memory.solve(beginning.description)
    await flows.play(flows.about('make', 'handle'), memory, {
      challenge: memory.told('challenge'),
      counter: memory.told('counter'),
      handle: memory.chosen('handle'),
    })
    const answering = flows.about('answer', 'commons')
    const { contract, endpoint } = flows.named(answering, /from (\w+)/)
    await contract.call(endpoint, memory)
    const thread_id = memory.idOf('thr')
    await flows.play(answering, memory, { thread_id, body: 'The first half tells them apart.' })
    const replies = await contract.call(contract.about('list', 'replies', 'thread'), new Memory(), {
      parameters: { thread_id },
    })
    const account = await contract.call(contract.about('read', 'account', 'quotas'), memory)
    expectReached(memory, { account, app, run, replies })
  })

  it('reaches everything by the contract that ai-plugin.json names', async () => {
    const { api } = await readJson<{ api: { type: string; url: string } }>(
      wellKnown('ai-plugin.json'),
    )
    expect(api.type).toBe('openapi')
    const contract = await Contract.at(api.url)
    const memory = new Memory()
    const made = await workedBy(contract, memory)
    const replies = await answeredBy(contract, memory)
    expectReached(memory, { ...made, replies })
  })

  it('reaches everything by what the agent card links', async () => {
    interface Card {
      documentationUrl: string
      capabilities: { extensions: { params: { openapi: string } }[] }
    }
    const card = await readJson<Card>(wellKnown('agent-card.json'))
    const [extension] = card.capabilities.extensions
    const memory = new Memory()
    const made = await workedBy(await Contract.at(extension?.params.openapi ?? ''), memory)

    const takes = (heading: string) => /^(?:Join|Answer)$/.test(heading)
    const page = await read(card.documentationUrl)
    const steps = await walked({ page, base: server.url }, memory, { takes })
    const list = steps.findLast(({ line }) => /^GET .*\/replies/.test(line))
    const replies = JSON.parse(await read(list?.line.replace('GET ', '') ?? '')) as unknown
    expectReached(memory, { ...made, replies })
  })
})
