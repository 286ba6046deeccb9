import { describe, expect, it } from 'vitest'
import { ConfigFaults, readConfig } from '#adapters/config/read.ts'

const from = 'abode@example.org'
const read = (url: string, address = from) =>
  readConfig({ ABODE_SMTP_URL: url, ABODE_MAIL_FROM: address }).mail

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults.join('\n')
    throw error
  }
  return ''
}

describe('ABODE_SMTP_URL', () => {
  it('names a server, who signs in there, and whether it is on this machine', () => {
    expect(read('smtps://ada%40example.org:h%26h@mail.example.org')).toEqual({
      from,
      server: {
        host: 'mail.example.org',
        port: 465,
        isSecure: true,
        isHere: false,
        login: { user: 'ada@example.org', password: 'h&h' },
      },
    })
    expect(read('smtp://mail.example.org:2525')?.server).toMatchObject({
      port: 2525,
      isSecure: false,
      isHere: false,
      login: null,
    })
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(read(`smtp://${host}/`)?.server).toMatchObject({ port: 587, isHere: true })
    }
    expect(read('smtp://127.0.0.1.example.org')?.server.isHere).toBe(false)
  })

  it.each([
    'mail.example.org',
    'http://mail.example.org',
    'smtp://',
    'smtp://hush@mail.example.org',
    'smtp://:hush@mail.example.org',
    'smtp://ada:%hush@mail.example.org',
    'smtp://mail.example.org/hush',
    'smtp://mail.example.org?hush=1',
    'smtp://mail.example.org\r\nhush',
  ])('%j is none, and nothing of it is said', (url) => {
    const said = faultsOf({ ABODE_SMTP_URL: url, ABODE_MAIL_FROM: from })
    expect(said).toMatch(/^ABODE_SMTP_URL must be smtp:/)
    expect(said).not.toContain('hush')
  })

  it('needs a sender, which is an address and nothing else', () => {
    expect(faultsOf({ ABODE_SMTP_URL: 'smtp://localhost' })).toBe(
      'ABODE_MAIL_FROM must be set when ABODE_SMTP_URL is: mail needs both',
    )
    expect(faultsOf({ ABODE_MAIL_FROM: from })).toMatch(/^ABODE_SMTP_URL must be set/)
    for (const address of ['Abode <a@example.org>', 'a@example.org\r\nBcc: b@example.org', 'a']) {
      const env = { ABODE_SMTP_URL: 'smtp://localhost', ABODE_MAIL_FROM: address }
      expect(faultsOf(env)).toMatch(/^ABODE_MAIL_FROM must be an e-mail address/)
    }
  })
})
