import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageVisitor, registering, type PageVisitor } from '#tests/accounts/people/page-visitor.ts'
import { startMailServer, type MailServer } from '#tests/support/mail/server.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const email = 'ada@example.org'
const password = 'some other words in a row'

let mail: MailServer
let server: ServerProcess
beforeAll(async () => {
  mail = await startMailServer({ user: 'postmaster' })
  const env = { ABODE_SMTP_URL: mail.url, ABODE_MAIL_FROM: 'abode@example.org' }
  server = await startServer({ env })
})
afterAll(async () => {
  await server.dispose()
  await mail.close()
})

/** Registers as people do where mails are sent. */
async function comesIn(visitor: PageVisitor, address: string, nth: number): Promise<void> {
  const next = '/claim/nothing?sign-in'
  const form = { ...registering(address), next }
  const asked = await visitor.post('/sign-in', form)
  expect(asked.text).toContain('Look into your mail')
  const { to, link } = await mail.mail(nth)
  expect(to).toEqual([address])
  const path = new URL(link).pathname
  expect((await visitor.get(path)).heading).toBe('Confirm your e-mail address')
  const wrong = await visitor.post(path, { password })
  expect([wrong.status, wrong.text.includes('not the password')]).toEqual([422, true])
  const { status, goesTo } = await visitor.post(path, { password: form.password })
  expect([status, goesTo]).toEqual([303, next])
  expect((await visitor.get(path)).status).toBe(410)
}

describe('a person who has forgotten their password', () => {
  it('sets a new one by a mail, in any browser, once', async () => {
    const ada = pageVisitor(server.url)
    await comesIn(ada, email, 0)
    expect(await isSignedIn(ada)).toBe(true)
    const forgetful = pageVisitor(server.url)
    expect((await forgetful.get('/sign-in')).text).toContain('href="/forgot"')
    for (const address of ['no-one@example.org', ` ${email.toUpperCase()}`]) {
      const { status, goesTo } = await forgetful.post('/forgot', { email: address })
      expect([status, goesTo]).toEqual([303, '/forgot?sent'])
    }
    const sent = await mail.mail(1)
    expect(sent).toMatchObject({ to: [email], subject: 'Set a new password' })
    expect(sent.link.startsWith(`${server.url}/reset/abl_`)).toBe(true)

    const elsewhere = pageVisitor(server.url)
    const path = new URL(sent.link).pathname
    const page = await elsewhere.get(path)
    expect(page.heading).toBe('Set a new password')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('cache-control')).toContain('no-store')
    const short = await elsewhere.post(path, { password: 'short' })
    expect(short.text).toContain('Choose a password of 10 to 256 characters.')
    const set = await elsewhere.post(path, { password })
    expect([set.status, set.goesTo]).toEqual([303, '/sign-in?reset'])
    expect((await elsewhere.get(set.goesTo)).text).toContain('Your new password is set')

    expect(await isSignedIn(ada)).toBe(false)
    const signIn = { action: 'sign_in', email, password }
    expect((await elsewhere.post('/sign-in', signIn)).status).toBe(303)
    expect(await isSignedIn(elsewhere)).toBe(true)
    expect((await mail.mail(2)).subject).toBe('Your password was changed')
    for (const used of [await ada.get(path), await ada.post(path, { password })]) {
      expect(used.status).toBe(410)
      expect(used.text).toContain('This link was used before.')
    }
    expect(mail.mails).toHaveLength(3)
    expect(server.lines.join('\n')).not.toMatch(/hush|abl_[0-9A-Za-z]/)
  })
})

async function isSignedIn(visitor: PageVisitor): Promise<boolean> {
  return (await visitor.call('GET', '/api/auth/me')).status === 200
}
