import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compose, type Abode } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'
import { catalog } from '#src/catalog.ts'
import { newToken } from '#src/core/ids.ts'
import { askerOf } from '#tests/support/world.ts'
import { a2aDoor, mcpDoor, restDoor, type Send } from './doors/doors.ts'

/** Everything that is no key, made from one that is. */
const wrong: Record<string, (key: string) => string> = {
  garbage: () => 'garbage',
  'a key that was never made': () => newToken('ab'),
  'a truncated key': (key) => key.slice(0, -1),
  'a key with another letter': (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
  'a key in wrong case': (key) => key.toUpperCase(),
  'a Commons token': () => newToken('cmn'),
  'a claim token': () => newToken('act'),
  'a lease token': () => newToken('lse'),
  'the token of an order': () => newToken('ort'),
}

const keyed = catalog.filter((op) => op.auth === 'key')

describe('credentials', () => {
  let abode: Abode
  let url: string
  let key: string
  let scoped: string
  let send: Record<'rest' | 'mcp' | 'a2a', Send>
  const folder = mkdtempSync(join(tmpdir(), 'abode-credentials-'))
  beforeAll(async () => {
    const config = readConfig({
      PORT: '0',
      DATA_DIR: folder,
      ABODE_LOG_LEVEL: 'silent',
      ABODE_RATE_LIMITS: 'off',
    })
    abode = await compose(config)
    url = (await abode.listen()).url
    send = { rest: restDoor(url), mcp: mcpDoor(url), a2a: a2aDoor(url) }
    const { ask, account } = askerOf(abode.core)
    key = (await account()).key
    await ask('characters.create', { character: { id: 'own', name: 'Own' } }, key)
    const made = await ask<{ key: string }>(
      'api_keys.create',
      { name: 'k', scope_char_id: 'own' },
      key,
    )
    scoped = made.key
  })
  afterAll(async () => {
    await abode.close()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(['rest', 'mcp', 'a2a'] as const)('on %s', (door) => {
    it.each(Object.keys(wrong))('%s opens nothing', async (kind) => {
      const credential = wrong[kind]?.(key)
      for (const op of keyed) {
        const { error } = await send[door]({ op, input: op.example, credential })
        expect(error?.code, op.name).toBe('invalid_credential')
      }
    })

    it('none opens nothing but what is open to anybody', async () => {
      for (const op of keyed) {
        const { error } = await send[door]({ op, input: op.example, credential: undefined })
        expect(error?.code, op.name).toBe('unauthenticated')
      }
    })

    it('a scoped key calls only what an agent may call', async () => {
      for (const op of keyed) {
        const { error } = await send[door]({ op, input: op.example, credential: scoped })
        if (op.scope === 'agent') expect(error?.code, op.name).not.toBe('scope_forbidden')
        else expect(error?.code, op.name).toBe('scope_forbidden')
      }
    })
  })

  it('open operations mind no credential on REST', async () => {
    for (const op of catalog.filter(({ auth }) => auth === 'none')) {
      const seen = await send.rest({ op, input: op.example, credential: 'garbage' })
      expect(['invalid_credential', 'unauthenticated'], op.name).not.toContain(seen.error?.code)
    }
  })

  it('are looked for in one header only', async () => {
    for (const query of [`access_token=${key}`, `token=${key}`, `api_key=${key}`]) {
      expect((await fetch(`${url}/api/account?${query}`)).status).toBe(401)
    }
    const cookie = await fetch(`${url}/api/account`, { headers: { cookie: `token=${key}` } })
    expect(cookie.status).toBe(401)
    const basic = Buffer.from(`${key}:`).toString('base64')
    const other = await fetch(`${url}/api/account`, {
      headers: { authorization: `Basic ${basic}` },
    })
    expect(other.status).toBe(401)
    expect(other.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})
