import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.ts'
import { newToken } from '#src/core/ids.ts'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { bodyOf, openA2a, request, type A2aWorld } from '#tests/protocol/a2a-harness.ts'
import { stores } from '#tests/support/stores.ts'
import { openAgents, type AgentsWorld } from './harness.ts'

let store: Store
let platform: A2aWorld
let agents: AgentsWorld
let isAway = false

/** The collection of keys, which is away when the test says so. */
function fragile(keys: Store['api_keys']): Store['api_keys'] {
  const away = (): Promise<never> => Promise.reject(new Unavailable('the store is away'))
  return new Proxy(keys, {
    get: (target, name, self) => (isAway ? away : Reflect.get(target, name, self)),
  })
}

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  const admit = (): undefined => {
    if (isAway) throw new Unavailable('the store is away')
  }
  const partly = { ...store, api_keys: fragile(store.api_keys) }
  platform = openA2a(partly, { admit })
  agents = openAgents(partly, { admit })
})
afterAll(() => store.close())
afterEach(() => {
  isAway = false
})

const versions = [
  ['1.0', 'GetTask'],
  ['0.3', 'tasks/get'],
] as const
const doors = versions.flatMap(([version, method]) => [
  { door: 'the platform', version, method },
  { door: 'an agent', version, method },
])
type At = (typeof doors)[number]

const post = ({ door, version }: At, body: unknown, sent: object) => {
  const all = { headers: { 'a2a-version': version }, ...sent }
  return door === 'an agent' ? agents.post('ada', body, all) : platform.post(body, all)
}
const unavailable = {
  code: 503,
  data: { code: 'unavailable', hint: 'Nothing was changed: retry.', retry_after_s: 2 },
}

describe.each(doors)('what $door says by $version', (at) => {
  test('of a body for which there is no room has its code and hint', async () => {
    const refusal = new Refusal('unavailable', 'There is no room.', { hint: 'Come again.' })
    const fault = { status: 503, message: refusal.message, refusal }
    const answer = await post(at, undefined, { fault })
    expect(answer.status).toBe(503)
    const error = { code: 503, message: refusal.message, data: refusal.toObject('req_1') }
    expect(bodyOf(answer).error).toEqual(error)
  })

  test('where keys cannot be looked up has them too', async () => {
    isAway = true
    const answer = await post(at, request(at.method, { id: 'x' }), { key: newToken('ab') })
    expect(bodyOf(answer).error).toMatchObject(unavailable)
  })

  test.each(['no.such', 'a method of its own'])(
    'where nothing can be counted, of %s',
    async (of) => {
      isAway = true
      const method = of === 'no.such' ? of : at.method
      const answer = await post(at, request(method, {}), {})
      expect(bodyOf(answer).error).toMatchObject({ ...unavailable, data: { code: 'unavailable' } })
    },
  )
})
