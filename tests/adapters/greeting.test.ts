import { expect, it } from 'vitest'
import { greeting } from '#adapters/commands/greeting.ts'

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
  ['invited', 'npm run invite'],
  ['closed', 'Sign-up is closed'],
] as const)('where sign-up is %s they read what to do instead', (sign_up, told) => {
  const url = 'http://127.0.0.1:8080'
  const text = greeting({ version: '1', url, data: '/data', private_origins: [], sign_up, mcp: {} })
  expect(text).toContain(told)
  expect(text).not.toContain('Get a key:  curl')
})
