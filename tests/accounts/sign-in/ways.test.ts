import { afterAll, beforeAll, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { invited } from '#tests/accounts/people/invited.ts'
import { registering } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { Browser } from '#tests/oauth/browser.ts'
import { begun, consentOf, consenting, registered } from '#tests/oauth/program.ts'
import { randomHex } from '#src/core/ids.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { company, domain, provided, type Provided } from './provided.ts'

const shownName = 'Sign in with <bdi>Corp &lt;b&gt;&amp; Sons&lt;/b&gt;</bdi>'

/** The address to which the link to a provider leads, as a browser reads it. */
function wayIn(text: string, issuer: string): string {
  const links = [...text.matchAll(/href="([^"]*sign-in\/with[^"]*)"/g)]
  const addresses = links.map(([, address = '']) => address.replaceAll('&amp;', '&'))
  return addresses.find((one) => one.includes(encodeURIComponent(issuer))) ?? ''
}

describe.each(oneStore())('pages on which persons come in, on $name', (kind) => {
  let made: Provided
  let browser: Browser
  beforeAll(async () => {
    made = await provided(kind)
  })
  afterAll(() => made.close())
  beforeEach(() => {
    browser = new Browser(made.url)
    const email = `${randomHex(6)}@${domain}`
    made.company.person = { sub: randomHex(6), email, email_verified: true }
  })

  itOnEach('offer each provider next to the password, by its name as text', async () => {
    for (const path of ['/sign-in', '/sign-in?register', '/sign-in?next=%2Fsettings']) {
      const { text } = await browser.get(path)
      expect(text).toContain(shownName)
      expect(text).toContain('Sign in with <bdi>Mail</bdi>')
      expect(text).not.toContain(company)
      expect(text).toContain('name="password"')
    }
  })

  itOnEach('lead back to the request of a program, in which they then decide', async () => {
    const program = await registered(made.url)
    const request = await begun(program, { resource: `${made.url}/mcp/account` })
    const page = await browser.follow(await browser.get(request.address))
    const path = await made.leaves(browser, wayIn(page.text, made.company.issuer))
    const asking = await browser.follow(await browser.get(path))
    expect(asking.status).toBe(200)
    expect(asking.text).toContain(made.company.person.email)
    const back = await browser.follow(await browser.post(consentOf(asking), consenting(asking)))
    expect(back.goesTo).toContain(`${program.redirect}?code=`)
  })

  itOnEach('lead back to the link of a claim', async () => {
    const { claim_url } = await made.world.ask<{ claim_url: string }>('agent_claim.create', {})
    const here = new URL(claim_url).pathname
    const { text } = await browser.get(here)
    const path = await made.leaves(browser, wayIn(text, made.company.issuer))
    const back = await browser.get(path)
    expect(back.goesTo).toBe(here)
    expect((await browser.get(here)).text).toContain('Take it over')
  })

  itOnEach('offer another way where one has failed, with the same way back', async () => {
    made.company.person.email = 'x@other.example'
    const leaving = made.leaving(made.company, { next: '/settings?account=a' })
    const { text } = await browser.get(await made.leaves(browser, leaving))
    expect(wayIn(text, made.company.issuer)).toContain(encodeURIComponent('/settings?account=a'))
    expect(text).toContain('/sign-in?next=%2Fsettings%3Faccount%3Da')
  })
})

describe.each(oneStore())('a server without passwords, on $name', (kind) => {
  let made: Provided
  beforeAll(async () => {
    made = await provided(kind, { passwords: false })
  })
  afterAll(() => made.close())

  itOnEach('shows the providers alone, and takes no form with a password', async () => {
    const browser = new Browser(made.url)
    for (const path of ['/sign-in', '/sign-in?register']) {
      const { text } = await browser.get(path)
      expect(text).toContain(shownName)
      expect(text).not.toMatch(/password|Register/)
    }
    const shown = await browser.post('/sign-in', registering(`x@${domain}`))
    expect(shown.status).toBe(403)
    expect(shown.text).toContain('do not sign in by password')
    expect(await made.persons()).toEqual([])
  })

  itOnEach.each(['login', 'register'])('refuses auth.%s, and names the way', async (name) => {
    const response = await fetch(`${made.url}/api/auth/${name}`, {
      method: 'POST',
      headers: { origin: made.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `x@${domain}`, password }),
    })
    const { code, hint } = (await response.json()) as { code: string; hint: string }
    expect([response.status, code]).toEqual([403, 'passwords_off'])
    expect(hint).toContain(`${made.url}/sign-in`)
    expect(hint).toContain('or Mail')
  })

  itOnEach('asks at a claim and at a consent for nothing else', async () => {
    const browser = new Browser(made.url)
    const { claim_url } = await made.world.ask<{ claim_url: string }>('agent_claim.create', {})
    const program = await registered(made.url)
    const request = await begun(program, { resource: `${made.url}/mcp/account` })
    const pages = [
      await browser.get(new URL(claim_url).pathname),
      await browser.follow(await browser.get(request.address)),
    ]
    for (const { text } of pages) {
      expect(text).toContain(shownName)
      expect(text).not.toMatch(/password|register/)
    }
  })
})

