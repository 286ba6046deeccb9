import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageOf } from '../mcp-requests.ts'
import { by, eras, served, type Send, type Served } from './served.ts'

/** Reads that anyone with a key may make, each with an input that it takes. */
const reads: readonly [name: string, input: object][] = [
  ['account_get', {}],
  ['characters_list', {}],
  ['agent_apps_list', {}],
  ['runs_list', { limit: 5 }],
  ['commons_threads_list', {}],
]

interface Tool {
  name: string
  outputSchema?: object
}

let place: Served
let key: string

beforeAll(async () => {
  place = await served()
  ;({ key } = await place.world.account())
})
afterAll(() => place.close())

describe.each(eras)('what is listed to clients of %s', (_, send: Send) => {
  async function asked(method: string, params: Record<string, unknown>, address: string) {
    const query = new URLSearchParams(address)
    const { result } = await messageOf(
      await place.handle(send(method, params, { ...by(key), query })),
    )
    return result as Record<string, unknown>
  }

  async function listed(address: string): Promise<Tool[]> {
    const { tools } = await asked('tools/list', {}, address)
    return tools as Tool[]
  }

  test('has schemas of answers in the full list, and none in the core', async () => {
    const schemas = async (address: string) =>
      (await listed(address)).filter((tool) => tool.outputSchema !== undefined)
    expect(await schemas('toolsets=core')).toEqual([])
    const without = (await listed('')).filter((tool) => tool.outputSchema === undefined)
    expect(without.map(({ name }) => name).toSorted()).toEqual([
      'operations_call',
      'operations_get',
      'operations_search',
    ])
  })

  test.each(reads)(
    'is how %s answers: once as text in the core, structured too elsewhere',
    async (name, input) => {
      const inCore = (await listed('toolsets=core')).map((tool) => tool.name)
      const call = { name, arguments: input }
      const [text, both] = [
        await asked('tools/call', call, 'toolsets=core'),
        await asked('tools/call', call, ''),
      ]
      expect(inCore, 'the test is of tools of the core').toContain(name)
      expect(text).not.toHaveProperty('structuredContent')
      expect(text).toMatchObject({ content: [{ type: 'text' }] })
      expect(both).toHaveProperty('structuredContent')
      expect(both['content']).toMatchObject([{ type: 'text' }])
    },
  )
})
