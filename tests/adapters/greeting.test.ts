import { join } from 'node:path'
import { expect, it } from 'vitest'
import { calledAs } from '#adapters/commands/called.ts'
import { greeting } from '#adapters/commands/greeting.ts'
import { root } from '#adapters/process/build.js'

it('a person at a terminal reads where it is, what it may reach, and how to connect', () => {
  const text = greeting({
    version: '1.2.3',
    url: 'http://127.0.0.1:8080',
    data: '/data',
    private_origins: ['http://10.0.0.1:80', 'http://10.0.0.2:80'],
    sign_up: 'open',
    mcp: { mcpServers: { abode: { url: 'http://127.0.0.1:8080/mcp?toolsets=core' } } },
  })
  expect(text).toContain('Abode 1.2.3\n')
  expect(text).toMatch(/listens on +http:\/\/127\.0\.0\.1:8080\n/)
  expect(text).toMatch(/data in +\/data\n/)
  expect(text).toMatch(/private origins +http:\/\/10\.0\.0\.1:80, http:\/\/10\.0\.0\.2:80 /)
  expect(text).toContain('"url": "http://127.0.0.1:8080/mcp?toolsets=core"')
  expect(text).toContain('curl -X POST http://127.0.0.1:8080/api/agent-claim')
})

it.each([
  ['invited', `${calledAs('invite')}\n`],
  ['closed', 'Sign-up is closed'],
] as const)('where sign-up is %s they read what to do instead', (sign_up, told) => {
  const url = 'http://127.0.0.1:8080'
  const text = greeting({ version: '1', url, data: '/data', private_origins: [], sign_up, mcp: {} })
  expect(text).toContain(told)
  expect(text).not.toContain('Get a key:  curl')
})

it('a command is named as it is called there: by the script of a checkout, or by the package', () => {
  const own = join(root, 'package.json')
  const called = (npm_package_json?: string, npm_lifecycle_event?: string): string =>
    calledAs('invite', { npm_package_json, npm_lifecycle_event })
  expect(called(own, 'start')).toBe('npm run invite --')
  expect(called()).toBe('abode invite')
  expect(called(own, 'npx')).toBe('abode invite')
  expect(called('/elsewhere/package.json', 'start')).toBe('abode invite')
})