describe.each(stores())('where newcomers are not all admitted, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  const contact = { ABODE_CONTACT: 'ops@example.org' }
  const stranger = () => ({
    sub: randomHex(6),
    email: `${randomHex(6)}@mail.example`,
    email_verified: true,
  })

  it.each(['invited', 'closed'])('%s admits those for whom a provider speaks', async (mode) => {
    const made = await provided(kind, { env: { ABODE_SIGN_UP: mode, ...contact } })
    try {
      const browser = new Browser(made.url)
      expect((await browser.get('/sign-in?register')).text).toContain(shownName)
      expect((await made.signsIn(browser)).status).toBe(303)
      expect(await made.me(browser)).toBeDefined()
      const other = new Browser(made.url)
      const shown = await made.signsIn(other, made.other)
      expect(shown.status).toBe(403)
      expect(shown.text).toContain('ops@example.org')
      expect(await made.persons()).toHaveLength(1)
    } finally {
      await made.close()
    }
  })

  it('an invitation admits others, once', async () => {
    const made = await provided(kind, { env: { ABODE_SIGN_UP: 'invited', ...contact } })
    try {
      const browser = new Browser(made.url)
      const asked = await made.signsIn(browser, made.other)
      expect(asked.text).toContain('name="invitation"')
      const { issuer } = made.other
      const invitation = await invited(made.world.ports)
      const [first, second] = [browser, new Browser(made.url)]
      const codes = []
      for (const [one, code] of [
        [first, 'inv_wrong'],
        [first, ` ${invitation} `],
        [second, invitation],
      ] as const) {
        if (one === second) made.other.person = stranger()
        const page = await one.post('/sign-in/with', { issuer, invitation: code })
        const address = /class="button main" href="([^"]*)"/.exec(page.text)?.[1] ?? ''
        codes.push((await made.returns(one, address.replaceAll('&amp;', '&'))).status)
      }
      expect(codes).toEqual([403, 303, 403])
      expect(await made.persons()).toHaveLength(1)
      // Who is known needs none.
      made.other.person = { sub: 'eve-1' }
      expect((await made.signsIn(new Browser(made.url), made.other)).status).toBe(303)
    } finally {
      await made.close()
    }
  })

  itOnEach('of two newcomers with the last use of an invitation one is admitted', async () => {
    const made = await provided(kind, { env: { ABODE_SIGN_UP: 'invited' } })
    try {
      const invitation = await invited(made.world.ports)
      const paths: [Browser, string][] = []
      for (let i = 0; i < 4; i++) {
        const browser = new Browser(made.url)
        made.other.person = stranger()
        paths.push([browser, await made.leaves(browser, made.leaving(made.other, { invitation }))])
      }
      const shown = await Promise.all(paths.map(([browser, path]) => browser.get(path)))
      const admitted = shown.filter(({ status }) => status === 303)
      const refused = shown.filter(({ status }) => status === 403)
      expect([admitted.length, refused.length]).toEqual([1, 3])
      expect(await made.persons()).toHaveLength(1)
    } finally {
      await made.close()
    }
  })

  it('the link of a claim admits the one who is to take it over', async () => {
    const made = await provided(kind, { env: { ABODE_SIGN_UP: 'invited' } })
    try {
      const invitation = await invited(made.world.ports)
      const claim = { invitation }
      const made1 = await made.world.ask<{ claim_url: string }>('agent_claim.create', claim)
      const here = new URL(made1.claim_url).pathname
      const browser = new Browser(made.url)
      const { text } = await browser.get(here)
      const back = await browser.get(await made.leaves(browser, wayIn(text, made.other.issuer)))
      expect(back.goesTo).toBe(here)
      expect((await browser.post(here, { action: 'complete' })).status).toBe(303)
      expect((await browser.get(here)).text).toContain('You hold the account')
    } finally {
      await made.close()
    }
  })
})
