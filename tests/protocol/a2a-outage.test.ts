import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { message, openA2a, type A2aWorld, type RpcAnswer, type Sent } from './a2a-harness.ts'

let a2a: A2aWorld
let store: Store
let key: string
let isAway = false

/** The collection of tasks, which is away when the test says so. */
function fragile(rows: Store['a2a_tasks']): Store['a2a_tasks'] {
  const away = (): Promise<never> => Promise.reject(new Unavailable('the store is away'))
  return new Proxy(rows, {
    get: (target, name, self) => (isAway ? away : Reflect.get(target, name, self)),
  })
}

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  a2a = openA2a({ ...store, a2a_tasks: fragile(store.a2a_tasks) })
  key = (await a2a.account()).key
  await a2a.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
})
afterAll(() => store.close())
afterEach(() => {
  isAway = false
})

const get = { operation: 'characters.get', params: { char_id: 'ada' } }
const create = (id: string): { operation: string; params: object } => ({
  operation: 'characters.create',
  params: { character: { id, name: id } },
})
const send = (params: object, sent: Sent = { key }): Promise<RpcAnswer> =>
  a2a.rpc1('SendMessage', params, sent)
const taskOf = async (params: object, sent?: Sent) => (await send(params, sent)).result?.['task']

describe('a store that is away', () => {
  test('is told as such, and the same message works afterwards', async () => {
    const params = message(create('later'))
    isAway = true
    const { error } = await send(params)
    expect(error).toMatchObject({
      code: 503,
      data: { code: 'unavailable', hint: expect.stringContaining('messageId') },
    })
    isAway = false
    expect((await taskOf(params))?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
  })

  test('does not keep what was read from its reader', async () => {
    const params = message(get)
    isAway = true
    const task = await taskOf(params)
    expect(task?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
    isAway = false
    const { error } = await a2a.rpc1('GetTask', { id: task?.['id'] }, { key })
    expect(error?.code).toBe(-32001)
  })
})
