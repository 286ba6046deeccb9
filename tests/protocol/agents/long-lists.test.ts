import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { textIn, type Shown } from '#tests/protocol/a2a-harness.ts'
import type { Store } from '#src/ports/store.ts'
import { startWork } from '#src/work/work.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openAgents, saying, talker, taskIn, type AgentsWorld } from './harness.ts'

const passes = { task_id: 'passes', name: 'Passes', runtime: 'template', prompt: '{{input}}' }
const gated = { ...passes, task_id: 'gated', approval_gate: { requires_approval: true } }

describe.each(stores())('a list of messages with large results on $name', (kind) => {
  let store: Store
  let agents: AgentsWorld
  let key: string
  /** How many large values were read. */
  let read: number

  beforeEach(async () => {
    store = await kind.open()
    const own = store.large_values.get.bind(store.large_values)
    store.large_values.get = (id) => {
      read += 1
      return own(id)
    }
    agents = openAgents(store)
    key = (await agents.account()).key
  })
  afterEach(async () => {
    await agents.doors.close()
    await store.close()
  })

  const create = (task: object) =>
    agents.ask('characters.create', { character: talker('ada', [task]) }, key)
  const sendAll = async (many: number, length: number): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < many; n++) {
      const params = saying('x'.repeat(length), {}, { returnImmediately: true })
      ids.unshift(textIn(taskIn(await agents.rpc('ada', 'SendMessage', params, { key }))['id']))
    }
    read = 0
    return ids
  }
  const list = async (params: object): Promise<Shown> => {
    const { result, error } = await agents.rpc('ada', 'ListTasks', params, { key })
    if (!result) throw new Error(JSON.stringify(error))
    return result
  }
  const pagesOf = async (params: object): Promise<string[][]> => {
    const pages: string[][] = []
    let pageToken: unknown = ''
    do {
      const page = await list({ pageSize: 100, pageToken, ...params })
      expect(JSON.stringify(page).length).toBeLessThan(2 ** 20 + 10_000)
      pages.push([...(page['tasks'] ?? [])].map((task: Shown) => textIn(task['id'])))
      pageToken = page['nextPageToken']
    } while (pageToken !== '')
    return pages
  }

  test.each([{}, { status: 'TASK_STATE_COMPLETED' }])(
    'ends a page where it is full: %j',
    async (narrow) => {
      await create(passes)
      const ids = await sendAll(7, 100_000)
      const pages = await pagesOf({ ...narrow, includeArtifacts: true })
      expect(pages).toEqual([ids.slice(0, 5), ids.slice(5)])
      // An input and an output of each, and of none more.
      expect(read).toBe(14)
      expect(await pagesOf(narrow)).toEqual([ids])
      expect(read).toBe(14)
    },
  )

  test('shows what is short of those whose results are large', async () => {
    await create({ ...passes, prompt: 'y'.repeat(20_000) })
    await sendAll(2, 10)
    const { tasks } = await list({})
    expect(tasks).toMatchObject(
      [1, 2].map(() => ({ history: [{ parts: [{ text: 'x'.repeat(10) }] }] })),
    )
    expect(read).toBe(0)
  })

  test('counts what is asked of an approval', async () => {
    await create(gated)
    const ids = await sendAll(2, 600_000)
    const work = startWork(agents.ports, ['runner'], 4)
    await until(async () => (await store.approvals.count({})) === 2)
    await work.stop()
    expect(await pagesOf({})).toEqual(ids.map((id) => [id]))
  })
})
