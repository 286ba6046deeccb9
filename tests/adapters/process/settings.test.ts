import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigFaults, readConfig } from '#adapters/config/read.ts'

const folder = mkdtempSync(join(tmpdir(), 'abode-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(text: string): string {
  const path = join(folder, String(Math.random()))
  writeFileSync(path, text)
  return path
}

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (cause) {
    if (cause instanceof ConfigFaults) return cause.faults
    throw cause
  }
  return []
}

describe('a secret in a file', () => {
  test('is read without its last line break alone', () => {
    const MONGODB_URI_FILE = file('mongodb://user:hush@127.0.0.1/abode\n')
    const ABODE_MASTER_KEY_FILE = file(`${'0f'.repeat(32)}\r\n`)
    const config = readConfig({ MONGODB_URI_FILE, ABODE_MASTER_KEY_FILE })
    expect(config.mongodbUri).toBe('mongodb://user:hush@127.0.0.1/abode')
    expect(config.masterKey).toEqual(Buffer.alloc(32, 0x0f))
    expect(faultsOf({ OPENAI_API_KEY_FILE: file('sk-1\n\n') })).toEqual([
      'OPENAI_API_KEY must be printable ASCII without spaces',
    ])
  })

  test('is refused next to the setting itself, and where no file can be read', () => {
    const ABODE_METRICS_TOKEN_FILE = file('hush')
    expect(faultsOf({ ABODE_METRICS_TOKEN: 'open', ABODE_METRICS_TOKEN_FILE })).toEqual([
      'ABODE_METRICS_TOKEN and ABODE_METRICS_TOKEN_FILE are both set: leave one of them out',
    ])
    const away = {
      MONGODB_URI: 'mongodb://127.0.0.1/',
      ABODE_MASTER_KEY_FILE: join(folder, 'none'),
    }
    expect(faultsOf(away)).toEqual([
      'ABODE_MASTER_KEY_FILE must be the path of a file that can be read (ENOENT)',
    ])
    expect(faultsOf({ OPENAI_API_KEY_FILE: file('') })).toEqual([
      'OPENAI_API_KEY is empty; leave it out for the default (none)',
    ])
  })

  test('is a setting only where there is a secret', () => {
    expect(faultsOf({ ABODE_METRICS_FILE: file('on') })).toEqual([
      expect.stringContaining('ABODE_METRICS_FILE is not a setting'),
    ])
  })
})

test('a port of the operator on another address than this machine needs a token', () => {
  const open = { ABODE_ADMIN_PORT: '9090', ABODE_ADMIN_HOST: '0.0.0.0' }
  expect(faultsOf(open)).toEqual([
    'ABODE_ADMIN_TOKEN must be set when ABODE_ADMIN_HOST is not an address of this machine alone',
  ])
  expect(readConfig({ ...open, ABODE_ADMIN_TOKEN: 'hush' }).admin).toEqual({
    port: 9090,
    host: '0.0.0.0',
    token: 'hush',
  })
  expect(readConfig({ ABODE_ADMIN_PORT: '9090' }).admin?.host).toBe('127.0.0.1')
})
