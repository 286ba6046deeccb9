import { expect, it } from 'vitest'
import { openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { startServer } from '#tests/support/process.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { ask, keyOf, pause } from './several.ts'

const kind = stores().find((one) => one.name === 'mongodb')

interface Line {
  level: string
  message: string
  refusals?: number
  away_seconds?: number
}

it.skipIf(!kind)('tells of a store that was away in two lines, and counts it', async () => {
  const place = await kind?.place()
  const proxy = await openMongoProxy(place?.uri ?? '')
  const server = await startServer({
    env: {
      MONGODB_URI: proxy.uri,
      ABODE_MASTER_KEY: '07'.repeat(32),
      ABODE_METRICS: 'on',
      ABODE_RATE_LIMITS: 'off',
    },
  })
  try {
    const key = await keyOf(server)
    const before = server.lines.length
    const said = (): Line[] => server.lines.slice(before).map((line) => JSON.parse(line) as Line)
    const told = (message: string) => said().filter((line) => line.message === message)
    proxy.refuse()
    const refused = async (): Promise<boolean> =>
      (await ask(server, '/api/characters/', key)).status === 503
    await until(refused, pause)
    expect(await Promise.all([1, 2, 3, 4, 5].map(refused))).toEqual(Array(5).fill(true))
    expect(told('the store is away')).toMatchObject([{ level: 'error' }])
    proxy.accept()
    await until(() => told('the store is back').length > 0, pause)
    const [back] = told('the store is back')
    expect(back).toMatchObject({ level: 'warn' })
    // The requests, and what was tried in the background.
    expect(back?.refusals).toBeGreaterThan(5)
    expect(back?.away_seconds).toBeGreaterThan(0)
    // A slow machine may hold the event loop.
    const others = said().filter(({ message }) => !/^the (store|event loop)/.test(message))
    expect(others).toEqual([])
    expect(told('the store is away')).toHaveLength(1)
    const page = await (await ask(server, '/metrics')).text()
    expect(page).toContain('abode_outages_total{service="store"} 1')
    expect(page).toContain('abode_outages_total{service="mail"} 0')
  } finally {
    proxy.accept()
    await server.dispose()
    await proxy.close()
    await place?.remove()
  }
})
